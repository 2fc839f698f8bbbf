"""Readers and writers of the file formats, one module each; ``registry`` has the table."""
