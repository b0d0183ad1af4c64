"""Refusals of the functions of ``torch.cuda`` that need a real GPU; each error names the function."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from tilewright.gpu_programs.patches import Patches
from tilewright.gpu_programs.refusals import refusal, refusing
from tilewright.ir.diagnostic import DiagnosticError

_FIGURES = (
    *("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved", "memory_cached"),
    *("max_memory_cached", "memory_stats", "memory_stats_as_nested_dict", "memory_summary"),
    *("memory_snapshot", "memory_usage", "device_memory_used", "host_memory_stats"),
    *("host_memory_stats_as_nested_dict", "utilization", "temperature", "power_draw", "clock_rate"),
    *("list_gpu_processes", "get_memory_info"),
)
"""Functions that return figures of a real GPU; without a GPU some of them would return 0."""


def refuse_unanswered(module: ModuleType, name: str, answers: Mapping[str, object], patches: Patches) -> None:
    """Let the functions of `module` and its submodules raise `NoAnswerError`, except those in `answers`. A
    function in `_FIGURES` is refused at once; another function is called, and a `RuntimeError` of it becomes
    the refusal. `name` is the name of the module in messages.
    """
    for owner in (module, *_submodules(module)):
        for attribute in _functions_of(owner):
            if attribute not in answers:
                call = f"{name}.{attribute}"
                original = vars(owner)[attribute]
                wanted = refusing(call) if attribute in _FIGURES else _named(call, original)
                patches.set(owner, attribute, wanted)


def _submodules(module: ModuleType) -> list[ModuleType]:
    """Return the submodules ``memory``, ``streams`` and ``random``, as far as the module has them; it shows
    their functions as its own.
    """
    found = [vars(module).get(name) for name in ("memory", "streams", "random")]
    return [one for one in found if isinstance(one, ModuleType)]


def _functions_of(module: ModuleType) -> list[str]:
    """Return the names of the functions that a module lists in ``__all__``."""
    members = vars(module)
    return [name for name in members.get("__all__", ()) if inspect.isroutine(members.get(name))]


def _named(call: str, original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls `original`; a `RuntimeError` becomes a `NoAnswerError` that names `call`,
    since it needs a GPU.
    """

    @functools.wraps(original)
    def ask(*arguments: Any, **named: Any) -> Any:
        try:
            return original(*arguments, **named)
        except DiagnosticError:
            raise
        except RuntimeError as error:
            reason = str(error).splitlines()[0] if str(error) else "no reason was given"
            raise refusal(call, f"needs a GPU: {reason}") from error

    return ask
