"""What an answer is found without: the heading that says whose rule it is, the header that explains a row's cells.

A chunk may hold an answer to the character and still mislead, because what it belongs to stands in another chunk.
"""

from __future__ import annotations

from playground.core.chunking import Chunking
from playground.core.identity import place_of
from playground.core.modes.structure import structure_of
from playground.retrieval.evaluate import Evaluation
from playground.retrieval.fate import fates
from playground.retrieval.phases import shifted
from playground.retrieval.question import Question

HEADING, HEADER, REST = "its heading", "the table's header", "the other part"


def missing(chunking: Chunking, question: Question) -> list[str]:
    """What the first chunk that holds the first part of the answer whole does not hold; nothing where none does."""
    found = fates(chunking, [one.start for one in question.references], [one.end for one in question.references])
    holders = found[0].holders
    if not len(holders):
        return []
    one, first = chunking[int(holders[0])], question.references[0]
    path = place_of(chunking.prepared, first.start, first.end).path
    lacking = [HEADING] if path and path[-1] not in one.embedded else []
    header = _header_of(chunking, first.start)
    if header and header not in one.embedded:
        lacking.append(HEADER)
    if any(int(holders[0]) not in found[index].holders for index in range(1, len(found))):
        lacking.append(REST)
    return lacking


def missing_from_all(evaluation: Evaluation) -> list[list[str]]:
    """`missing` for every question of an evaluation, in their order."""
    task = evaluation.task
    chunkings = [shifted(one, evaluation.config, evaluation.shift) for one in task.prepared]
    pairs = zip(task.documents.tolist(), task.questions, strict=True)
    return [missing(chunkings[number], question) for number, question in pairs]


def _header_of(chunking: Chunking, offset: int) -> str:
    """The header of the table in whose rows `offset` lies; "" where there is none."""
    text = chunking.document.text
    for block in structure_of(chunking.prepared, "auto").holders:
        if block.kind == "table" and block.head and block.head <= offset < block.end:
            return text[block.start : block.head].strip("\r\n")
    return ""
