"""Pictures and pages: ``layout`` makes drawings; ``png``, ``svg`` and ``pdf`` write them."""
