"""The way out: a chunk as a record, and records as files for people, tables and other libraries."""
