"""Words are counted by letters; inference returns what follows, which joins the assignment."""

from collections import Counter
from copy import deepcopy

from crossword import *  # noqa: F403
from maintaining import CrosswordCreator as Maintaining


class CrosswordCreator(Maintaining):
    def order_domain_values(self, var, assignment):
        supports = Counter()
        for other in self.crossword.neighbors(var):
            if other in assignment:
                continue
            i, j = self.crossword.overlaps[var, other]
            letters = Counter(word[j] for word in self.domains[other])
            for word in self.domains[var]:
                supports[word] += letters[word[i]]
        return sorted(self.domains[var], key=lambda word: (-supports[word], word))

    def select_unassigned_variable(self, assignment):
        def rank(var):
            near = self.crossword.neighbors(var)
            still_free = sum(other not in assignment for other in near)
            return len(self.domains[var]), -len(near), -still_free, str(var)

        return sorted(set(self.domains) - set(assignment), key=rank)[0]

    def backtrack(self, assignment):
        if len(assignment) == len(self.crossword.variables):
            return assignment if self.consistent(assignment) else None
        var = self.select_unassigned_variable(assignment)
        for word in self.order_domain_values(var, assignment):
            before = deepcopy(self.domains)
            attempt = assignment.copy()
            attempt[var] = word
            if self.consistent(attempt):
                self.domains[var] = {word}
                inferred = self.inference(var, attempt)
                if inferred is not None:
                    attempt.update(inferred)
                    if self.consistent(attempt):
                        result = self.backtrack(attempt)
                        if result is not None:
                            return result
            self.domains = before
        return None

    def inference(self, var, assignment):
        if not self.ac3([(other, var) for other in self.crossword.neighbors(var)]):
            return None
        return {
            other: next(iter(words))
            for other, words in self.domains.items()
            if other not in assignment and len(words) == 1
        }
