"""Support for data types and packages: exports, folders."""
