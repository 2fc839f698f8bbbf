"""The words must be in the list of words.

Caught by consistent_full: and nothing else
"""


def consistent(self, assignment):
    if len(set(assignment.values())) != len(assignment):
        return False
    for x in assignment:
        if len(assignment[x]) != x.length or assignment[x] not in self.crossword.words:
            return False
        for y in self.crossword.neighbors(x):
            if y in assignment:
                i, j = self.crossword.overlaps[x, y]
                if assignment[x][i] != assignment[y][j]:
                    return False
    return True
