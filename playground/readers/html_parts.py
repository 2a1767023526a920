"""What the tags of lists and tables mean for the text of a page: one small function a tag.

Each may return what to do at the element's end. `html_tags` adds the other tags.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from playground.readers.html_page import Page

End = Callable[[], object]
Attributes = dict[str, str]
Start = Callable[["Page", str, Attributes], End | None]

_NUMBER: Final = re.compile(r"-?[0-9]{1,6}")


def start_line(page: Page, _tag: str, _attributes: Attributes) -> End:
    """Let the element's text stand on lines of its own."""
    page.break_line()
    return page.break_line


def _list(page: Page, tag: str, attributes: Attributes) -> End:
    if page.in_row():
        return page.in_row
    return page.open_list(ordered=tag == "ol", number=_number(attributes, "start", 1))


def _item(page: Page, tag: str, attributes: Attributes) -> End:
    if page.in_row() or not page.lists:
        return start_line(page, tag, attributes)
    inner = page.lists[-1]
    number = _number(attributes, "value", inner.number)
    inner.number = number + 1
    close = page.block("item", level=len(page.lists), lines=1)
    page.flow.indent(f"{number}. " if inner.ordered else "- ")

    def end() -> None:
        page.flow.dedent()
        close()

    return end


def _term(page: Page, tag: str, attributes: Attributes) -> End:
    if page.in_row() or not page.lists:
        return start_line(page, tag, attributes)
    inner, innermost = page.lists[-1], page.flow.opened[-1] if page.flow.opened else None
    page.flow.break_line()
    if inner.item and innermost is inner.item and inner.described:
        page.flow.close()
        inner.item, innermost = None, inner.opened
    if inner.opened and innermost is inner.opened:
        inner.item = page.flow.open("item", 1)
        inner.described = False
    return page.break_line


def _description(page: Page, tag: str, attributes: Attributes) -> End:
    if page.in_row() or not page.lists:
        return start_line(page, tag, attributes)
    inner = page.lists[-1]
    if inner.describing:  # the parser takes a description whose end is not marked as around the next one
        return start_line(page, tag, attributes)
    inner.described = inner.describing = True
    page.flow.break_line()
    page.flow.indent("  ")

    def end() -> None:
        inner.describing = False
        page.flow.dedent()
        page.break_line()

    return end


def _table(page: Page, _tag: str, _attributes: Attributes) -> End:
    page.open_table()
    return page.close_table


def _table_part(page: Page, tag: str, attributes: Attributes) -> End:
    table = page.table
    if table is None:
        return start_line(page, tag, attributes)
    table.end_row()
    table.in_head = tag == "thead"

    def end() -> None:
        table.end_row()
        table.in_head = False

    return end


def _row(page: Page, tag: str, attributes: Attributes) -> End:
    if page.table is None:
        return start_line(page, tag, attributes)
    page.table.start_row()
    return page.table.end_row


def _cell(page: Page, tag: str, attributes: Attributes) -> End:
    if page.table is None:
        return start_line(page, tag, attributes)
    across, down = (max(1, _number(attributes, name, 1)) for name in ("colspan", "rowspan"))
    page.table.start_cell(header=tag == "th", across=across, down=down)
    return page.table.end_cell


def _number(attributes: Attributes, name: str, default: int) -> int:
    value = attributes.get(name, "").strip()
    return int(value) if _NUMBER.fullmatch(value) else default


PARTS: Final[dict[str, Start]] = {
    **dict.fromkeys(("dir", "dl", "menu", "ol", "ul"), _list),
    **dict.fromkeys(("tbody", "tfoot", "thead"), _table_part),
    **dict.fromkeys(("td", "th"), _cell),
    "caption": start_line,
    "dd": _description,
    "dt": _term,
    "li": _item,
    "table": _table,
    "tr": _row,
}
"""What to do where a list, a table or a part of one starts, by its tag."""
