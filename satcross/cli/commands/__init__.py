"""The commands of the core, each a module with a click command named ``command``."""
