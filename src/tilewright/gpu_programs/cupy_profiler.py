"""``cupyx.profiler``: its timing helper measures the CPU."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from tilewright.gpu_programs.patches import no_context

_WARM_UP = 10
_REPEATS = 10_000


@dataclass(frozen=True)
class Times:
    """The seconds of each timed call of the function `name`: an array `cpu_times`. The GPU's times equal the
    CPU's.
    """

    name: str
    cpu_times: Any

    @property
    def gpu_times(self) -> Any:
        """The times for the only GPU: shape (1, repeats)."""
        return self.cpu_times[np.newaxis]

    def __str__(self) -> str:
        times = 1e6 * self.cpu_times
        mean, least, most = times.mean(), times.min(), times.max()
        return f"{self.name}: CPU: {mean:9.3f} us (min: {least:9.3f}, max: {most:9.3f})"


def benchmark(
    func: Callable[..., object],
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    n_repeat: int = _REPEATS,
    *,
    name: str | None = None,
    n_warmup: int = _WARM_UP,
    max_duration: float = float("inf"),
    devices: Any = None,
) -> Times:
    """Return the times of `func`, called with `args` and `kwargs`: of at most ``n_repeat`` calls, until their
    sum reaches ``max_duration`` seconds, after `n_warmup` untimed calls. `name` is the name in the result, by
    default the name of `func`. `devices` has no effect.
    """
    named = dict(kwargs or {})
    for _ in range(n_warmup):
        func(*args, **named)
    times: list[float] = []
    total = 0.0
    while len(times) < n_repeat and total < max_duration:
        begin = perf_counter()
        func(*args, **named)
        times.append(perf_counter() - begin)
        total += times[-1]
    return Times(name or getattr(func, "__name__", ""), np.array(times))


MEMBERS: dict[str, object] = {"benchmark": benchmark, "profile": no_context, "time_range": no_context}
"""The functions of the module by name."""
