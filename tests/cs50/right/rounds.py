"""ac3 without arcs goes round and round; the search is a generator of all solutions."""

from itertools import combinations

from crossword import *  # noqa: F403
from given import main
from plain import CrosswordCreator as Plain


class CrosswordCreator(Plain):
    def revise(self, x, y):
        overlap = self.crossword.overlaps[x, y]
        if overlap is None:
            return False
        i, j = overlap
        before = self.domains[x]
        self.domains[x] = {
            word for word in before if any(word[i] == theirs[j] for theirs in self.domains[y])
        }
        return self.domains[x] != before

    def ac3(self, arcs=None):
        if arcs is not None:
            return super().ac3(list(arcs))
        changed = True
        while changed:
            changed = False
            for x, y in self.crossword.overlaps:
                if self.revise(x, y):
                    changed = True
        return all(self.domains.values())

    def consistent(self, assignment):
        def agree(x, y):
            if assignment[x] == assignment[y]:
                return False
            overlap = self.crossword.overlaps[x, y]
            return overlap is None or assignment[x][overlap[0]] == assignment[y][overlap[1]]

        return all(len(assignment[x]) == x.length for x in assignment) and all(
            agree(x, y) for x, y in combinations(assignment, 2)
        )

    def backtrack(self, assignment):
        return next(self.solutions(assignment), None)

    def solutions(self, assignment):
        if self.assignment_complete(assignment):
            yield assignment
            return
        var = self.select_unassigned_variable(assignment)
        for word in self.order_domain_values(var, assignment):
            attempt = assignment | {var: word}
            if self.consistent(attempt):
                yield from self.solutions(attempt)


if __name__ == "__main__":
    main(CrosswordCreator)
