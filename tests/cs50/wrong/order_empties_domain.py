"""The words are taken out of the domain while they are being ordered.

Caught by order_values: must not change self.domains
"""


def order_domain_values(self, var, assignment):
    ordered = []
    while self.domains[var]:
        word = self.domains[var].pop()
        count = 0
        for other in self.crossword.neighbors(var):
            if other not in assignment:
                i, j = self.crossword.overlaps[var, other]
                count += sum(word[i] != theirs[j] for theirs in self.domains[other])
        ordered.append((count, word))
    return [word for _, word in sorted(ordered)]
