"""What files of questions and of runs have in common: text in UTF-8 that is not endless, and cells of any length."""

from __future__ import annotations

import csv

# A file is bounded as a whole. A long quote, or the documents of a run, are one cell; csv stops at 131,072 characters.
csv.field_size_limit(2**31 - 1)


def decoded(data: str | bytes, most: int, error: type[ValueError]) -> str:
    """The text of a file of at most `most` bytes, without the mark that some programs put first; else `error`."""
    if len(data) > most:
        raise error(f"The file has {len(data):,} bytes; it may have at most {most:,}.")
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as broken:
        line = data.count(b"\n", 0, broken.start) + 1
        raise error(f"Line {line}: this is not UTF-8; save the file as UTF-8.") from None
