"""Lessons as data: what each shows, asks and wants done, and how it is told from the page's state that it was."""
