"""Files that are installed with the package; licences in data/LICENSES.md."""
