"""Support for data types and packages: exports, folders, and the version."""

__version__ = "0.3.0"
