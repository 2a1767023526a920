"""The store: least recently used out first, bounded in bytes; keys that cannot be guessed; no file but the samples."""

from __future__ import annotations

import gc
import threading
import weakref
from itertools import pairwise
from pathlib import PurePath

import pytest

from playground import ChunkingConfig, Document, chunk, read
from playground.core import prepared as prepared_module
from playground.live import store as store_module
from playground.live.store import SAMPLES, Store, new_key, read_sample, sample_names

CHARACTER = ChunkingConfig(unit="character", size=50, overlap=5)


def no_samples(name: str) -> Document:
    raise KeyError(name)


def store_of(max_bytes: int) -> Store:
    return Store(max_bytes, sample=no_samples)


def ascii_document(length: int = 100, title: str = "a") -> Document:
    return Document.from_text("x" * length, title=title)


# --- what it keeps -----------------------------------------------------------------------------------------------


def test_what_was_put_is_got_by_its_key_alone():
    store = store_of(10**6)
    document = ascii_document()
    key = store.put(document)
    assert store.get(key).document is document
    assert store.held(key) is store.get(key)
    for other in ("", "x", key[:-1], key + "A", key.lower() + "_", "a"):
        assert store.get(other) is None
        assert store.held(other) is None


def test_a_document_is_prepared_once():
    store = store_of(10**8)
    document = ascii_document()
    key = store.put(document)
    prepared = store.get(key)
    chunk(prepared, ChunkingConfig())
    assert store.put(document, key) == key
    assert store.get(key) is prepared
    assert prepared.encodes == 1


def test_the_least_recently_used_goes_first():
    store = store_of(350)
    keys = [store.put(ascii_document()) for _ in range(3)]
    assert store.get(keys[0])  # used again: the second is now the oldest
    newest = store.put(ascii_document())
    assert [store.get(key) is not None for key in keys] == [True, False, True]
    assert store.get(newest)


def test_bytes_count_and_not_documents():
    store = store_of(1000)
    small = [store.put(ascii_document(10)) for _ in range(50)]
    assert all(map(store.held, small))
    store.put(ascii_document(900))
    assert [store.held(key) is not None for key in small] == [False] * 40 + [True] * 10


def test_a_text_beyond_ascii_counts_four_bytes_a_character():
    store = store_of(1000)
    first = store.put(ascii_document(300))
    store.put(Document.from_text("猫" * 200))
    assert store.held(first) is None


def test_the_newest_stays_however_large_it_is():
    store = store_of(100)
    first = store.put(ascii_document(60))
    large = store.put(ascii_document(100_000))
    assert store.held(first) is None
    assert store.held(large)
    after = store.put(ascii_document(10))
    assert store.held(large) is None
    assert store.held(after)


def test_what_preparing_added_counts_when_the_next_document_comes():
    store = store_of(1500)
    first = store.put(ascii_document(100))
    chunk(store.get(first), CHARACTER)
    assert store.get(first).nbytes > 1500
    store.put(ascii_document(100))
    assert store.held(first) is None


def test_the_bound_holds_while_documents_are_only_read():
    """A visitor may put many documents first and chunk them afterwards, one by one, over the channel."""
    store = store_of(20_000)
    keys = [store.put(ascii_document(500)) for _ in range(30)]
    used = []
    for prepared in filter(None, map(store.get, keys)):
        chunk(prepared, CHARACTER)
        used.append(weakref.ref(prepared))
    del prepared
    store.get(keys[-1])
    gc.collect()
    held = [prepared for prepared in (one() for one in used) if prepared is not None]
    assert sum(prepared.nbytes for prepared in held) <= 20_000 + held[-1].nbytes


def test_dropped_documents_are_forgotten_and_others_are_not():
    store = store_of(10**6)
    first, second, third = (store.put(ascii_document()) for _ in range(3))
    store.drop([first, third, "never there"])
    assert [store.get(key) is not None for key in (first, second, third)] == [False, True, False]


def test_a_document_comes_back_under_the_key_it_had():
    store = store_of(150)
    document = ascii_document()
    key = store.put(document)
    store.put(ascii_document())
    assert store.get(key) is None
    assert store.put(document, key) == key
    assert store.get(key).document is document


# --- bundled documents -------------------------------------------------------------------------------------------


def test_bundled_documents_are_those_in_the_folder_that_have_a_reader():
    files = [path.name for path in SAMPLES.iterdir() if not path.name.endswith(".questions.jsonl")]
    assert sample_names() == tuple(sorted(files))
    assert len(sample_names()) == 13
    assert {PurePath(name).suffix for name in sample_names()} == {
        ".csv", ".docx", ".html", ".jsonl", ".md", ".pdf", ".py", ".txt",
    }  # fmt: skip


@pytest.mark.parametrize("name", sample_names())
def test_a_bundled_document_is_what_its_reader_makes_of_it(name):
    document = Store().get(name).document
    assert document == read(SAMPLES / name)
    assert document.title == name
    assert len(document) > 4000
    if PurePath(name).suffix in (".csv", ".jsonl", ".md", ".py", ".txt"):
        assert document.text == (SAMPLES / name).read_bytes().decode("utf-8")


def test_labelled_questions_and_what_has_no_reader_are_no_documents(monkeypatch, tmp_path):
    for name in ("a.md", "a.questions.jsonl", "b.jsonl", "c.png", "README", ".hidden", "d.MD", "questions.jsonl"):
        (tmp_path / name).write_text("{}")
    monkeypatch.setattr(store_module, "SAMPLES", tmp_path)
    sample_names.cache_clear()
    try:
        found = sample_names()
        with pytest.raises(KeyError):
            read_sample("a.questions.jsonl")
    finally:
        sample_names.cache_clear()
    assert found == ("a.md", "b.jsonl", "questions.jsonl")


def test_a_bundled_document_is_read_again_after_it_was_dropped():
    reads = []

    def sample(name: str) -> Document:
        reads.append(name)
        return read_sample(name)

    store = Store(sample=sample)
    first, second = sample_names()[:2]
    text = store.get(first).document.text
    store.get(first)
    assert reads == [first]
    store.drop([first])
    assert store.held(first) is None
    assert store.get(first).document.text == text
    store.get(second)
    assert reads == [first, first, second]


def test_a_bundled_document_that_had_to_go_is_read_again():
    store = Store(1)
    first, second = sample_names()[:2]
    for name in (first, second, first, second):
        assert store.get(name).document.title == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../README.md",
        "../app.py",
        "../sample_docs/company-handbook.md",
        "./company-handbook.md",
        "company-handbook.md/../../app.py",
        "company-handbook.md/",
        "company-handbook.md\0",
        "Company-Handbook.md",
        "company-handbook",
        "/etc/passwd",
        str(SAMPLES / "company-handbook.md"),
        "..%2Fapp.py",
        "\ud800",
        "x" * 100_000,
    ],
)
def test_no_name_reaches_another_file(name):
    with pytest.raises(KeyError):
        read_sample(name)
    assert Store().get(name) is None


# --- keys --------------------------------------------------------------------------------------------------------


def test_keys_cannot_be_guessed():
    keys = [new_key() for _ in range(2000)]
    assert len(set(keys)) == 2000
    alphabet = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    for key in keys:
        assert len(key) == 32  # 192 bits at 6 bits a character
        assert set(key) <= alphabet
    # Every place takes nearly every value, and neighbours agree in no more places than chance makes them.
    assert all(len({key[place] for key in keys}) >= 60 for place in range(32))
    agreeing = [sum(a == b for a, b in zip(one, other, strict=True)) for one, other in pairwise(keys)]
    assert max(agreeing) <= 8


def test_the_same_document_gets_another_key_each_time():
    store = store_of(10**6)
    document = ascii_document()
    assert len({store.put(document) for _ in range(100)}) == 100


# --- threads -----------------------------------------------------------------------------------------------------


def test_threads_may_share_a_store():
    store = Store(30_000)
    texts = {number: f"document {number}. " * 20 for number in range(8)}
    faults: list[BaseException] = []
    start = threading.Barrier(8)

    def work(number: int) -> None:
        try:
            start.wait()
            document = Document.from_text(texts[number])
            key = store.put(document)
            for turn in range(60):
                store.put(document, key)
                found = store.get(key)
                assert found is None or found.document.text == texts[number]
                chunk(found or document, CHARACTER)
                if turn % 20 == 19:
                    store.drop([key])
        except BaseException as fault:  # noqa: BLE001 - a thread has no other way to tell
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []


def test_a_bundled_document_is_found_whatever_another_thread_puts_meanwhile():
    """It is read, then looked up: what is put in between must not push it out."""

    class Crowded(Store):
        def put(self, document: Document, key: str | None = None) -> str:
            key = super().put(document, key)
            super().put(ascii_document())  # another thread was quicker
            return key

    name = sample_names()[0]
    assert Crowded(1).get(name).document.title == name


def test_nobody_waits_for_a_document_that_another_visitor_prepares(monkeypatch):
    """Preparing ten megabytes takes seconds; the store is asked on the loop that serves every visitor."""
    preparing, go_on = threading.Event(), threading.Event()
    original = prepared_module.token_ruler

    def slow(*args):
        preparing.set()
        assert go_on.wait(60)
        return original(*args)

    monkeypatch.setattr(prepared_module, "token_ruler", slow)
    store = store_of(10**6)
    large, other = store.put(ascii_document()), store.put(ascii_document())
    prepared = store.get(large)
    visitors = [
        threading.Thread(target=lambda: prepared.ruler("token", "cl100k_base")),
        threading.Thread(target=lambda: store.put(ascii_document())),
        threading.Thread(target=lambda: store.get(other)),
        threading.Thread(target=lambda: store.get(large)),
    ]
    visitors[0].start()
    assert preparing.wait(60)
    for visitor in visitors[1:]:
        visitor.start()
        visitor.join(5)
    waiting = [visitor.is_alive() for visitor in visitors[1:]]
    go_on.set()
    for visitor in visitors:
        visitor.join()
    assert waiting == [False, False, False]
