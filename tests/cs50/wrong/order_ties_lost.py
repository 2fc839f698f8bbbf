"""Words are stored under their counts, so that one of those with the same count is left.

Caught by order_values: both are in the result
"""


def order_domain_values(self, var, assignment):
    words = {}
    for word in self.domains[var]:
        count = 0
        for other in self.crossword.neighbors(var) - set(assignment):
            i, j = self.crossword.overlaps[var, other]
            count += sum(word[i] != theirs[j] for theirs in self.domains[other])
        words[count] = word
    return [words[count] for count in sorted(words)]
