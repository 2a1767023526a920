"""The command line: every option, every exit code, what it writes and what it leaves behind."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pyarrow.parquet as pq
import pytest

from playground import ChunkingConfig, chunk, read
from playground.cli import main
from playground.cli.options import parser
from playground.cli.work import COLUMNS, as_table
from playground.core.separators import PRESETS
from playground.export.files import EXPORTS
from playground.export.records import records

OK, FAILED, USAGE = 0, 1, 2
TEXT = """# Purchases

Ask first. Then buy what you need, and keep the receipt. Lunch is paid.

## Refunds

Refunds take 14 days. Contractors wait for the end of the month. Nobody waits longer.
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A document in a folder of its own, which is where the command runs."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "handbook.md"
    path.write_text(TEXT)
    return path


def expected(path, **settings):
    """The records of a file in the folder where the command runs, or of one whose path was given with a folder."""
    document = read(path)
    sourced = replace(document, metadata={"source": str(path), **document.metadata})
    return list(records([chunk(sourced, ChunkingConfig(**settings))]))


def written(path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


# --- options -----------------------------------------------------------------------------------------------------

OPTIONS = [
    ((), {}),
    (("--mode", "sentence"), {"mode": "sentence"}),
    (("--unit", "word", "--size", "9"), {"unit": "word", "size": 9}),
    (("--size", "20", "--overlap", "3"), {"size": 20, "overlap": 3}),
    (("--size", "20", "--overlap", "15%"), {"size": 20, "overlap": 3}),
    (("--size", "20", "--overlap", "0%"), {"size": 20, "overlap": 0}),
    (("--size", "19", "--overlap", "50%"), {"size": 19, "overlap": 9}),
    (("--size", "20", "--tokenizer", "r50k_base"), {"size": 20, "tokenizer": "r50k_base"}),
    (("--size", "20", "--tail", "keep"), {"size": 20, "tail": "keep"}),
    (("--size", "20", "--tail", "merge", "--min-size", "9"), {"size": 20, "tail": "merge", "min_size": 9}),
    (("--size", "9", "--parent-size", "30"), {"size": 9, "parent_size": 30}),
    (("--size", "9", "--overlap", "4", "--snap", "word"), {"size": 9, "overlap": 4, "snap": "word"}),
    (("--mode", "recursive", "--size", "9", "--separators", "markdown"),
     {"mode": "recursive", "size": 9, "separators": PRESETS["markdown"]}),
    (("--mode", "recursive", "--size", "9", "--separators", r"\n\n|. |\s"),
     {"mode": "recursive", "size": 9, "separators": ("\n\n", ". ", " ")}),
    (("--mode", "structure", "--size", "20", "--form", "plain"), {"mode": "structure", "size": 20, "form": "plain"}),
    (("--mode", "structure", "--size", "20", "--no-context"), {"mode": "structure", "size": 20, "context": False}),
    (("--mode", "structure", "--boilerplate", "leave out"), {"mode": "structure", "boilerplate": "leave out"}),
    (("--mode", "semantic", "--threshold", "deviation"), {"mode": "semantic", "threshold": "deviation"}),
    (("--mode", "semantic", "--threshold", "absolute", "--amount", "-0.25", "--window", "2"),
     {"mode": "semantic", "threshold": "absolute", "amount": -0.25, "window": 2}),
]  # fmt: skip


@pytest.mark.parametrize(("options", "settings"), OPTIONS, ids=[" ".join(options) for options, _ in OPTIONS])
def test_an_option_is_the_setting_of_its_name(file, options, settings):
    assert main([str(file), *options, "--out", "chunks.jsonl", "--quiet"]) == OK
    assert written(Path("chunks.jsonl")) == expected(file, **settings)


def test_every_option_is_tried_above():
    tried = {word for options, _ in OPTIONS for word in options if word.startswith("--")}
    known = {word for action in parser()._actions for word in action.option_strings if word.startswith("--")}
    assert known - tried == {"--help", "--out", "--format", "--quiet"}


def test_every_setting_of_the_core_has_an_option():
    known = {action.dest for action in parser()._actions}
    names = {"no_context" if name == "context" else name for name in ChunkingConfig().as_dict()}
    assert names <= known


# --- exit codes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--size", "0"), "size is 0"),
        (("--size", "10", "--overlap", "10"), "must be smaller than the size"),
        (("--size", "10", "--overlap", "100%"), "must be smaller than the size"),
        (("--overlap", "-1"), "overlap is -1"),
        (("--overlap", "x"), "overlap is 'x'"),
        (("--overlap", "%"), "overlap is '%'"),
        (("--overlap", "1.5"), "overlap is '1.5'"),
        (("--size", "10", "--parent-size", "5"), "parent_size is 5"),
        (("--amount", "101"), "amount is 101"),
        (("--amount", "nan"), "amount is nan"),
        (("--window", "0"), "window is 0"),
        (("--separators", "x" * 61), "separators holds"),
        (("--out", "chunks.xlsx"), "not known from its extension"),
        (("--out", "chunks"), "--format"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, tuple) else "",
)
def test_a_command_without_sense_is_told_why_and_writes_nothing(file, capsys, options, said):
    assert main([str(file), *options]) == USAGE
    out, err = capsys.readouterr()
    assert err.startswith("error: ")
    assert said in err
    assert err.count("\n") == 1
    assert out == ""
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize(
    "options", [(), ("a.md", "--mode", "x"), ("a.md", "--size", "x"), ("a.md", "--format", "x"), ("a.md", "--odd")]
)
def test_what_the_parser_refuses_ends_with_two(file, capsys, options):
    with pytest.raises(SystemExit) as end:
        main(list(options))
    assert end.value.code == USAGE
    assert "usage: python -m playground" in capsys.readouterr().err


def test_help_says_the_exit_codes(capsys):
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == OK
    out = " ".join(capsys.readouterr().out.split())
    assert "Exit codes: 0 all went well, 1 a file could not be read or written, 2 the command made no sense." in out
    assert "such as 15%" in out


def test_of_several_files_the_readable_ones_are_chunked(file, capsys):
    Path("picture.txt").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(300))
    Path("second.txt").write_text("A second text.")
    names = ["gone.txt", "handbook.md", "picture.txt", ".", "second.txt"]
    assert main([*names, "--out", "chunks.jsonl"]) == FAILED
    out, err = capsys.readouterr()
    assert written(Path("chunks.jsonl")) == expected("handbook.md") + expected("second.txt")
    assert "error: gone.txt: No such file or directory." in err
    assert "error: picture.txt looks like a PNG image" in err
    assert "error: .: Is a directory." in err
    assert [line.split()[0] for line in out.splitlines()] == ["document", "handbook.md", "second.txt"]


def test_where_no_file_can_be_read_there_is_no_table(file, capsys):
    assert main(["gone.txt"]) == FAILED
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("out", ["missing/chunks.jsonl", "folder.jsonl"])
def test_an_output_that_cannot_be_written_is_told_and_leaves_nothing(file, capsys, out):
    Path("folder.jsonl").mkdir()
    before = sorted(file.parent.rglob("*"))
    assert main([str(file), "--out", out]) == FAILED
    assert f"error: {out} could not be written: " in capsys.readouterr().err
    assert sorted(file.parent.rglob("*")) == before


def test_a_file_that_was_there_stays_until_the_new_one_is_whole(file, monkeypatch):
    Path("chunks.jsonl").write_text("the old one")

    def broken(found, out):
        out.write(b"half a rec")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("playground.cli.work.EXPORTS", {"jsonl": SimpleNamespace(write=broken)})
    assert main([str(file), "--out", "chunks.jsonl"]) == FAILED
    assert Path("chunks.jsonl").read_text() == "the old one"
    assert sorted(path.name for path in file.parent.iterdir()) == ["chunks.jsonl", "handbook.md"]


def test_a_fault_of_ours_leaves_no_partial_file_either(file, monkeypatch):
    def broken(found, out):
        raise RuntimeError("a fault")

    monkeypatch.setattr("playground.cli.work.EXPORTS", {"jsonl": SimpleNamespace(write=broken)})
    with pytest.raises(RuntimeError, match="a fault"):
        main([str(file), "--out", "chunks.jsonl"])
    assert list(file.parent.iterdir()) == [file]


# --- what is written ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXPORTS)
@pytest.mark.parametrize("case", [str, str.upper])
def test_the_extension_says_the_format(file, name, case):
    out = Path(f"chunks{case(EXPORTS[name].extension)}")
    assert main([str(file), "--size", "20", "--out", str(out), "--quiet"]) == OK
    wanted = io.BytesIO()
    EXPORTS[name].write(expected(file, size=20), wanted)
    if name == "parquet":
        assert pq.read_table(out).equals(pq.read_table(io.BytesIO(wanted.getvalue())))
    else:
        assert out.read_bytes() == wanted.getvalue()


@pytest.mark.parametrize("name", EXPORTS)
def test_a_format_that_is_named_wins_over_the_extension(file, name):
    assert main([str(file), "--out", "chunks.odd", "--format", name, "--quiet"]) == OK
    assert main([str(file), "--out", f"chunks{EXPORTS[name].extension}", "--quiet"]) == OK
    assert Path("chunks.odd").read_bytes() == Path(f"chunks{EXPORTS[name].extension}").read_bytes()


NOTES = ("north/notes.md", "south/notes.md")


@pytest.fixture
def notes(file):
    """Two files of one name in two folders."""
    for name in NOTES:
        path = file.parent / name
        path.parent.mkdir()
        path.write_text(f"# Notes\n\nWhat was seen in the {path.parent.name}.\n")
    return file.parent


@pytest.mark.parametrize("form", EXPORTS)
def test_files_of_one_name_in_several_folders_are_several_documents(notes, form):
    assert main([*NOTES, "--mode", "sentence", "--size", "5", "--out", "chunks.x", "--format", form, "--quiet"]) == OK
    assert main([*NOTES, "--mode", "sentence", "--size", "5", "--out", "chunks.jsonl", "--quiet"]) == OK
    found = written(Path("chunks.jsonl"))
    assert found == [one for name in NOTES for one in expected(name, mode="sentence", size=5)]
    assert len({one["id"] for one in found}) == len(found) > 2
    assert len({one["metadata"]["document_id"] for one in found}) == 2
    assert {one["metadata"]["source"] for one in found} == set(NOTES)
    assert {one["metadata"]["title"] for one in found} == {"notes.md"}
    if form == "llamaindex":
        assert list(json.loads(Path("chunks.x").read_text())["docstore/data"]) == [one["id"] for one in found]


def test_a_file_in_the_folder_itself_has_the_id_of_its_name(file):
    for name in ("handbook.md", "./handbook.md"):
        assert main([name, "--out", "chunks.jsonl", "--quiet"]) == OK
        (one,) = written(Path("chunks.jsonl"))
        assert (one["metadata"]["source"], one["metadata"]["document_id"]) == ("handbook.md", read("handbook.md").id)


def test_a_source_that_the_document_names_itself_stays(file):
    Path("own.md").write_text("---\nsource: the intranet\nowner: all\n---\nWords.\n")
    assert main(["own.md", "--out", "chunks.jsonl", "--quiet"]) == OK
    (one,) = written(Path("chunks.jsonl"))
    assert (one["metadata"]["source"], one["metadata"]["owner"]) == ("the intranet", "all")


def test_a_name_that_is_no_text_is_no_hindrance(file):
    name = os.fsdecode(b"caf\xe9.txt")
    Path(name).write_text("Words.")
    assert main([name, "--out", "chunks.jsonl", "--quiet"]) == OK
    (one,) = written(Path("chunks.jsonl"))
    assert one["metadata"]["source"] == "caf\N{REPLACEMENT CHARACTER}.txt"


@pytest.mark.parametrize("form", EXPORTS)
def test_documents_that_name_one_source_fit_into_one_file_unless_it_goes_by_ids(notes, capsys, form):
    for name in NOTES:
        (notes / name).write_text(f"---\nsource: {'s' * 40}\n---\n{name}: words.\n")
    code = main([*NOTES, "--out", "chunks.x", "--format", form])
    out, err = capsys.readouterr()
    assert code == (FAILED if EXPORTS[form].by_id else OK)
    assert Path("chunks.x").exists() is (code == OK)
    assert not Path("chunks.x.partial").exists()
    if code == FAILED:
        assert out == ""
        assert err.startswith("error: chunks.x was not written. Two different chunks have the id ")
        assert err.endswith(": export their documents one by one.\n")


def test_one_file_named_twice_clashes_with_nothing(file):
    assert main([str(file), str(file), "--out", "chunks.llamaindex.json", "--quiet"]) == OK


def test_standard_input_is_read_as_text(file, monkeypatch, capsys):
    monkeypatch.setattr(
        sys, "stdin", SimpleNamespace(buffer=io.BytesIO("Où est l’été ? “Voilà”, un café à 3 €.".encode("cp1252")))
    )
    assert main(["-", "--out", "chunks.jsonl"]) == OK
    (one,) = written(Path("chunks.jsonl"))
    assert one["text"] == "Où est l’été ? “Voilà”, un café à 3 €."
    assert one["metadata"]["title"] == "stdin.txt"
    assert "stdin.txt: Read as Windows-1252" in capsys.readouterr().err


def test_the_table_holds_the_statistics(file, capsys):
    Path("empty.txt").write_text("")
    assert main([str(file), "empty.txt", "--unit", "word", "--size", "10", "--overlap", "2"]) == OK
    out = capsys.readouterr().out
    head, first, second = out.splitlines()
    assert tuple(head.split()) == COLUMNS
    chunking = chunk(read(file), ChunkingConfig(unit="word", size=10, overlap=2))
    row = first.split()
    assert row[:2] == ["handbook.md", str(len(chunking))]
    assert (row[2], row[4], row[5]) == (str(chunking.sizes.min()), "10", "0")
    assert row[-1].endswith("%")
    assert float(row[-1][:-1]) > 0
    assert second.split() == ["empty.txt", "0", "0", "0", "0", "0", "0", "0", "0.0%"]
    assert first[: head.index("chunks") + len("chunks")].endswith(str(len(chunking)))


def test_quiet_says_nothing_but_errors(file, capsys):
    Path("empty.txt").write_text("")
    assert main([str(file), "empty.txt", "gone.txt", "--quiet"]) == FAILED
    out, err = capsys.readouterr()
    assert (out, err) == ("", "error: gone.txt: No such file or directory.\n")


class Terminal(io.StringIO):
    """Where a progress bar is drawn."""

    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("options", "words", "shown"),
    [((), 1000, {"file", "chunk"}), ((), 999, {"file"}), (("--quiet",), 1000, set()), (("--quiet",), 5000, set())],
)
def test_a_terminal_has_bars_over_files_and_many_chunks_unless_quiet(file, monkeypatch, options, words, shown):
    Path("long.txt").write_text("word " * words)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    settings = ("--mode", "fixed", "--unit", "word", "--size", "1", "--overlap", "0")
    assert main(["long.txt", *settings, "--out", "chunks.jsonl", *options]) == OK
    assert len(written(Path("chunks.jsonl"))) == words
    drawn = terminal.getvalue()
    assert {unit for unit in ("file", "chunk") if f"{unit}/s" in drawn or f"s/{unit}" in drawn} == shown
    assert bool(drawn) is bool(shown)
    assert ("long.txt" in drawn) is ("chunk" in shown)


def test_without_an_output_only_the_table_is_made(file, capsys):
    assert main([str(file)]) == OK
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert list(file.parent.iterdir()) == [file]


def test_columns_are_as_wide_as_their_widest_cell():
    assert as_table(("name", "n"), [("a", "1,000"), ("longer name", "2")]) == (
        "name             n\na            1,000\nlonger name      2"
    )


def test_the_module_runs_and_passes_its_exit_code_on(file):
    run = [sys.executable, "-m", "playground", str(file), "--size", "0"]
    root = Path(__file__).parents[1]
    found = subprocess.run(run, cwd=root, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (USAGE, "")
    assert found.stderr == "error: size is 0; it must be at least 1.\n"
