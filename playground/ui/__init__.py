"""The page. It formats and asks; every number on it comes from the core."""
