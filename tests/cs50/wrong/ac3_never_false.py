"""An empty domain goes unnoticed.

Caught by ac3_failure: return False if not self.domains[x]
"""


def ac3(self, arcs=None):
    if arcs is None:
        arcs = [(x, y) for x in self.domains for y in self.crossword.neighbors(x)]
    queue = list(arcs)
    while queue:
        x, y = queue.pop(0)
        if self.revise(x, y):
            queue += [(z, x) for z in self.crossword.neighbors(x) if z != y]
    return True
