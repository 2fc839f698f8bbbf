"""Neighbors that have a word already are counted.

Caught by order_values_unassigned: Leave out the neighbors that are in the assignment
"""


def order_domain_values(self, var, assignment):
    counts = dict.fromkeys(self.domains[var], 0)
    for other in self.crossword.neighbors(var):
        i, j = self.crossword.overlaps[var, other]
        for word in counts:
            counts[word] += sum(word[i] != theirs[j] for theirs in self.domains[other])
    return sorted(counts, key=counts.get)
