"""Sets of questions as files: JSON Lines, which is the format of the bundled ones, and CSV, for a spreadsheet.

A file is anyone's: whatever it holds, the answer is questions or an error that names the line.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from playground.retrieval.decoding import decoded
from playground.retrieval.question import Question, QuestionError, Reference, shown

MOST_BYTES = 20_000_000
MOST_QUESTIONS = 20_000
COLUMNS = ("number", "question", "start", "end", "quote", "tag", "demo", "document_sha256")
GUARDED = "guarded"
_NEEDED = ("question", "start", "end")
_FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")
# Legal in JSON, and a line end to some readers of lines.
_LINE_ENDS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


# --- JSON Lines ------------------------------------------------------------------------------------------------


def write_jsonl(questions: Iterable[Question]) -> str:
    """One question a line, each line ended; everything reads back exactly."""
    lines = (json.dumps(one.as_dict(), ensure_ascii=False).translate(_LINE_ENDS) for one in questions)
    return "".join(f"{line}\n" for line in lines)


def read_jsonl(data: str | bytes) -> list[Question]:
    """The questions of a JSON Lines file; empty lines are passed over. Raises QuestionError."""
    lines = decoded(data, MOST_BYTES, QuestionError).split("\n")
    found = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
    return _bounded((number, partial(_from_json, line)) for number, line in found)


def _from_json(line: str) -> Question:
    """The question of one line."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "too deep, or a number too long"
        raise QuestionError(f"this is no JSON ({reason}).") from None
    if not isinstance(found, Mapping):
        raise QuestionError(f"this is {shown(found)}; it must be an object with a question and its references.")
    references = found.get("references")
    if not isinstance(references, list):
        raise QuestionError(f"references is {shown(references)}; it must be a list of spans.")
    return Question(
        question=found.get("question", ""),
        references=tuple(_reference(one) for one in references),
        tag=found.get("tag", ""),
        demo=found.get("demo", False),
        document_sha256=found.get("document_sha256", ""),
    )


def _reference(found: object) -> Reference:
    if not isinstance(found, Mapping):
        raise QuestionError(f"a reference is {shown(found)}; it must be an object with start, end and quote.")
    return Reference(found.get("start", None), found.get("end", None), found.get("quote", ""))


# --- CSV -------------------------------------------------------------------------------------------------------


def write_csv(questions: Iterable[Question]) -> str:
    """One row a reference under `COLUMNS`; the rows of a question have the same number.

    A cell that a spreadsheet would run as a formula gets an apostrophe in front, and the last column, `guarded`, names
    the cells of the row that did (separated by a space), so that everything reads back exactly.
    """
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    table.writerow([*COLUMNS, GUARDED])
    for number, one in enumerate(questions, start=1):
        for span in one.references:
            values = (number, one.question, span.start, span.end, span.quote, one.tag, _yes(one.demo))
            cells: dict[str, Any] = dict(zip(COLUMNS, (*values, one.document_sha256), strict=True))
            risky = [name for name, cell in cells.items() if isinstance(cell, str) and cell.startswith(_FORMULA_STARTS)]
            cells.update({name: f"'{cells[name]}" for name in risky})
            table.writerow([*cells.values(), " ".join(risky)])
    return out.getvalue()


def read_csv(data: str | bytes) -> list[Question]:
    """The questions of a CSV file with a header: `question`, `start` and `end` at least, in any order.

    Rows that follow one another with the same `number` are one question with several references; without that column
    each row is a question. Raises QuestionError.
    """
    text = decoded(data, MOST_BYTES, QuestionError)
    return _bounded((line, partial(_from_rows, rows)) for line, rows in _grouped(_rows(text)))


def _rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows by the names of their columns, and the line where each ends."""
    table = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] | None = None
    while True:
        try:
            row = next(table, None)
        except csv.Error as error:
            raise QuestionError(f"Line {table.line_num}: this is no CSV ({error}).") from None
        if row is None:
            return
        if header is None:
            header = _header(row)
        elif any(cell.strip() for cell in row):
            if len(row) != len(header):
                raise QuestionError(f"Line {table.line_num}: {len(row)} cells under {len(header)} columns.")
            yield table.line_num, _unguarded(dict(zip(header, row, strict=True)))


def _header(row: Sequence[str]) -> list[str]:
    names = [name.strip().lower() for name in row]
    missing = [name for name in _NEEDED if name not in names]
    if missing or len(set(names)) < len(names):
        what = f"lacks {', '.join(missing)}" if missing else "names a column twice"
        raise QuestionError(f"Line 1: the header {what}; it may name {', '.join(COLUMNS)}.")
    return names


def _unguarded(row: dict[str, str]) -> dict[str, str]:
    guarded = row.get(GUARDED, "").split()
    return {name: cell[1:] if name in guarded and cell.startswith("'") else cell for name, cell in row.items()}


def _grouped(rows: Iterable[tuple[int, dict[str, str]]]) -> Iterator[tuple[int, list[dict[str, str]]]]:
    """The rows of one question each, with the line where the first one ends."""
    line, group = 0, list[dict[str, str]]()
    for at, row in rows:
        if group and row.get("number", "").strip() and row["number"] == group[0]["number"]:
            group.append(row)
            continue
        if group:
            yield line, group
        line, group = at, [row]
    if group:
        yield line, group


def _from_rows(rows: Sequence[Mapping[str, str]]) -> Question:
    """The question of rows with the same number."""
    first = rows[0]
    for name in ("question", "tag", "demo", "document_sha256"):
        if any(row.get(name) != first.get(name) for row in rows):
            raise QuestionError(f"the rows of number {shown(first.get('number'))} differ in {name}.")
    return Question(
        question=first["question"],
        references=tuple(
            Reference(_whole(row["start"], "start"), _whole(row["end"], "end"), row.get("quote", "")) for row in rows
        ),
        tag=first.get("tag", ""),
        demo=_truth(first.get("demo", "")),
        document_sha256=first.get("document_sha256", ""),
    )


# --- both ------------------------------------------------------------------------------------------------------


def _bounded(made: Iterable[tuple[int, Callable[[], Question]]]) -> list[Question]:
    """All questions, each error with its line before it."""
    questions: list[Question] = []
    for line, make in made:
        if len(questions) == MOST_QUESTIONS:
            raise QuestionError(f"Line {line}: there may be at most {MOST_QUESTIONS:,} questions.")
        try:
            questions.append(make())
        except QuestionError as error:
            raise QuestionError(f"Line {line}: {error}") from None
    return questions


def _whole(cell: str, name: str) -> int:
    if not (cell.strip().isascii() and cell.strip().isdigit() and len(cell) < 20):
        raise QuestionError(f"{name} is {shown(cell)}; it must be a whole number.")
    return int(cell)


def _truth(cell: str) -> bool:
    known = {"": False, "false": False, "no": False, "0": False, "true": True, "yes": True, "1": True}
    if cell.strip().lower() not in known:
        raise QuestionError(f"demo is {shown(cell)}; it must be true or false.")
    return known[cell.strip().lower()]


def _yes(value: bool) -> str:
    return "true" if value else "false"
