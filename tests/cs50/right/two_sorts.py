"""Sorted twice, as sorting keeps the order of equals; what is found is kept in attributes."""

from crossword import *  # noqa: F403
from plain import CrosswordCreator as Plain


class CrosswordCreator(Plain):
    def enforce_node_consistency(self):
        for variable in self.domains:
            self.domains[variable] -= {
                w for w in self.domains[variable] if len(w) != variable.length
            }

    def order_domain_values(self, var, assignment):
        self.ruled_out = dict.fromkeys(self.domains[var], 0)
        for neighbor in self.crossword.neighbors(var):
            if neighbor in assignment:
                continue
            i, j = self.crossword.overlaps[var, neighbor]
            for word in self.ruled_out:
                agreeing = [other for other in self.domains[neighbor] if other[j] == word[i]]
                self.ruled_out[word] += len(self.domains[neighbor]) - len(agreeing)
        order = list(self.domains[var])
        order.sort()
        order.sort(key=self.ruled_out.get)
        return order

    def select_unassigned_variable(self, assignment):
        left = [var for var in self.crossword.variables if var not in assignment.keys()]
        left.sort(key=lambda var: len(self.crossword.neighbors(var)), reverse=True)
        left.sort(key=lambda var: len(self.domains[var]))
        return left[0]
