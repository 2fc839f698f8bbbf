"""File formats, one module each, reading beside writing."""
