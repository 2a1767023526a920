"""What each tag of a page means for its text: one small function a tag, which may return what to do at its end."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from playground.readers.html_parts import PARTS, Attributes, End, Start, start_line

if TYPE_CHECKING:
    from playground.readers.html_page import Page

SITE_ROLES: Final = frozenset(("navigation", "contentinfo"))
# Elements whose role decides what they are.
TAKE_ROLES: Final = frozenset(["div", "section", "header", "footer", "aside"])

_LINES: Final = (
    *("address", "body", "center", "div", "fieldset", "figcaption"),
    *("form", "legend", "optgroup", "option", "summary"),
)
_PARAGRAPHS: Final = ["details", "dialog", "figure", "hgroup", "hr", "search"]
_DATES: Final = frozenset(("last-updated", "last-modified", "dcterms.modified", "article:modified_time"))


def _paragraph(page: Page, _tag: str, _attributes: Attributes) -> End:
    page.break_line(2)
    return partial(page.break_line, 2)


def _break(page: Page, _tag: str, _attributes: Attributes) -> None:
    if not page.in_row():
        page.flow.new_line()


def _html(page: Page, _tag: str, attributes: Attributes) -> None:
    if language := attributes.get("lang", attributes.get("xml:lang", "")).strip():
        page.metadata.setdefault("language", language)


def _meta(page: Page, _tag: str, attributes: Attributes) -> None:
    name = attributes.get("name", attributes.get("property", "")).strip().lower()
    if name in _DATES and (date := attributes.get("content", "").strip()):
        page.metadata.setdefault("last_updated", date)


def _image(page: Page, _tag: str, attributes: Attributes) -> None:
    if words := attributes.get("alt", "").strip():
        page.data(f" {words} ")


def _svg(page: Page, _tag: str, _attributes: Attributes) -> End:
    page.pictures += 1

    def end() -> None:
        page.pictures -= 1

    return end


def _heading(page: Page, tag: str, _attributes: Attributes) -> End:
    if page.header:
        page.header.kind, page.header = "", None
    return page.block("heading", level=int(tag[1]))


def _text_block(page: Page, _tag: str, _attributes: Attributes) -> End:
    return page.block("paragraph") if not page.lists else _paragraph(page, _tag, _attributes)


def _quote(page: Page, _tag: str, _attributes: Attributes) -> End:
    return page.block("quote")


def _preformatted(page: Page, tag: str, _attributes: Attributes) -> End:
    if page.in_row():
        return page.in_row
    page.flow.break_line(2)
    page.flow.flatten()
    close = page.block("code") if tag != "textarea" else partial(page.flow.break_line, 2)
    page.flow.verbatim += 1
    page.drop_newline = True

    def end() -> None:
        page.flow.verbatim -= 1
        page.drop_newline = False
        page.flow.unflatten()
        close()

    return end


def _section(page: Page, tag: str, _attributes: Attributes) -> End:
    if tag in ("footer", "aside") and not page.content:
        return start_site(page, tag, _attributes)
    close = page.block("section")
    page.content += tag != "footer"

    def end() -> None:
        page.content -= tag != "footer"
        close()

    return end


def start_site(page: Page, _tag: str, _attributes: Attributes) -> End:
    """Open what repeats on every page of a site: its headings hold no longer than it does."""
    if page.header:
        page.header.kind = "boilerplate"
    closes = page.block("section"), page.block("boilerplate")

    def end() -> None:
        for close in reversed(closes):
            close()

    return end


def _header(page: Page, tag: str, attributes: Attributes) -> End:
    """The header of a site is boilerplate if it holds navigation, and no heading: that would be the page's."""
    if page.content or page.header or page.in_row():
        return _paragraph(page, tag, attributes)
    close = page.block("")
    page.header = page.flow.opened[-1]

    def end() -> None:
        page.header = None
        close()

    return end


STARTS: Final[dict[str, Start]] = {
    **PARTS,
    **dict.fromkeys(_LINES, start_line),
    **dict.fromkeys(_PARAGRAPHS, _paragraph),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _heading),
    **dict.fromkeys(("article", "aside", "footer", "main", "section"), _section),
    **dict.fromkeys(("pre", "textarea", "listing", "xmp", "plaintext"), _preformatted),
    "blockquote": _quote,
    "br": _break,
    "header": _header,
    "html": _html,
    "img": _image,
    "meta": _meta,
    "nav": start_site,
    "p": _text_block,
    "svg": _svg,
}
"""What to do where an element starts, by its tag; other tags leave no trace."""
