"""Arc consistency is maintained during the search, with domains copied before each word."""

from collections import deque

from crossword import *  # noqa: F403
from given import Given


class CrosswordCreator(Given):
    def enforce_node_consistency(self):
        for var, words in self.domains.items():
            self.domains[var] = {word for word in words if len(word) == var.length}

    def revise(self, x, y):
        overlap = self.crossword.overlaps[x, y]
        if overlap is None:
            return False
        i, j = overlap
        letters = {word[j] for word in self.domains[y]}
        gone = {word for word in self.domains[x] if word[i] not in letters}
        self.domains[x] -= gone
        return len(gone) > 0

    def ac3(self, arcs=None):
        if arcs is None:
            arcs = [arc for arc, overlap in self.crossword.overlaps.items() if overlap]
        queue = deque(arcs)
        while queue:
            x, y = queue.popleft()
            if self.revise(x, y):
                if not self.domains[x]:
                    return False
                queue.extend((z, x) for z in self.crossword.neighbors(x) - {y})
        return True

    def assignment_complete(self, assignment):
        return set(assignment) == self.crossword.variables

    def consistent(self, assignment):
        if len(set(assignment.values())) != len(assignment):
            return False
        if any(len(word) != var.length for var, word in assignment.items()):
            return False
        for (x, y), overlap in self.crossword.overlaps.items():
            if (
                overlap
                and x in assignment
                and y in assignment
                and assignment[x][overlap[0]] != assignment[y][overlap[1]]
            ):
                return False
        return True

    def order_domain_values(self, var, assignment):
        def ruled_out(word):
            return sum(
                word[self.crossword.overlaps[var, other][0]]
                != theirs[self.crossword.overlaps[var, other][1]]
                for other in self.crossword.neighbors(var)
                if other not in assignment
                for theirs in self.domains[other]
            )

        return sorted(self.domains[var], key=ruled_out)

    def select_unassigned_variable(self, assignment):
        return min(
            self.crossword.variables - set(assignment),
            key=lambda var: (len(self.domains[var]), -len(self.crossword.neighbors(var))),
        )

    def backtrack(self, assignment):
        if self.assignment_complete(assignment):
            return assignment
        var = self.select_unassigned_variable(assignment)
        for word in self.order_domain_values(var, assignment):
            attempt = {**assignment, var: word}
            if not self.consistent(attempt):
                continue
            saved = {other: set(words) for other, words in self.domains.items()}
            self.domains[var] = {word}
            if self.ac3([(other, var) for other in self.crossword.neighbors(var)]):
                result = self.backtrack(attempt)
                if result is not None:
                    return result
            self.domains = saved
        return None
