"""The most constraining word comes first.

Caught by order_values: smallest first
"""


def order_domain_values(self, var, assignment):
    def ruled_out(word):
        count = 0
        for other in self.crossword.neighbors(var):
            if other not in assignment:
                i, j = self.crossword.overlaps[var, other]
                count += sum(word[i] != theirs[j] for theirs in self.domains[other])
        return count

    return sorted(self.domains[var], key=ruled_out, reverse=True)
