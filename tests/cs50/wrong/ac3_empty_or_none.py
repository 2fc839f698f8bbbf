"""An empty list of arcs is taken for a missing one, by `if not arcs`.

Caught by ac3_empty_list: An empty list is not None
"""


def ac3(self, arcs=None):
    if not arcs:
        arcs = [(x, y) for x in self.domains for y in self.crossword.neighbors(x)]
    while arcs:
        x, y = arcs.pop(0)
        if self.revise(x, y):
            if not self.domains[x]:
                return False
            for z in self.crossword.neighbors(x) - {y}:
                arcs.append((z, x))
    return True
