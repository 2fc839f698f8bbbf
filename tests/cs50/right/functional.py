"""Comprehensions, any, all and map; domains are replaced, never changed; no inference."""

from functools import reduce
from itertools import combinations

from crossword import *  # noqa: F403
from maintaining import CrosswordCreator as Maintaining


class CrosswordCreator(Maintaining):
    def enforce_node_consistency(self):
        self.domains = {
            var: set(filter(lambda word, var=var: len(word) == var.length, words))
            for var, words in self.domains.items()
        }

    def revise(self, x, y):
        overlap = self.crossword.overlaps[x, y]
        if overlap is None:
            return False
        i, j = overlap
        kept = {w for w in self.domains[x] if any(w[i] == v[j] for v in self.domains[y])}
        changed = kept != self.domains[x]
        if changed:
            self.domains = {**self.domains, x: kept}
        return changed

    def ac3(self, arcs=None):
        queue = [arc for arc, at in self.crossword.overlaps.items() if at] if arcs is None else arcs
        queue = list(queue)
        while queue:
            (x, y), *queue = queue
            if self.revise(x, y):
                if not self.domains[x]:
                    return False
                queue += [(z, x) for z in self.crossword.neighbors(x) if z != y]
        return True

    def assignment_complete(self, assignment):
        return all(map(assignment.__contains__, self.crossword.variables))

    def consistent(self, assignment):
        def agree(one, other):
            at = self.crossword.overlaps[one, other]
            return at is None or assignment[one][at[0]] == assignment[other][at[1]]

        return (
            all(len(word) == var.length for var, word in assignment.items())
            and len({*assignment.values()}) == len(assignment)
            and all(agree(one, other) for one, other in combinations(assignment, 2))
        )

    def backtrack(self, assignment):
        if self.assignment_complete(assignment):
            return assignment
        var = self.select_unassigned_variable(assignment)
        longer = ({**assignment, var: word} for word in self.order_domain_values(var, assignment))
        return reduce(
            lambda found, tried: self.backtrack(tried) if found is None else found,
            filter(self.consistent, longer),
            None,
        )
