"""An empty list of arcs is taken for a missing one, by `arcs or ...`, with a set as the queue.

Caught by ac3_empty_list: An empty list is not None
"""


def ac3(self, arcs=None):
    queue = set(arcs or [(x, y) for x in self.domains for y in self.crossword.neighbors(x)])
    while queue:
        x, y = queue.pop()
        if self.revise(x, y):
            if not self.domains[x]:
                return False
            queue |= {(z, x) for z in self.crossword.neighbors(x) if z != y}
    return True
