"""Chunking Playground: see, measure and choose how a document falls into chunks for retrieval.

from playground import ChunkingConfig, Document, chunk, describe, evaluate, prepare, read

document = read("handbook.md")                      # or Document.from_text("...")
chunking = chunk(document, ChunkingConfig(mode="sentence", unit="token", size=240, overlap=40))
chunking[0].text, chunking[0].start, chunking[0].reason
describe(chunking).duplicated_percent
evaluate(document, questions, ChunkingConfig(size=240)).mean("token_recall", k=5)      # see playground.retrieval
"""

from playground.core.chunking import Chunk, Chunking, chunk
from playground.core.config import ChunkingConfig, ConfigError
from playground.core.document import Block, Document
from playground.core.prepared import Prepared, prepare
from playground.core.stats import ChunkingStats, describe
from playground.readers import ReadError, read
from playground.retrieval.evaluate import Evaluation, evaluate
from playground.retrieval.question import Question

__all__ = [
    "Block",
    "Chunk",
    "Chunking",
    "ChunkingConfig",
    "ChunkingStats",
    "ConfigError",
    "Document",
    "Evaluation",
    "Prepared",
    "Question",
    "ReadError",
    "chunk",
    "describe",
    "evaluate",
    "prepare",
    "read",
]
