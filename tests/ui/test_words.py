"""Text from outside is shown character by character, not read as Markdown."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.ui.words import plain

# ASCII punctuation that opens something in CommonMark, in its tables and links, in mathematics, or in the page's own
# marks: `:red[x]`, `:material/home:`, `$x$`, `-> <- -- >=`.
OPENERS = "\\`*_{}[]()<>#+-.!|:$~&^=\"'"


def shown(markdown: str) -> str:
    """What CommonMark makes of backslash escapes; anything that is not escaped stays."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown)


@given(text=st.text(max_size=80))
def test_every_character_is_shown(text):
    assert shown(plain(text)) == " ".join(text.split())


@given(text=st.text(st.one_of(st.sampled_from(OPENERS), st.characters()), max_size=40))
def test_no_opener_is_left_unescaped(text):
    bare = re.sub(r"\\[!-/:-@\[-`{-~]", "", plain(text))
    assert not set(bare) & set(OPENERS)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("<img src=x onerror=alert(1)>", r"\<img src\=x onerror\=alert\(1\)\>"),
        ("![x](http://y)", r"\!\[x\]\(http\://y\)"),
        ("**bold** _and_ `code`", r"\*\*bold\*\* \_and\_ \`code\`"),
        (":red[x] :material/home: $x$", r"\:red\[x\] \:material/home\: \$x\$"),
        ("# a\n\n- b\r\n1. c", r"\# a \- b 1\. c"),
        ("a | b", r"a \| b"),
        ("&lt;b&gt;", r"\&lt;b\&gt;"),
        ("already \\* escaped", r"already \\\* escaped"),
        ("  much \t\n space  ", "much space"),
        ("", ""),
        ("猫 😀 ½", "猫 😀 ½"),
    ],
)
def test_examples(text, right):
    assert plain(text) == right


def test_a_long_text_is_cut_before_it_is_escaped():
    assert plain("*" * 400) == r"\*" * 300 + "…"
    assert plain("*" * 300) == r"\*" * 300
    assert plain("a b", 1) == "a…"
    assert shown(plain("\\" * 1000, 7)) == "\\" * 7 + "…"
