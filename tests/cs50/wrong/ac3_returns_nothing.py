"""There is no return True at the end.

Caught by ac3_all_arcs: Return True at the end
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
            queue += [(z, x) for z in self.crossword.neighbors(x) if z != y]
