"""One module a page; each reads as a description of what it shows.

The folder is not called `pages`: Streamlit would serve each of its modules as a page of its own.
"""
