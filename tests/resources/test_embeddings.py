"""The static embeddings: the package's own vectors and tokens, right offsets, no network, any text in linear time."""

from __future__ import annotations

import hashlib
import shutil
import socket
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.resources import ResourceError, embeddings
from playground.resources.embeddings import LONGEST_WORD, SHA256, TOKENIZER, VERSION, WEIGHTS, embedding

FOLDER = Path(find_spec("wordllama").submodule_search_locations[0])
ROOT = Path(__file__).parents[2]
AWKWARD = {
    "prose": "The keeper  trims\tthe lamp.\r\n\r\nThen he sleeps; nobody comes.",
    "emoji": "A family 👩‍👩‍👧‍👦 waves 🇩🇪🇫🇷, thumbs 👍🏽 up",
    "ideographs": "食べ物は、とても おいしい。\n字𠮷家",
    "marks": "cafe\u0301 u\u0308ber na\u0308i\u0308ve \u0915\u094d\u0937\u093f",
    "strike": "<s>old</s> new <unk> </s>",
    "lower block": "a▁b ▁ ▁▁c ▁",
    "spaces": " \u00a0\u3000x\u2028y\x1cz\u200b ",
    "code": "def f(x):\n    return {'a': [x**2]}  # ok\n",
    "control": "nul\x00bel\x07 \ufffd \ufeffbom",
}
texts = st.text(st.sampled_from(" \n\t▁<s>/aeéß食👍\u0301\u200d🇩") | st.characters(exclude_categories=("Cs",)))


@pytest.fixture
def fresh(monkeypatch):
    """Nothing loaded yet, and any attempt to open a socket fails."""

    def refuse(*_args, **_kwargs):
        raise AssertionError("a socket was opened")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, refuse)
    embeddings._load.cache_clear()
    yield
    embeddings._load.cache_clear()


def words(text: str) -> str:
    """The words of the text, those too long in pieces, joined by single spaces."""
    pieces = [word[at : at + LONGEST_WORD] for word in text.split() for at in range(0, len(word), LONGEST_WORD)]
    return " ".join(pieces)


def assert_offsets_point_at_tokens(text: str) -> None:
    ids, starts = embedding().encode(text)
    assert ids.dtype == starts.dtype == np.int32
    assert ids.shape == starts.shape
    assert (np.diff(starts) >= 0).all()
    ink = set()
    for token, start in zip(ids.tolist(), starts.tolist(), strict=True):
        assert not text[start].isspace()
        shown = embedding().tokenizer.id_to_token(token)
        if len(shown) == 6 and shown.startswith("<0x"):
            assert int(shown[3:5], 16) in text[start].encode()
            ink.add(start)
        else:
            # "▁" stands for the space before a word, unless the text has that very character there.
            bare = shown if text.startswith(shown, start) else shown[1:]
            assert text.startswith(bare, start)
            ink.update(range(start, start + len(bare)))
    assert ink == {at for at, character in enumerate(text) if not character.isspace()}


def test_the_matrix_is_the_one_the_package_pools_with(wordllama):
    assert embedding().matrix.dtype == np.float32
    assert embedding().matrix.shape == (32000, 256)
    assert embedding().dimensions == 256
    assert np.array_equal(embedding().matrix, wordllama.embedding)
    with pytest.raises(ValueError, match="read-only"):
        embedding().matrix[0, 0] = 1


@pytest.mark.parametrize("name", sorted(AWKWARD.keys() - {"lower block"}))
def test_tokens_are_those_of_the_words_joined_by_single_spaces(wordllama, name):
    ids, _ = embedding().encode(AWKWARD[name])
    expected = wordllama.tokenizer.encode(words(AWKWARD[name]), add_special_tokens=False).ids
    assert ids.tolist() == expected


@pytest.mark.parametrize("name", AWKWARD)
def test_offsets_are_characters(name):
    assert_offsets_point_at_tokens(AWKWARD[name])


@given(texts)
def test_any_text_has_the_right_tokens_and_offsets(text):
    ids, _ = embedding().encode(text)
    one_by_one = [embedding().tokenizer.encode(word, add_special_tokens=False).ids for word in text.split()]
    assert ids.tolist() == [token for tokens in one_by_one for token in tokens]
    assert_offsets_point_at_tokens(text)


def test_sample_documents_have_the_tokens_of_the_package_in_one_piece(wordllama):
    for path in sorted((ROOT / "sample_docs").glob("*.*")):
        if path.suffix in (".md", ".txt"):
            text = path.read_text("utf-8")
            expected = wordllama.tokenizer.encode(words(text), add_special_tokens=False).ids
            assert embedding().encode(text)[0].tolist() == expected, path.name


def test_a_worked_example():
    ids, starts = embedding().encode("Hello\n  world 🇩")
    assert [embedding().tokenizer.id_to_token(token) for token in ids[:2].tolist()] == ["▁Hello", "▁world"]
    assert starts.tolist() == [0, 8, 14, 14, 14, 14, 14]


@pytest.mark.parametrize("text", ["", " ", "\n\r\n\t\u3000"])
def test_white_space_has_no_tokens(text):
    ids, starts = embedding().encode(text)
    assert ids.tolist() == starts.tolist() == []


@pytest.mark.parametrize(
    ("unit", "times"), [(" ", 1_000_000), ("a", 1_000_000), ("🇩🇪", 50_000), ("a ", 500_000), ("食", 200_000)]
)
def test_monotonous_texts_are_encoded_in_short_words(monkeypatch, unit, times):
    seen = []
    real = embeddings.Embedding._encode_words

    def recording(self, given_words):
        seen.extend(given_words)
        return real(self, given_words)

    monkeypatch.setattr(embeddings.Embedding, "_encode_words", recording)
    text = unit * times
    _, starts = embedding().encode(text)
    assert len(seen) <= 2
    assert all(len(word) <= LONGEST_WORD for word in seen)
    if text.strip():
        assert starts[0] == 0
        assert len(text) - 8 <= starts[-1] < len(text)


def test_a_lone_surrogate_is_refused():
    with pytest.raises(UnicodeEncodeError):
        embedding().encode("a \ud800 b")


def test_loads_without_network_once_for_all_threads(fresh):
    found = []
    threads = [threading.Thread(target=lambda: found.append(embedding())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len({id(one) for one in found}) == 1


def test_the_package_itself_is_not_imported():
    code = (
        "import sys; from playground.resources.embeddings import embedding; before = 'tokenizers' in sys.modules;"
        "embedding().encode('x'); print(before, {'wordllama', 'requests', 'huggingface_hub'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False set()"
    assert done.stderr == ""


@pytest.mark.parametrize("name", [WEIGHTS, TOKENIZER])
def test_the_recorded_hashes_are_those_of_the_installed_files(name):
    assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == SHA256[name]


@pytest.mark.parametrize("name", [WEIGHTS, TOKENIZER])
@pytest.mark.parametrize("damage", ["changed", "missing"])
def test_damaged_files_are_refused_with_advice(fresh, monkeypatch, tmp_path, name, damage):
    for each in (WEIGHTS, TOKENIZER):
        (tmp_path / each).parent.mkdir()
        shutil.copy(FOLDER / each, tmp_path / each)
    if damage == "missing":
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes() + b" ")
    monkeypatch.setattr(
        embeddings, "find_spec", lambda _: type("Spec", (), {"submodule_search_locations": [str(tmp_path)]})
    )
    with pytest.raises(ResourceError, match=rf"{Path(name).name}.*install wordllama=={VERSION}"):
        embedding()


def test_a_missing_package_is_named(fresh, monkeypatch):
    monkeypatch.setattr(embeddings, "find_spec", lambda _: None)
    with pytest.raises(ResourceError, match=f"not installed: install wordllama=={VERSION}"):
        embedding()
