"""Words of any length and variables with the value None do no harm anywhere."""

from crossword import *  # noqa: F403
from given import Given


class CrosswordCreator(Given):
    def enforce_node_consistency(self):
        self.domains.update(
            {v: set(filter(lambda w: len(w) == v.length, ws)) for v, ws in self.domains.items()}
        )

    def letter(self, word, position):
        return word[position] if position < len(word) else None

    def revise(self, x, y):
        i, j = self.crossword.overlaps[x, y] or (None, None)
        if i is None:
            return False
        offered = {self.letter(word, j) for word in self.domains[y]} - {None}
        old = len(self.domains[x])
        self.domains[x] = {word for word in self.domains[x] if self.letter(word, i) in offered}
        return len(self.domains[x]) < old

    def ac3(self, arcs=None):
        variables = self.crossword.variables
        queue = (
            [(x, y) for x in variables for y in variables if x != y] if arcs is None else list(arcs)
        )
        for x, y in queue:
            if self.revise(x, y):
                if not self.domains[x]:
                    return False
                queue += [(z, x) for z in self.crossword.neighbors(x) if z != y]
        return True

    def assignment_complete(self, assignment):
        return all(assignment.get(var) is not None for var in self.crossword.variables)

    def consistent(self, assignment):
        made = {var: word for var, word in assignment.items() if word is not None}
        seen = set()
        for x, word in made.items():
            if len(word) != x.length or word in seen:
                return False
            seen.add(word)
            for y in self.crossword.neighbors(x) & made.keys():
                i, j = self.crossword.overlaps[x, y]
                if self.letter(word, i) != self.letter(made[y], j):
                    return False
        return True

    def order_domain_values(self, var, assignment):
        counts = {word: 0 for word in self.domains[var]}
        for other in self.crossword.neighbors(var):
            if assignment.get(other) is not None:
                continue
            i, j = self.crossword.overlaps[var, other]
            for theirs in self.domains[other]:
                for word in counts:
                    # A word that is used here cannot be used there either.
                    if self.letter(word, i) != self.letter(theirs, j) or word == theirs:
                        counts[word] += 1
        return sorted(counts, key=counts.__getitem__)

    def select_unassigned_variable(self, assignment):
        free = [v for v in self.crossword.variables if assignment.get(v) is None]
        free.sort(key=lambda v: len(self.crossword.neighbors(v)), reverse=True)
        free.sort(key=lambda v: len(self.domains[v]))
        return free[0]

    def backtrack(self, assignment):
        if not self.consistent(assignment):
            return None
        if self.assignment_complete(assignment):
            return assignment
        var = self.select_unassigned_variable(assignment)
        for word in self.order_domain_values(var, assignment):
            result = self.backtrack({**assignment, var: word})
            if result:
                return result
        return None
