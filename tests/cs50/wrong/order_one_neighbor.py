"""The count begins anew with each neighbor, so that the last one decides.

Caught by order_values: for every neighbor
"""


def order_domain_values(self, var, assignment):
    counts = dict.fromkeys(self.domains[var], 0)
    for word in counts:
        for other in self.crossword.neighbors(var):
            if other not in assignment:
                n = 0
                i, j = self.crossword.overlaps[var, other]
                for theirs in self.domains[other]:
                    n += word[i] != theirs[j]
                counts[word] = n
    return sorted(counts, key=lambda word: counts[word])
