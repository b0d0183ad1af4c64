"""The number of samples that a test draws: few in each run of the suite, all of them at night.

`make whole` runs the tests with all samples, as CI does at night.
"""

from __future__ import annotations

draws_all = False
"""Whether tests draw all samples; `pytest --whole` sets it."""


def samples(few: int, *, of: int) -> int:
    """Return the number of samples to draw: `few`, or `of` if all are drawn."""
    return of if draws_all else few
