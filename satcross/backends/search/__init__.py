"""The search backend: arc consistency and backtracking on bitsets."""

from satcross.support.frozen import frozen


@frozen
class SearchSettings:
    """Settings of a search; the defaults were measured (docs/lab-notebook.md)."""

    sample: int = 100
    """Number of words compared when one is chosen."""
    restart_after: int = 100
    """Contradictions before the first restart."""
    restart_growth: float = 1.1
    """Factor by which the number of contradictions between restarts grows at each restart."""
    growing_fast_after: int = 45
    """Restarts after which the factor is ``fast_growth``. A proof needs one interval as long as the
    whole search, and the intervals before it add up to eleven times as much at a factor of 1.1."""
    fast_growth: float = 1.5
    decay: float = 0.99
    """Factor by which the weights of older contradictions shrink at each new one."""
    noise: float = 0.5
    """Largest random amount added to the logarithm by which words are compared."""
    letters_every: int = 2
    """One search between restarts out of this many branches on letters; 1 means every one."""
    many: int = 20
    """Number of candidates above which such a search branches on a letter instead of a word."""
    preferring: int = 10
    """Restarts after which preferred words no longer come first, as they may prevent a fill."""
