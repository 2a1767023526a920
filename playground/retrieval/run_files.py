"""Runs as JSON and as CSV; both read back to the run they were written from."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from itertools import groupby
from typing import Any

from playground.core.config import ChunkingConfig, ConfigError
from playground.retrieval.choice import Choice, EvaluationError
from playground.retrieval.decoding import decoded
from playground.retrieval.metrics import METRICS
from playground.retrieval.question import shown
from playground.retrieval.runs import Figure, Row, Run, RunError, Source

FORMAT = "chunking-playground run 1"
MOST_BYTES = 100_000_000
_HEAD = tuple(field.name for field in fields(Run) if field.name != "rows")
_FIGURE = tuple(field.name for field in fields(Figure))
_SHOWN = ("mode", "unit", "size", "overlap")
COLUMNS = ("row", *_SHOWN, "retriever", "chunks", *_FIGURE, "questions", "config", "run")
"""The columns of the CSV: what one looks at first, then all settings and the run's head as JSON."""


def write_json(run: Run) -> str:
    """The run as JSON, indented, one line at the end."""
    rows = [{"config": row.config.as_dict(), "chunks": row.chunks, "figures": _plain(row)} for row in run.rows]
    return json.dumps({"format": FORMAT, **_head(run), "rows": rows}, ensure_ascii=False, indent=1) + "\n"


def write_csv(run: Run) -> str:
    """One row a figure under `COLUMNS`."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    table.writerow(COLUMNS)
    head = json.dumps({"format": FORMAT, **_head(run)}, ensure_ascii=False)
    for number, row in enumerate(run.rows, start=1):
        config = row.config.as_dict()
        whole = json.dumps(config, ensure_ascii=False)
        before = (number, *(config[name] for name in _SHOWN), run.retriever, row.chunks)
        for figure in _plain(row):
            table.writerow([*before, *figure.values(), run.question_count, whole, head])
    return out.getvalue()


def read_json(data: str | bytes) -> Run:
    """The run of a JSON file. Raises RunError."""
    found = _parsed(decoded(data, MOST_BYTES, RunError))
    rows = found.get("rows")
    if not isinstance(rows, list):
        raise RunError("the file has no rows.")
    return _run(found, [_row(row) for row in rows])


def read_csv(data: str | bytes) -> Run:
    """The run of a CSV file. Raises RunError."""
    try:
        table = list(csv.DictReader(io.StringIO(decoded(data, MOST_BYTES, RunError), newline=""), strict=True))
    except csv.Error as error:
        raise RunError(f"this is no CSV ({error}).") from None
    if not table or not set(COLUMNS) <= set(table[0]):
        raise RunError("the file has not the columns of a run.")
    rows = []
    for _, group in groupby(table, key=lambda line: line["row"]):
        lines = list(group)
        numbers = [{name: _number(line[name]) for name in _FIGURE[1:]} for line in lines]
        figures = [{"metric": line["metric"], **row} for line, row in zip(lines, numbers, strict=True)]
        first = lines[0]
        rows.append(_row({"config": _parsed(first["config"]), "chunks": _number(first["chunks"]), "figures": figures}))
    return _run(_parsed(table[0]["run"]), rows)


def _head(run: Run) -> dict[str, Any]:
    return {name: getattr(run, name) for name in _HEAD} | {"documents": [asdict(one) for one in run.documents]}


def _plain(row: Row) -> list[dict[str, Any]]:
    return [asdict(figure) for figure in row.figures]


def _parsed(text: str | None) -> Mapping[str, Any]:
    try:
        found = json.loads(text or "")
    except (ValueError, RecursionError):
        raise RunError("the file holds no JSON where it should.") from None
    if not isinstance(found, Mapping):
        raise RunError(f"{shown(found)} is no run and no part of one.")
    return found


def _run(found: Mapping[str, Any], rows: list[Row]) -> Run:
    """The run of its head, each value of the kind it must be."""
    if found.get("format") != FORMAT:
        raise RunError(f"the format is {shown(found.get('format'))}; it must be {FORMAT!r}.")
    sources = _typed(found, "documents", list)
    run = Run(
        retriever=_typed(found, "retriever", str),
        ks=_wholes(found, "ks"),
        budgets=_wholes(found, "budgets"),
        with_context=_typed(found, "with_context", bool),
        measure=_typed(found, "measure", str),
        phase_count=_typed(found, "phase_count", int),
        documents=tuple(_source(one) for one in sources),
        question_count=_typed(found, "question_count", int),
        question_hash=_typed(found, "question_hash", str),
        code=_typed(found, "code", str),
        rows=tuple(rows),
    )
    if not rows or not 1 <= run.phase_count <= 1_000:
        raise RunError("the run has no rows, or no possible number of phases.")
    try:
        Choice(run.retriever, run.ks, run.budgets, run.with_context, run.measure)
    except EvaluationError as error:
        raise RunError(str(error)) from None
    return run


def _source(found: object) -> Source:
    return Source(_typed(found, "title", str), _typed(found, "version", str), _typed(found, "characters", int))


def _row(found: object) -> Row:
    settings = dict(_typed(found, "config", dict))
    known = {field.name for field in fields(ChunkingConfig)}
    if set(settings) - known:
        raise RunError(f"there is no setting {shown(min(set(settings) - known))}.")
    try:
        config = ChunkingConfig(**settings)
    except (ConfigError, TypeError) as error:
        raise RunError(str(error)) from None
    return Row(config, _typed(found, "chunks", int), tuple(_figure(one) for one in _typed(found, "figures", list)))


def _figure(found: object) -> Figure:
    metric = _typed(found, "metric", str)
    if metric not in METRICS:
        raise RunError(f"there is no metric {shown(metric)}.")
    k, budget = _typed(found, "k", int | None), _typed(found, "budget", int | None)
    values = [_typed(found, name, int | float) for name in _FIGURE[3:]]
    if not all(0 <= value <= 1 for value in values):
        raise RunError(f"a figure of {metric} does not lie between 0 and 1.")
    return Figure(metric, k, budget, *map(float, values))


def _wholes(found: Mapping[str, Any], name: str) -> tuple[int, ...]:
    values = _typed(found, name, list)
    if len(values) > 1_000 or any(isinstance(value, bool) or not isinstance(value, int) for value in values):
        raise RunError(f"{name} is {shown(values)}; it must be a list of whole numbers.")
    return tuple(values)


def _typed(found: object, name: str, kind: Any) -> Any:
    """The value of that name, if it is of that kind; true and false are no numbers."""
    if not isinstance(found, Mapping):
        raise RunError(f"{shown(found)} is no part of a run.")
    value = found.get(name)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise RunError(f"{name} is {shown(value)}, which it cannot be.")
    return value


def _number(cell: str | None) -> int | float | None:
    """A cell of numbers; an empty one is None."""
    if not cell:
        return None
    try:
        return int(cell) if cell.isdigit() else float(cell)
    except ValueError:
        raise RunError(f"{shown(cell)} is no number.") from None
