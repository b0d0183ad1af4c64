"""Tables of code pointers of rewrite patterns and of pass models.

A table of eight slots is a conversion pattern's when slots 2 and 3 hold the same two addresses as in the other tables of
that shape, and the second address is a function that returns at once.  A table of five slots is a plain rewrite pattern's
when it shares a function with those: the empty one in slot 3 (as upstream MLIR has it), or the accessor of the debug
name in slot 4 while slot 3 is a real function (as published notes on tileiras 13.1 have it).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from tilewright.abi.layouts.patterns import PATTERN_SHAPES, UPSTREAM_REWRITE_PATTERN
from tilewright.abi.table_shapes import (
    CONVERSION_PATTERN_TABLE,
    PASS_CONCEPT_TABLE,
    PREFIX_WORDS,
    REWRITE_PATTERN_TABLE,
    UPSTREAM_PASS_CONCEPT_TABLE,
)
from tilewright.inspect import arrays, findings as inspect_findings
from tilewright.inspect.code.bodies import Bodies, BodyKind, ShortBody
from tilewright.inspect.tables.vtables import VirtualTables, most_shared

MINIMUM_SHARING = 3
"""The minimum number of tables that share a pair of functions for it to count as a fingerprint."""
MANY = 8

NAME_SLOT = CONVERSION_PATTERN_TABLE.slot("get_debug_name")
REWRITE_SLOT = REWRITE_PATTERN_TABLE.slot("match_and_rewrite")
REWRITE_NAME_SLOT = REWRITE_PATTERN_TABLE.slot("get_debug_name")
NAME_FIELDS = (PATTERN_SHAPES["A"].offset("type_name"), UPSTREAM_REWRITE_PATTERN.offset("debug_name"))
"""The offsets at which patterns store the name that the accessor returns, one for each profile."""

STUBS = frozenset({BodyKind.EMPTY, BodyKind.CONSTANT, BodyKind.STRING, BodyKind.FIELD_STRING})


@dataclass(frozen=True)
class PatternTables:
    """The tables of patterns: indices of the ``conversion`` and of the ``rewrite`` pattern tables among all
    tables. ``shared`` are the two functions that all conversion patterns share, ``names`` the functions that
    return a name; ``evidence`` and ``confidence`` are for the conversion patterns.
    """

    conversion: arrays.Positions
    rewrite: arrays.Positions
    shared: tuple[int, int]
    names: frozenset[int]
    evidence: tuple[inspect_findings.Evidence, ...]
    confidence: float

    def addresses(self, tables: VirtualTables) -> set[int]:
        """Return the addresses of all tables of conversion and rewrite patterns; `tables` are the tables that
        the indices refer to.
        """
        return set(tables.address[np.concatenate([self.conversion, self.rewrite])].tolist())


def pattern_tables(tables: VirtualTables, bodies: Bodies) -> PatternTables:
    """Return the tables of patterns. If no fingerprint of conversion patterns is found, ``conversion``,
    ``names`` and the evidence are empty and ``shared`` is `(0, 0)`; tables of rewrite patterns may still be
    found.
    """
    candidates = tables.having(len(CONVERSION_PATTERN_TABLE.slots), plain=True)
    columns = [tables.slot(candidates, slot) for slot in CONVERSION_PATTERN_TABLE.invariant]
    for (first, second), rows in most_shared(columns):
        if len(rows) < MINIMUM_SHARING:
            break
        evidence = _fingerprint(bodies, first, second, len(rows))
        if evidence:
            conversion = candidates[rows]
            names = frozenset(tables.slot(conversion, NAME_SLOT).tolist())
            rewrite = _rewrite_tables(tables, bodies, second, names)
            confidence = inspect_findings.STRONG if len(rows) >= MANY else inspect_findings.LIKELY
            return PatternTables(conversion, rewrite, (first, second), names, evidence, confidence)
    nothing = np.empty(0, np.int64)
    rewrite = _rewrite_tables(tables, bodies, None, frozenset())
    return PatternTables(nothing, rewrite, (0, 0), frozenset(), (), inspect_findings.WEAK)


def _fingerprint(
    bodies: Bodies, first: int, second: int, count: int
) -> tuple[inspect_findings.Evidence, ...]:
    """Return the evidence that `count` tables that share the functions `first` (slot 2) and `second` (slot 3)
    belong to conversion patterns; empty if there is none. Bodies that are not known count from 16 tables on.
    """
    empty, other = bodies[second].kind, bodies[first].kind
    if empty is BodyKind.EMPTY and other not in STUBS:
        return (
            inspect_findings.Evidence(f"slot 2 holds {first:#x} in {count} tables of eight slots", first),
            inspect_findings.Evidence(
                f"slot 3 holds {second:#x} in the same tables; it returns at once", second
            ),
        )
    if empty is BodyKind.UNKNOWN and other is BodyKind.UNKNOWN and count >= 2 * MANY and first != second:
        return (
            inspect_findings.Evidence(
                f"slots 2 and 3 hold {first:#x} and {second:#x} in {count} tables of eight slots", first
            ),
        )
    return ()


def _rewrite_tables(
    tables: VirtualTables, bodies: Bodies, empty: int | None, names: frozenset[int]
) -> arrays.Positions:
    candidates = tables.having(len(REWRITE_PATTERN_TABLE.slots), plain=True)
    rewrite = tables.slot(candidates, REWRITE_SLOT).tolist()
    named = tables.slot(candidates, REWRITE_NAME_SLOT).tolist()
    keep = [
        _is_rewrite_table(bodies, third, fourth, empty, names)
        for third, fourth in zip(rewrite, named, strict=True)
    ]
    return candidates[np.array(keep, np.bool_)]


def _is_rewrite_table(
    bodies: Bodies, third: int, fourth: int, empty: int | None, names: frozenset[int]
) -> bool:
    if empty is not None and third == empty:
        return bodies[fourth].kind not in STUBS
    if bodies[third].kind is not BodyKind.OTHER:
        return False
    return returns_name(bodies[fourth]) and (not names or fourth in names or len(names) > MANY)


def returns_name(body: ShortBody) -> bool:
    """Return whether a function returns the string at the offset at which patterns hold their debug name, in
    either profile.
    """
    return body.kind is BodyKind.FIELD_STRING and body.number in NAME_FIELDS


def pattern_findings(
    tables: VirtualTables, found: PatternTables, bodies: Bodies
) -> Iterator[inspect_findings.BinaryFinding]:
    """Yield one finding for each table in `found`: conversion patterns, then rewrite patterns, each by
    address.
    """
    for address in sorted(tables.address[found.conversion].tolist()):
        yield inspect_findings.BinaryFinding(
            "conversion pattern table",
            f"table of 8 slots at {address:#x}",
            address,
            found.evidence,
            found.confidence,
            {"slots": 8},
        )
    order = np.argsort(tables.address[found.rewrite], kind="stable")
    members = found.rewrite[order]
    columns = [tables.address[members]] + [tables.slot(members, slot).astype(np.int64) for slot in (3, 4)]
    for address, third, fourth in zip(*(column.tolist() for column in columns), strict=True):
        yield _rewrite_finding(address, third, fourth, found, bodies)


def used_table_findings(
    tables: VirtualTables, found: PatternTables, users: Mapping[int, int]
) -> Iterator[inspect_findings.BinaryFinding]:
    """Yield a finding for each table in `users` that is not in `found`: only an object that points at it, and
    has the fields of a pattern, identifies it.

    ``users`` maps the address of a table, of five or eight slots, to the address of such an object.
    """
    kinds = {
        len(CONVERSION_PATTERN_TABLE.slots): "conversion pattern table",
        len(REWRITE_PATTERN_TABLE.slots): "rewrite pattern table",
    }
    known = found.addresses(tables)
    for address, user in sorted(users.items()):
        slots = tables.by_address[address]
        if address not in known:
            text = f"the object at {user:#x} points at it and holds what a pattern holds"
            name = f"table of {slots} slots at {address:#x}"
            yield inspect_findings.BinaryFinding(
                kinds[slots],
                name,
                address,
                (inspect_findings.Evidence(text, user),),
                inspect_findings.LIKELY,
                {"slots": slots},
            )


def _rewrite_finding(
    address: int, third: int, fourth: int, found: PatternTables, bodies: Bodies
) -> inspect_findings.BinaryFinding:
    evidence = [inspect_findings.Evidence("five code pointers behind two zero words", address)]
    if third == found.shared[1]:
        evidence.append(
            inspect_findings.Evidence(
                f"slot 3 holds {third:#x}, the empty function of conversion patterns", third
            )
        )
        confidence = inspect_findings.combined(inspect_findings.LIKELY, inspect_findings.LIKELY)
    else:
        offset = bodies[fourth].number
        evidence.append(inspect_findings.Evidence("slot 3 is a function with a body", third))
        evidence.append(
            inspect_findings.Evidence(
                f"slot 4 returns the string that the object holds at +{offset:#x}", fourth
            )
        )
        confidence = inspect_findings.combined(
            inspect_findings.LIKELY,
            inspect_findings.LIKELY if fourth in found.names else inspect_findings.WEAK,
        )
    return inspect_findings.BinaryFinding(
        "rewrite pattern table",
        f"table of 5 slots at {address:#x}",
        address,
        tuple(evidence),
        confidence,
        {"slots": 5},
    )


def _after_prefix(slot: int) -> int:
    """Return the number of a slot counted from the first code pointer; ``slot`` also counts the prefix words
    before it.
    """
    return slot - PREFIX_WORDS


PASS_MODEL_SLOTS = len(PASS_CONCEPT_TABLE.slots) - PREFIX_WORDS
PASS_MODEL_ORDERS = (
    (_after_prefix(PASS_CONCEPT_TABLE.slot("name")), _after_prefix(PASS_CONCEPT_TABLE.slot("is_required"))),
    (UPSTREAM_PASS_CONCEPT_TABLE.slot("name"), UPSTREAM_PASS_CONCEPT_TABLE.slot("is_required")),
)
"""Slots of the name and of the question whether the pass is required, in either profile."""


def pass_model_findings(tables: VirtualTables, bodies: Bodies) -> Iterator[inspect_findings.BinaryFinding]:
    """Yield a finding for each table of a pass model: six slots; one returns a constant name, another one 0
    or 1, and slot 2 has a real body.
    """
    members = tables.having(PASS_MODEL_SLOTS, plain=True)
    order = np.argsort(tables.address[members], kind="stable")
    members = members[order]
    rows = np.stack([tables.slot(members, slot) for slot in range(PASS_MODEL_SLOTS)], axis=1)
    for address, slots in zip(tables.address[members].tolist(), rows.tolist(), strict=True):
        finding = _pass_model(address, slots, bodies)
        if finding is not None:
            yield finding


def _pass_model(address: int, slots: list[int], bodies: Bodies) -> inspect_findings.BinaryFinding | None:
    for name_slot, required_slot in PASS_MODEL_ORDERS:
        name, required = bodies[slots[name_slot]], bodies[slots[required_slot]]
        if name.kind is not BodyKind.STRING or required.kind is not BodyKind.CONSTANT or required.number > 1:
            continue
        if bodies[slots[2]].kind in STUBS:
            continue
        evidence = (
            inspect_findings.Evidence("six code pointers behind two zero words", address),
            inspect_findings.Evidence(
                f"slot {name_slot + PREFIX_WORDS} returns the name '{name.text}'", slots[name_slot]
            ),
            inspect_findings.Evidence(
                f"slot {required_slot + PREFIX_WORDS} returns {required.number}", slots[required_slot]
            ),
        )
        details = {"slots": 8, "required": bool(required.number)}
        return inspect_findings.BinaryFinding(
            "pass model table", name.text, address, evidence, inspect_findings.STRONG, details
        )
    return None
