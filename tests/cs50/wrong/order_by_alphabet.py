"""The words come in the order of the alphabet.

Caught by order_values: Sort by the sum, smallest first
"""


def order_domain_values(self, var, assignment):
    return sorted(self.domains[var])
