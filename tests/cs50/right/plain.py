"""Loops and lists, recursion, no inference during the search."""

from crossword import *  # noqa: F403
from given import Given


class CrosswordCreator(Given):
    def enforce_node_consistency(self):
        for var in self.crossword.variables:
            for word in self.crossword.words:
                if len(word) != var.length:
                    self.domains[var].remove(word)

    def revise(self, x, y):
        revised = False
        overlap = self.crossword.overlaps[x, y]
        if overlap:
            for word in self.domains[x].copy():
                found = False
                for other in self.domains[y]:
                    if word[overlap[0]] == other[overlap[1]]:
                        found = True
                        break
                if not found:
                    self.domains[x].remove(word)
                    revised = True
        return revised

    def ac3(self, arcs=None):
        if arcs is None:
            arcs = []
            for x in self.crossword.variables:
                for y in self.crossword.neighbors(x):
                    arcs.append((x, y))
        while len(arcs) > 0:
            x, y = arcs.pop(0)
            if self.revise(x, y):
                if len(self.domains[x]) == 0:
                    return False
                for z in self.crossword.neighbors(x):
                    if z != y:
                        arcs.append((z, x))
        return True

    def assignment_complete(self, assignment):
        for var in self.crossword.variables:
            if var not in assignment:
                return False
        return True

    def consistent(self, assignment):
        words = []
        for var in assignment:
            if assignment[var] in words:
                return False
            words.append(assignment[var])
            if len(assignment[var]) != var.length:
                return False
        for x in assignment:
            for y in self.crossword.neighbors(x):
                if y in assignment:
                    i, j = self.crossword.overlaps[x, y]
                    if assignment[x][i] != assignment[y][j]:
                        return False
        return True

    def order_domain_values(self, var, assignment):
        pairs = []
        for word in self.domains[var]:
            n = 0
            for other in self.crossword.neighbors(var):
                if other not in assignment:
                    i, j = self.crossword.overlaps[var, other]
                    for theirs in self.domains[other]:
                        if word[i] != theirs[j]:
                            n += 1
            pairs.append((word, n))
        pairs.sort(key=lambda pair: pair[1])
        return [pair[0] for pair in pairs]

    def select_unassigned_variable(self, assignment):
        best = None
        for var in self.crossword.variables:
            if var in assignment:
                continue
            if best is None or len(self.domains[var]) < len(self.domains[best]):
                best = var
            elif len(self.domains[var]) == len(self.domains[best]) and len(
                self.crossword.neighbors(var)
            ) > len(self.crossword.neighbors(best)):
                best = var
        return best

    def backtrack(self, assignment):
        if self.assignment_complete(assignment):
            return assignment
        var = self.select_unassigned_variable(assignment)
        for word in self.order_domain_values(var, assignment):
            assignment[var] = word
            if self.consistent(assignment):
                result = self.backtrack(assignment)
                if result is not None:
                    return result
            del assignment[var]
        return None
