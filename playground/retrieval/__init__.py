"""Retrieval over chunkings, and evaluation against questions with known answers; every span counts characters.

A function that goes by the name of its module is imported from there: `from playground.retrieval.fate import fate`.
"""

from playground.retrieval.expand import Shown, shown
from playground.retrieval.fate import Fate, Fates, fates
from playground.retrieval.ranking import RETRIEVERS, Pool, Ranking, Retriever, fused, rank, vector_scores
from playground.retrieval.terms import Terms, query_terms

__all__ = [
    "RETRIEVERS",
    "Fate",
    "Fates",
    "Pool",
    "Ranking",
    "Retriever",
    "Shown",
    "Terms",
    "fates",
    "fused",
    "query_terms",
    "rank",
    "shown",
    "vector_scores",
]
