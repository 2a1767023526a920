"""Questions with known answers, and everything that is done to a set of them before it is asked."""

from __future__ import annotations

from playground.retrieval.question import Question, QuestionError, Reference, set_hash
from playground.retrieval.question_files import read_csv, read_jsonl, write_csv, write_jsonl
from playground.retrieval.relocation import Report, relocated

__all__ = [
    "Question",
    "QuestionError",
    "Reference",
    "Report",
    "read_csv",
    "read_jsonl",
    "relocated",
    "set_hash",
    "write_csv",
    "write_jsonl",
]
