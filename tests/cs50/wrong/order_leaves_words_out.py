"""A word that rules out everything is left out.

Caught by order_values: expected
"""


def order_domain_values(self, var, assignment):
    counts = {}
    for word in self.domains[var]:
        lost, total = 0, 0
        for other in self.crossword.neighbors(var):
            if other not in assignment:
                i, j = self.crossword.overlaps[var, other]
                lost += sum(word[i] != theirs[j] for theirs in self.domains[other])
                total += len(self.domains[other])
        if lost < total or total == 0:
            counts[word] = lost
    return sorted(counts, key=counts.get)
