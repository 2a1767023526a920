"""The core: documents, rulers, boundaries, packing and numbers. No screen, no file system, no network."""
