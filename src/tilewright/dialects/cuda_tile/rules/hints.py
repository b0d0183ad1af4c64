"""Optimization hints: which hints are valid for each operation and target.

Wrong hints change nothing and are ignored in silence, unless the user asks for warnings (`check_hints`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tilewright.dialects.common.chips import CHIPS
from tilewright.dialects.cuda_tile.attributes import OptimizationHintsAttr
from tilewright.ir import builtin_attributes, builtin_types, codes
from tilewright.ir.attribute import Attribute
from tilewright.ir.diagnostic import Diagnostic, Severity
from tilewright.ir.operation import Operation
from tilewright.ir.support.record import NamedTuple

FIRST_MAJOR = 8
"""The first major compute capability that hints can name."""
CHIPS_WITH_HINTS = tuple(chip for chip in CHIPS.values() if chip.major >= FIRST_MAJOR and not chip.suffix)
SINGLE_CTA_TARGETS = tuple(chip.name for chip in CHIPS_WITH_HINTS if not chip.clusters)
TARGETS = ("default", *(chip.name for chip in CHIPS_WITH_HINTS))
"""The valid keys of hints: ``default``, for targets without an entry of their own, and ``sm_...`` names."""

ENTRY_HINTS = ("num_cta_in_cga", "num_worker_warps_per_cta", "occupancy")
OPERATION_HINTS: dict[str, tuple[str, ...]] = {
    "cuda_tile.entry": ENTRY_HINTS,
    "cuda_tile.load_ptr_tko": ("latency",),
    "cuda_tile.store_ptr_tko": ("latency",),
    "cuda_tile.load_view_tko": ("latency", "allow_tma"),
    "cuda_tile.store_view_tko": ("latency", "allow_tma"),
}
"""The hints that each operation accepts."""


class HintRule(NamedTuple):
    """The legal values of an integer hint: the predicate `accepts`, and `otherwise`, the message for other
    values, to which the target and the name of the hint are appended.
    """

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
ALL_HINTS = (*INTEGER_HINTS, *BOOLEAN_HINTS)


def check_hints(op: Operation, *, as_errors: bool = False) -> list[Diagnostic]:
    """Return warnings about invalid hints, which are ignored, of an operation and of the operations nested in
    it; an empty list if all are valid. ``as_errors`` adds an error for every operation that has invalid
    hints.
    """
    found: list[Diagnostic] = []
    for inner in op.walk():
        hints = inner.held_attributes.get("optimization_hints")
        if isinstance(hints, OptimizationHintsAttr):
            warnings = [_warning(inner, *complaint) for complaint in _complaints(inner.name, hints)]
            found += warnings
            if warnings and as_errors:
                found.append(_error(inner))
    return found


class HintWarning(NamedTuple):
    """The warning about an invalid hint, and the hint on how to correct it."""

    message: str
    way_out: str


def _warning(op: Operation, message: str, way_out: str) -> Diagnostic:
    return Diagnostic(Severity.WARNING, message, op.location, codes.USELESS_HINT).hint(way_out)


def _error(op: Operation) -> Diagnostic:
    message = f"'{op.name}' op Optimization hints verification failed"
    diagnostic = Diagnostic(Severity.ERROR, message, op.location, codes.USELESS_HINT)
    return diagnostic.hint("mend the hints named above, or do not ask for errors with -Werr-hints")


def _complaints(op_name: str, hints: OptimizationHintsAttr) -> Iterator[HintWarning]:
    known = OPERATION_HINTS.get(op_name, ())
    for target, entries in hints.hints:
        if target not in TARGETS:
            yield HintWarning(f"unknown hint key {target}", f"targets are {', '.join(TARGETS)}")
            continue
        assert isinstance(entries, builtin_attributes.DictionaryAttr)
        for name, value in entries:
            complaint = _complaint(target, name, value, known)
            if complaint is not None:
                yield complaint


def _complaint(target: str, name: str, value: Attribute, known: tuple[str, ...]) -> HintWarning | None:
    if known and name not in known:
        return HintWarning(f"{name} is not known hint for current Operation", f"it knows {', '.join(known)}")
    if name not in BOOLEAN_HINTS and name not in INTEGER_HINTS:
        return HintWarning(f"unknown param {name} for {target}", f"hints are {', '.join(ALL_HINTS)}")
    message = _wrong_value(target, name, value)
    return (
        HintWarning(message, "give it such a value or leave it out: others are ignored") if message else None
    )


def _wrong_value(target: str, name: str, value: Attribute) -> str:
    place = f"{target}.{name}"
    boolean = isinstance(value, builtin_attributes.IntegerAttr) and value.type is builtin_types.i1
    if name in BOOLEAN_HINTS:
        return "" if boolean else f"boolean value expected for {place}"
    if not isinstance(value, builtin_attributes.IntegerAttr) or boolean:
        return f"integer value expected for {place}"
    if name == "num_cta_in_cga" and target in SINGLE_CTA_TARGETS and value.value != 1:
        return f"expected 1 for {place}"
    rule = INTEGER_HINTS[name]
    return "" if rule.accepts(value.value) else f"{rule.otherwise} {place}"
