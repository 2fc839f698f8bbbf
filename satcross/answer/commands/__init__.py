"""The commands of this wing, each a module with a click command named ``command``."""
