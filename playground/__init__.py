"""Chunking Playground: see, measure and choose how a document falls into chunks for retrieval."""
