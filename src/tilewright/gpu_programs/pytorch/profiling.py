"""Profilers and markers: profilers record the CPU only, markers do nothing."""

from __future__ import annotations

import functools
from importlib import import_module
from typing import Any

from tilewright.gpu_programs.answers import always, no_context, nothing
from tilewright.gpu_programs.patches import Patches


def install(torch: Any, patches: Patches) -> None:
    """Let profilers omit the GPU, and let markers do nothing."""
    nvtx: Any = torch.cuda.nvtx
    patches.set_known(nvtx, dict.fromkeys(("range_push", "range_pop", "mark"), nothing))
    patches.set_known(nvtx, {"range": no_context})
    driver: Any = import_module("torch.cuda.profiler")
    patches.set_known(driver, {"start": nothing, "stop": nothing, "profile": no_context})
    gpu = torch.profiler.ProfilerActivity.CUDA
    profiler: Any = import_module("torch.profiler.profiler")
    here = frozenset(profiler.supported_activities()) - {gpu}
    patches.set(profiler._KinetoProfile, "__init__", _on_cpu(profiler._KinetoProfile.__init__, here))
    for module in (profiler, torch.profiler, import_module("torch.autograd.profiler")):
        names = ("supported_activities", "_supported_activities")
        patches.set_known(module, dict.fromkeys(names, always(here)))


def _on_cpu(original: Any, here: frozenset[Any]) -> Any:
    """Return a constructor that records the activities that exist `here`, whatever others the program
    requests.
    """

    @functools.wraps(original)
    def initialise(self: Any, *, activities: Any = None, **named: Any) -> None:
        wanted = here if activities is None else here & frozenset(activities)
        original(self, activities=wanted or here, **named)

    return initialise
