"""The workbench: a web page on this machine, and the HTTP API beneath it (extra ``web``)."""
