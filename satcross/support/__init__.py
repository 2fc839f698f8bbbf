"""Support for data types and packages: exports, the version, folders."""
