"""The neighbors of y follow instead of those of x.

Caught by ac3_one_arc_followers: for every neighbor z of x
"""


def ac3(self, arcs=None):
    if arcs is None:
        arcs = [(x, y) for x in self.domains for y in self.crossword.neighbors(x)]
    queue = list(arcs)
    while queue:
        x, y = queue.pop(0)
        if self.revise(x, y):
            if not self.domains[x]:
                return False
            queue += [(z, y) for z in self.crossword.neighbors(y) if z != x]
    return True
