"""The number of samples that a test draws: few in each run of the suite, all of them at night.

`make test-samples`, which CI runs at night, sets the variable: tests then draw as many as they can.
"""

from __future__ import annotations

import os

VARIABLE = "TEST_SAMPLES"
"""The variable of the environment; its value `all` asks for every sample."""


def samples(few: int, *, of: int) -> int:
    """Return the number of samples to draw: `few`, or with `TEST_SAMPLES=all` the number `of`."""
    return of if os.environ.get(VARIABLE) == "all" else few
