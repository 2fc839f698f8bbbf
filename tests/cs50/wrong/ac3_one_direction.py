"""Of every two crossing variables only one arc is in the queue at first.

Caught by ac3_all_arcs: both directions
"""


def ac3(self, arcs=None):
    if arcs is None:
        queue, seen = [], set()
        for x in self.crossword.variables:
            seen.add(x)
            queue += [(x, y) for y in self.crossword.neighbors(x) if y not in seen]
    else:
        queue = list(arcs)
    while queue:
        x, y = queue.pop(0)
        if self.revise(x, y):
            if not self.domains[x]:
                return False
            queue += [(z, x) for z in self.crossword.neighbors(x)]
    return True
