"""Fetch the shipped resources again: `python -m playground.resources.refresh`.

Takes the rank files from the npm package and the Punkt parameters from the Python wheel that carry them, both
pinned, with the ordinary clients `npm` and `pip`. Every file is checked before any is written.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from playground.resources import PUNKT, RANK_FILES, RANKS, check

NPM_PACKAGE = "gpt-tokenizer@4.0.0"
WHEEL = "llama-index-core==0.14.25"
PUNKT_FOLDER = "llama_index/core/_static/nltk_cache/tokenizers/punkt_tab/english"
PUNKT_FILES = ("abbrev_types.txt", "collocations.tab", "ortho_context.tab", "sent_starters.txt")


def fetch_ranks(folder: Path) -> dict[Path, bytes]:
    """Download the npm package into `folder`; return the rank files' bytes by where each belongs."""
    subprocess.run(["npm", "pack", NPM_PACKAGE, "--pack-destination", str(folder)], check=True, cwd=folder)
    return read_ranks(next(folder.glob("*.tgz")))


def fetch_punkt(folder: Path) -> dict[Path, bytes]:
    """Download the wheel into `folder`; return the Punkt files' bytes by where each belongs."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", str(folder), WHEEL]
    subprocess.run(command, check=True)
    return read_punkt(next(folder.glob("*.whl")))


def read_ranks(archive: Path) -> dict[Path, bytes]:
    """Return the rank files inside an npm tarball, by where each belongs; raise KeyError if one is missing."""
    with tarfile.open(archive) as package:
        found: dict[Path, bytes] = {}
        for name, file_name in RANK_FILES.items():
            member = package.extractfile(f"package/data/{name}.tiktoken")
            if member is None:
                raise KeyError(f"{archive.name} holds no file {name}.tiktoken")
            found[RANKS / file_name] = member.read()
        return found


def read_punkt(wheel: Path) -> dict[Path, bytes]:
    """Return the English Punkt files inside a wheel, by where each belongs; raise KeyError if one is missing."""
    with zipfile.ZipFile(wheel) as package:
        return {PUNKT / name: package.read(f"{PUNKT_FOLDER}/{name}") for name in PUNKT_FILES}


def install(files: Mapping[Path, bytes]) -> None:
    """Check all `files` by name and then write them; raise ResourceError, having written nothing, if one is wrong."""
    for path, data in files.items():
        check(path.name, data, "nothing was written; does the package's version still carry the same file?")
    for path, data in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def main() -> None:
    """Fetch, check and write every file, and say which."""
    with tempfile.TemporaryDirectory() as folder:
        files = {**fetch_ranks(Path(folder)), **fetch_punkt(Path(folder))}
    install(files)
    for path, data in files.items():
        print(f"{path.parent.name}/{path.name}  {len(data):,} bytes")


if __name__ == "__main__":
    main()
