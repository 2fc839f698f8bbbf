"""The queue of ac3 is a set; the degree is counted from the overlaps."""

from crossword import *  # noqa: F403
from maintaining import CrosswordCreator as Maintaining


class CrosswordCreator(Maintaining):
    def ac3(self, arcs=None):
        queue = set(self.crossword.overlaps) if arcs is None else set(arcs)
        while queue:
            x, y = queue.pop()
            if self.revise(x, y):
                if self.domains[x] == set():
                    return False
                queue.update((z, x) for z in self.crossword.neighbors(x))
        return True

    def select_unassigned_variable(self, assignment):
        degree = dict.fromkeys(self.crossword.variables, 0)
        for (x, _), overlap in self.crossword.overlaps.items():
            degree[x] += overlap is not None
        free = [var for var in degree if var not in assignment]
        fewest = min(len(self.domains[var]) for var in free)
        tied = [var for var in free if len(self.domains[var]) == fewest]
        most = max(degree[var] for var in tied)
        return next(var for var in tied if degree[var] == most)
