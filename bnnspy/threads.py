"""How many threads a call may use when its FilterParameters leave it open."""

from __future__ import annotations

import operator

from bnnspy._bnns import lib

MOST = 64


def set_num_threads(n: int) -> None:
    """Sets how many threads a call may use when its `FilterParameters` leave it open.

    Parameters
    ----------
    n : int
        1 to 64 (more count as 64), or 0 to undo the setting: then the environment variable
        BNNSPY_NUM_THREADS counts, else the processors that this process may run on. Small calls
        use fewer.

    Raises
    ------
    TypeError
        n is no integer.
    ValueError
        n is negative.
    """
    if isinstance(n, bool):
        raise TypeError("n is a bool, and has to be an integer")
    try:
        number = operator.index(n)
    except TypeError:
        raise TypeError(f"n is a {type(n).__name__}, and has to be an integer") from None
    if number < 0:
        raise ValueError(f"n is {number}, and has to be 0 (automatic) or more")
    lib.bnnspy_set_num_threads(min(number, MOST))


def get_num_threads() -> int:
    """How many threads a call may use when its `FilterParameters` leave it open, 1 to 64."""
    return lib.bnnspy_num_threads()
