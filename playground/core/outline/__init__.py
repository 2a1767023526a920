"""Outlines: the blocks of a text, found by its format."""
