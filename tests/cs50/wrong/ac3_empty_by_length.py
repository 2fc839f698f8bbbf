"""An empty list of arcs is taken for a missing one, by its length.

Caught by ac3_empty_list: An empty list is not None
"""


def ac3(self, arcs=None):
    queue = list(arcs) if arcs is not None else []
    if len(queue) == 0:
        for x in self.crossword.variables:
            for y in self.crossword.neighbors(x):
                queue.append((x, y))
    while queue:
        x, y = queue.pop()
        if self.revise(x, y):
            if not self.domains[x]:
                return False
            queue.extend((z, x) for z in self.crossword.neighbors(x))
    return True
