"""What data types and packages need beneath them: exports, the version, cache folder, notebooks."""
