"""Scripts that reproduce what is on the screen: those that claim the same spans have them, and all of them run."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import subprocess
import sys
import tokenize
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import texts, windows

from playground import ChunkingConfig, Document, chunk, read
from playground.core.modes import MODES
from playground.core.separators import PRESETS
from playground.export.snippets import READ_ELSEWHERE, TARGETS, snippet
from playground.resources import RANKS

ROOT = Path(__file__).parents[2]
SAMPLES = sorted(path for path in (ROOT / "sample_docs").iterdir() if path.suffix in (".md", ".txt"))
PLAIN = ROOT / "sample_docs" / "thousand-tokens.txt"
LIBRARIES = sorted(set(TARGETS) - {"playground", "python"})
CLASSIC = PRESETS["classic"]
MARKDOWN = tuple(one for one in PRESETS["markdown"] if one != "{sentence}")

CONFIGS = [
    ChunkingConfig(),
    ChunkingConfig("fixed", "token", 7, 6, "o200k_base"),
    ChunkingConfig("fixed", "token", 1, 0),
    ChunkingConfig("fixed", "token", 50, 10, "r50k_base"),
    ChunkingConfig("fixed", "character", 333, 100),
    ChunkingConfig("fixed", "character", 3, 2),
    ChunkingConfig("fixed", "word", 40, 7),
    ChunkingConfig("sentence", "token", 120, 30),
    ChunkingConfig("sentence", "character", 200, 0, tail="merge"),
    ChunkingConfig("paragraph", "word", 60, 10, snap="word"),
    ChunkingConfig("recursive", "character", 400, 0, separators=CLASSIC),
    ChunkingConfig("recursive", "character", 250, 90, separators=CLASSIC),
    ChunkingConfig("recursive", "character", 12, 5, separators=MARKDOWN),
    ChunkingConfig("recursive", "character", 30, 9, separators=()),
    ChunkingConfig("recursive", "token", 100, 0, parent_size=300),
    ChunkingConfig("recursive", "word", 50, 5, separators=(". ", ", ")),
    ChunkingConfig("structure", "token", 150, 0, context=False),
]
NAMES = [f"{number}-{one.mode}-{one.unit}" for number, one in enumerate(CONFIGS)]


@pytest.fixture(autouse=True)
def shipped_ranks(monkeypatch):
    """Scripts ask tiktoken for its ranks: they find those that ship with the project."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(RANKS))


def run(code: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """What the script prints for the file, run in this process."""
    monkeypatch.setattr(sys, "argv", ["script.py", str(path)])
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "script.py", "exec"), {"__name__": "__main__"})
    found: list[list[int]] = json.loads(out.getvalue())
    return found


def expected(config: ChunkingConfig, path: Path) -> list[list[int]]:
    return [[one.start, one.end] for one in chunk(read(path), config)]


@pytest.mark.parametrize("config", CONFIGS, ids=NAMES)
@pytest.mark.parametrize("target", sorted(TARGETS))
def test_what_claims_the_same_spans_has_them(target, config, monkeypatch):
    written = snippet(config, target, "sample")
    if written.same:
        for path in SAMPLES:
            assert run(written.code, path, monkeypatch) == expected(config, path), path.name


@pytest.mark.parametrize("config", CONFIGS, ids=NAMES)
@pytest.mark.parametrize("target", sorted(set(TARGETS) - {"playground"}))
def test_every_script_runs_and_its_spans_go_forward(target, config, monkeypatch):
    text = read(PLAIN).text
    spans = run(snippet(config, target, "sample").code, PLAIN, monkeypatch)
    assert spans
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(a < c for (a, _), (c, _) in pairwise(spans))


def test_where_the_claim_is_made():
    same = {(one.mode, one.unit, target) for one in CONFIGS for target in TARGETS if snippet(one, target, "").same}
    assert {one for one in same if one[2] != "playground"} == {
        ("fixed", "character", "python"),
        ("fixed", "token", "python"),
        ("recursive", "character", "python"),
    }
    assert {(mode, unit) for mode, unit, target in same if target == "playground"} == {
        (one.mode, one.unit) for one in CONFIGS
    }


WINDOWS = ChunkingConfig("fixed", "token", 50, 10)
LADDER = ChunkingConfig("recursive", "character", 400, 90, separators=("\n\n", " "))
_SENTENCES = "Sentences end at . ! or ? there; here abbreviations, headings, lists and other scripts are known, too."
_CHARACTERS = "The script may cut inside what a reader sees as one character: an emoji, an accented letter, a line end."
_TAIL = "The end of the text is not treated there as the setting for the tail says."
_PARENTS = "There are no parents there: a chunk may cross from one into the next."
_WORDS = "Every ideograph and kana is a word here; the script counts what white space parts."
_SNAP = "Overlaps start at a boundary as coarse as the cut there, whatever the setting for it says."
_MOVED = "Boundaries are moved here to where a token starts; there the space before a word may be counted twice."
_WINDOWLESS = "The library has no windows: it cuts at white space where it can."
_OWN_RULE = "Overlaps follow the library's own rule there, so that they start elsewhere or are left out."
_OPENING = "A separator that opens a piece stays with it here; there it stays with the piece before."
_STRIPPED = "White space at both ends of a chunk is dropped there."
_SEARCHED = (
    "The library returns texts without offsets: where a text repeats itself, one may be found too early or not at all."
)


@pytest.mark.parametrize(
    ("config", "target", "differences"),
    [
        (WINDOWS, "playground", ()),
        (WINDOWS, "python", ()),
        (replace(WINDOWS, tail="merge", parent_size=200, snap="word"), "playground", ()),
        (replace(WINDOWS, tail="merge"), "python", (_TAIL,)),
        (replace(WINDOWS, parent_size=200), "python", (_PARENTS,)),
        (replace(WINDOWS, snap="word"), "python", (_SNAP,)),
        (replace(WINDOWS, snap="word", overlap=0), "python", ()),
        (replace(WINDOWS, unit="word"), "python", (_WORDS,)),
        (LADDER, "python", ()),
        (replace(LADDER, separators=("{sentence}",)), "python", (_SENTENCES,)),
        (replace(LADDER, unit="token"), "python", (_MOVED,)),
        (WINDOWS, "langchain", (_CHARACTERS, _SEARCHED)),
        (WINDOWS, "llamaindex", (_WINDOWLESS, _CHARACTERS, _STRIPPED, _SEARCHED)),
        (WINDOWS, "chonkie", (_CHARACTERS,)),
        (LADDER, "langchain", (_CHARACTERS, _OWN_RULE, _SEARCHED)),
        (replace(LADDER, overlap=0), "langchain", (_CHARACTERS,)),
        (replace(LADDER, overlap=0, separators=("\n# ",)), "langchain", (_CHARACTERS, _OPENING)),
        (LADDER, "llamaindex", (_CHARACTERS, _OWN_RULE, _STRIPPED, _SEARCHED)),
        (replace(LADDER, overlap=0), "chonkie", (_CHARACTERS,)),
    ],
)
def test_which_scripts_have_the_same_spans_and_in_what_the_others_differ(config, target, differences):
    found = snippet(config, target, "sample")
    assert found.differences == differences
    assert found.same is (len(differences) == 0)


def test_a_document_that_is_not_its_file_is_the_same_with_this_project_alone():
    assert snippet(WINDOWS, "playground", "sample.pdf", verbatim=False).same
    found = snippet(WINDOWS, "python", "sample.pdf", verbatim=False)
    assert (found.same, found.differences) == (False, (READ_ELSEWHERE,))


def test_a_script_is_a_program_of_its_own():
    for target in ("playground", "python"):
        code = snippet(ChunkingConfig("fixed", "token", 100, 20), target, "x").code
        done = subprocess.run([sys.executable, "-c", code, str(PLAIN)], cwd=ROOT, capture_output=True, check=True)
        assert json.loads(done.stdout) == expected(ChunkingConfig("fixed", "token", 100, 20), PLAIN)


@pytest.mark.parametrize(
    "text", ["", " \n ", "a", "👍🏽", "猫" * 5, "a\r\nb", "<|endoftext|>", "e" + "\u0301" * 9 + " x"]
)
def test_the_edges_are_the_same_in_plain_python(text, tmp_path, monkeypatch):
    path = tmp_path / "edge.txt"
    path.write_bytes(text.encode())
    for config in CONFIGS:
        written = snippet(config, "python", "edge")
        if written.same:
            assert run(written.code, path, monkeypatch) == expected(config, path)


@pytest.mark.parametrize("mode", ["fixed-character", "fixed-token", "recursive-character"])
def test_any_text_is_the_same_in_plain_python(mode, tmp_path):
    path = tmp_path / "any.txt"
    ladders = st.sampled_from([CLASSIC, MARKDOWN, PRESETS["html"], (), ("; ", "e")])

    @given(texts(), windows(), ladders)
    @settings(max_examples=30)
    def check(text, window, ladder):
        document = Document.from_text(text.lstrip("\ufeff"))
        path.write_bytes(document.text.encode())
        config = ChunkingConfig(*mode.split("-"), *window, separators=ladder)
        written = snippet(config, "python", "any")
        assert written.same
        with pytest.MonkeyPatch.context() as patch:
            assert run(written.code, path, patch) == [[one.start, one.end] for one in chunk(document, config)]

    check()


# --- what is written -------------------------------------------------------------------------------------------


def test_only_what_was_chosen_is_written():
    assert "ChunkingConfig()" in snippet(ChunkingConfig(), "playground", "x").code
    assert "ChunkingConfig(size=100)" in snippet(ChunkingConfig(size=100), "playground", "x").code
    chosen = ChunkingConfig("recursive", "word", 90, 3, separators=("\n", "猫"))
    assert (
        "ChunkingConfig(mode='recursive', unit='word', size=90, overlap=3, separators=('\\n', '\\u732b'))"
        in snippet(chosen, "playground", "x").code
    )
    assert "(overlap=0)" in snippet(ChunkingConfig(overlap=0), "playground", "x").code


@pytest.mark.parametrize("mode", sorted(MODES))
def test_settings_that_are_written_read_back(mode):
    config = ChunkingConfig(mode, "word", 77, 5, tail="merge", min_size=3, parent_size=200, snap="word", window=2)
    call = next(
        node
        for node in ast.walk(ast.parse(snippet(config, "playground", "x").code))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "ChunkingConfig"
    )
    assert ChunkingConfig(**{one.arg: ast.literal_eval(one.value) for one in call.keywords}) == config


HOSTILE = [
    "a\nimport os",
    "'''",
    '"""',
    "\\",
    "a\r\nraise SystemExit",
    "\u2028x()",
    "\x0cboom()",
    "{size}{ladder}",
    "%s",
    "# -*- coding: utf-7 -*-",
]


@pytest.mark.parametrize("target", sorted(TARGETS))
@pytest.mark.parametrize("title", HOSTILE)
def test_a_title_stays_in_its_comment(title, target):
    config = ChunkingConfig("recursive", "character", 20, 0)
    code, plain = snippet(config, target, title).code, snippet(config, target, "x").code
    assert code.isascii()
    assert code.splitlines()[1:] == plain.splitlines()[1:]
    kinds = [one.type for one in tokenize.generate_tokens(io.StringIO(code.splitlines()[0] + "\n").readline)]
    assert kinds == [tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12), max_size=5, unique=True))
def test_separators_stay_in_their_strings(ladder):
    config = ChunkingConfig("recursive", "character", 20, 0, separators=tuple(ladder))
    for target in TARGETS:
        code = snippet(config, target, "x").code
        assert code.isascii()
        held = {node.value for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Constant)}
        assert held >= set(ladder) - {"{sentence}", "{clause}"}


def test_differences_are_plain_sentences():
    for config in CONFIGS:
        for target in TARGETS:
            said = snippet(config, target, "x").differences
            assert len(set(said)) == len(said)
            assert all(one[0].isupper() and one.endswith(".") for one in said)
    merged = ChunkingConfig("fixed", "character", 9, 3, tail="merge", parent_size=20, snap="word")
    assert len(snippet(merged, "python", "x").differences) == 3
