"""Lengths are not compared.

Caught by consistent_length: Compare len(word) with var.length
"""


def consistent(self, assignment):
    if len(set(assignment.values())) < len(assignment):
        return False
    for x, word in assignment.items():
        for y in self.crossword.neighbors(x):
            if y in assignment:
                i, j = self.crossword.overlaps[x, y]
                if i >= len(word) or j >= len(assignment[y]) or word[i] != assignment[y][j]:
                    return False
    return True
