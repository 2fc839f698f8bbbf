"""The words come in no order.

Caught by order_values: Sort by the sum, smallest first
"""


def order_domain_values(self, var, assignment):
    return list(self.domains[var])
