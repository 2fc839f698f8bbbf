"""Words are counted by letters; ties are broken a second time by free neighbors."""

from collections import Counter

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
