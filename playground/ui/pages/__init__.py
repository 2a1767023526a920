"""One module a page; each reads as a description of what it shows."""
