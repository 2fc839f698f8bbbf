"""The queue of ac3 is a set; the degree is counted from the overlaps; the search keeps a stack."""

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

    def backtrack(self, assignment):
        if self.assignment_complete(assignment):
            return assignment
        var = self.select_unassigned_variable(assignment)
        stack = [(dict(assignment), var, iter(self.order_domain_values(var, assignment)))]
        while stack:
            made, var, words = stack[-1]
            word = next(words, None)
            if word is None:
                stack.pop()
                continue
            attempt = dict(made)
            attempt[var] = word
            if not self.consistent(attempt):
                continue
            if self.assignment_complete(attempt):
                return attempt
            following = self.select_unassigned_variable(attempt)
            ordered = self.order_domain_values(following, attempt)
            stack.append((attempt, following, iter(ordered)))
        return None
