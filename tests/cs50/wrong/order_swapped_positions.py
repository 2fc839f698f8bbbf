"""The two positions of the crossing are exchanged.

Caught by order_values: that do not agree on the common letter
"""


def order_domain_values(self, var, assignment):
    counts = dict.fromkeys(self.domains[var], 0)
    for other in self.crossword.neighbors(var):
        if other in assignment:
            continue
        j, i = self.crossword.overlaps[var, other]
        for word in counts:
            for theirs in self.domains[other]:
                if word[i : i + 1] != theirs[j : j + 1]:
                    counts[word] += 1
    return sorted(counts, key=counts.get)
