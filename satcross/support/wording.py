"""Words that sentences share."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: "1 run", "2,000 runs"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def signal_name(number: int) -> str:
    """Return the name of a signal, such as SIGSEGV."""
    import signal  # needs enum

    try:
        return signal.Signals(number).name
    except ValueError:
        return f"number {number}"
