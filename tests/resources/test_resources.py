"""The shipped resources: no network, checked bytes, clear errors, and a refresh that refuses a wrong file."""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import shutil
import socket
import tarfile
import threading
import zipfile
from io import BytesIO

import pytest
import tiktoken.registry
import tiktoken_ext.openai_public

from playground import resources
from playground.resources import TOKENIZERS, ResourceError, encoding, punkt_parameters, refresh

SAMPLE = "Zażółć gęślą jaźń — 食べ物, 👩‍👩‍👧‍👦 and <|endoftext|>.\r\n\tdef f(x): return x  \n"


@pytest.fixture
def fresh(monkeypatch):
    """Nothing loaded yet, and any attempt to open a socket fails."""

    def refuse(*_args, **_kwargs):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(resources, "_loaded", {})
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})


@pytest.fixture
def copied(fresh, monkeypatch, tmp_path):
    """A private copy of the files, free to be damaged."""
    for attribute in ("RANKS", "PUNKT"):
        target = tmp_path / attribute.lower()
        shutil.copytree(getattr(resources, attribute), target)
        monkeypatch.setattr(resources, attribute, target)
    return tmp_path


@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize("directory", [None, "", "/nowhere/at/all"])
def test_loads_without_network_and_leaves_the_environment_alone(fresh, monkeypatch, name, directory):
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    if directory is not None:
        monkeypatch.setenv("TIKTOKEN_CACHE_DIR", directory)
    before = dict(os.environ)
    loaded = encoding(name)
    assert loaded.name == name
    assert loaded.decode(loaded.encode_ordinary(SAMPLE)) == SAMPLE
    assert dict(os.environ) == before


@pytest.mark.parametrize(
    ("name", "ids", "size"),
    [
        ("cl100k_base", [15339, 1917], 100277),
        ("o200k_base", [24912, 2375], 200019),
        ("r50k_base", [31373, 995], 50257),
    ],
)
def test_published_ids(name, ids, size):
    assert encoding(name).encode_ordinary("hello world") == ids
    assert encoding(name).n_vocab == size


def test_names_and_hashes_are_those_of_the_installed_tiktoken():
    for name in TOKENIZERS:
        source = inspect.getsource(tiktoken_ext.openai_public.ENCODING_CONSTRUCTORS[name])
        address = re.search(r'"(https://[^"]+)"', source)[1]
        file_name = hashlib.sha1(address.encode()).hexdigest()
        assert resources.RANK_FILES[name] == file_name
        assert resources.SHA256[file_name] == re.search(r'expected_hash="(\w+)"', source)[1]


def test_every_shipped_file_is_recorded_and_right():
    found = {path.name: path for folder in (resources.RANKS, resources.PUNKT) for path in folder.iterdir()}
    assert set(found) == set(resources.SHA256)
    readme = (resources.RANKS.parent / "README.md").read_text(encoding="utf-8")
    for name, path in found.items():
        assert hashlib.sha256(path.read_bytes()).hexdigest() == resources.SHA256[name]
        assert f"{name}`" in readme
        assert resources.SHA256[name] in readme


def test_unknown_name(fresh):
    with pytest.raises(ValueError, match=r"'gpt2'.*cl100k_base, o200k_base, r50k_base"):
        encoding("gpt2")


def test_damaged_ranks_are_refused_and_kept(copied):
    path = resources.RANKS / resources.RANK_FILES["r50k_base"]
    damaged = path.read_bytes().replace(b"\n", b"\r\n")
    path.write_bytes(damaged)
    with pytest.raises(ResourceError, match=rf"{path.name} has SHA-256 .* was expected: restore it"):
        encoding("r50k_base")
    assert path.read_bytes() == damaged
    assert encoding("cl100k_base").name == "cl100k_base"


def test_missing_ranks(copied):
    (resources.RANKS / resources.RANK_FILES["o200k_base"]).unlink()
    with pytest.raises(ResourceError, match="cannot be read"):
        encoding("o200k_base")


@pytest.mark.parametrize("name", refresh.PUNKT_FILES)
def test_damaged_punkt_file_is_refused(copied, name):
    with (resources.PUNKT / name).open("ab") as file:
        file.write(b"\n")
    with pytest.raises(ResourceError, match=f"{name} has SHA-256"):
        punkt_parameters()


def test_one_object_for_all_threads(fresh):
    found: list[tiktoken.Encoding] = []
    threads = [threading.Thread(target=lambda: found.append(encoding("r50k_base"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len({id(one) for one in found}) == 1


def test_punkt_parameters(copied):
    for path in resources.PUNKT.iterdir():
        path.chmod(0o664)
    parameters = punkt_parameters()
    assert len(parameters.abbrev_types) == 156
    assert {"dr", "u.s", "a.m"} <= parameters.abbrev_types
    assert len(parameters.sent_starters) == 39
    assert ("j", "walter") in parameters.collocations
    assert len(parameters.collocations) == 37
    assert parameters.ortho_context["the"] == 126
    parameters.abbrev_types.clear()
    assert punkt_parameters().abbrev_types


def _tarball(path, contents):
    with tarfile.open(path, "w:gz") as archive:
        for name, data in contents.items():
            entry = tarfile.TarInfo(f"package/data/{name}.tiktoken")
            entry.size = len(data)
            archive.addfile(entry, BytesIO(data))


def test_refresh_writes_right_files_and_refuses_wrong_ones(monkeypatch, tmp_path):
    genuine = {name: (resources.RANKS / file).read_bytes() for name, file in resources.RANK_FILES.items()}
    monkeypatch.setattr(refresh, "RANKS", tmp_path / "ranks")
    _tarball(tmp_path / "wrong.tgz", {**genuine, "r50k_base": b"IQ== 0\n"})
    with pytest.raises(ResourceError, match="nothing was written"):
        refresh.install(refresh.read_ranks(tmp_path / "wrong.tgz"))
    assert not (tmp_path / "ranks").exists()
    _tarball(tmp_path / "right.tgz", genuine)
    refresh.install(refresh.read_ranks(tmp_path / "right.tgz"))
    written = {path.name: path.read_bytes() for path in (tmp_path / "ranks").iterdir()}
    assert written == {resources.RANK_FILES[name]: data for name, data in genuine.items()}


def test_refresh_reads_punkt_from_a_wheel(monkeypatch, tmp_path):
    genuine = {name: (resources.PUNKT / name).read_bytes() for name in refresh.PUNKT_FILES}
    with zipfile.ZipFile(tmp_path / "x.whl", "w") as wheel:
        for name, data in genuine.items():
            wheel.writestr(f"{refresh.PUNKT_FOLDER}/{name}", data)
    monkeypatch.setattr(refresh, "PUNKT", tmp_path / "punkt")
    refresh.install(refresh.read_punkt(tmp_path / "x.whl"))
    assert {path.name: path.read_bytes() for path in (tmp_path / "punkt").iterdir()} == genuine
    with zipfile.ZipFile(tmp_path / "y.whl", "w") as wheel:
        wheel.writestr("empty", b"")
    with pytest.raises(KeyError):
        refresh.read_punkt(tmp_path / "y.whl")
