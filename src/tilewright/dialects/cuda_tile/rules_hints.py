"""Optimization hints: which ones mean something where.

Wrong hints change nothing and are ignored in silence, unless the user asks for warnings (`check_hints`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tilewright.dialects.cuda_tile.attributes import OptimizationHintsAttr
from tilewright.ir import codes
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import DictionaryAttr, IntegerAttr
from tilewright.ir.builtin_types import i1
from tilewright.ir.diagnostic import Diagnostic, Severity
from tilewright.ir.operation import Operation

SINGLE_CTA_TARGETS = ("sm_80", "sm_86", "sm_87", "sm_88", "sm_89")
TARGETS = ("default", *SINGLE_CTA_TARGETS, "sm_90", "sm_100", "sm_103", "sm_110", "sm_120", "sm_121")
"""The keys under which hints may stand: a target, or all targets that have no entry of their own."""

ENTRY_HINTS = ("num_cta_in_cga", "num_worker_warps_per_cta", "occupancy")
OPERATION_HINTS: dict[str, tuple[str, ...]] = {
    "cuda_tile.entry": ENTRY_HINTS,
    "cuda_tile.load_ptr_tko": ("latency",),
    "cuda_tile.store_ptr_tko": ("latency",),
    "cuda_tile.load_view_tko": ("latency", "allow_tma"),
    "cuda_tile.store_view_tko": ("latency", "allow_tma"),
}
"""The hints that each operation knows."""


class HintRule(NamedTuple):
    """The values of a hint: a predicate, and what is said about others before and after the hint's name."""

    accepts: Callable[[int], bool]
    otherwise: str


def _power_of_two_up_to(limit: int) -> HintRule:
    powers = frozenset(1 << exponent for exponent in range(limit.bit_length()))
    return HintRule(powers.__contains__, f"expected power-of-two \u2264 {limit} for")


def _in_range(least: int, most: int) -> HintRule:
    words = f"integer value in the range [{least}, {most}] is expected for"
    return HintRule(range(least, most + 1).__contains__, words)


INTEGER_HINTS: dict[str, HintRule] = {
    "num_cta_in_cga": _power_of_two_up_to(16),
    "num_worker_warps_per_cta": _power_of_two_up_to(32),
    "occupancy": _in_range(1, 32),
    "latency": _in_range(1, 10),
}
BOOLEAN_HINTS = ("allow_tma",)


def check_hints(op: Operation) -> list[Diagnostic]:
    """Warnings about hints without effect, in an operation and everything in it."""
    found: list[Diagnostic] = []
    for inner in op.walk():
        hints = inner.attributes.get("optimization_hints")
        if isinstance(hints, OptimizationHintsAttr):
            found += [
                Diagnostic(Severity.WARNING, message, inner.location, codes.INVALID_PARAMETERS)
                for message in _complaints(inner.name, hints)
            ]
    return found


def _complaints(op_name: str, hints: OptimizationHintsAttr) -> Iterator[str]:
    known = OPERATION_HINTS.get(op_name, ())
    for target, entries in hints.hints:
        if target not in TARGETS:
            yield f"unknown hint key {target}"
            continue
        assert isinstance(entries, DictionaryAttr)
        for name, value in entries:
            message = _complaint(target, name, value, known)
            if message:
                yield message


def _complaint(target: str, name: str, value: Attribute, known: tuple[str, ...]) -> str:
    place = f"{target}.{name}"
    if known and name not in known:
        return f"{name} is not known hint for current Operation"
    boolean = isinstance(value, IntegerAttr) and value.type is i1
    if name in BOOLEAN_HINTS:
        return "" if boolean else f"boolean value expected for {place}"
    rule = INTEGER_HINTS.get(name)
    if rule is None:
        return f"unknown param {name} for {target}"
    if not isinstance(value, IntegerAttr) or boolean:
        return f"integer value expected for {place}"
    if name == "num_cta_in_cga" and target in SINGLE_CTA_TARGETS and value.value != 1:
        return f"expected 1 for {place}"
    return "" if rule.accepts(value.value) else f"{rule.otherwise} {place}"
