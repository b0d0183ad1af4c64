"""Atomic operations, each of the table's, on edge values: as the ISA defines them.

Sums in f32 flush subnormal numbers in global memory and keep them in shared memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
import pytest

from tests.ptxsim.definitions.edges import edges, integers, rows_of
from tests.ptxsim.definitions.floating import arithmetic
from tests.ptxsim.definitions.integers import Integers
from tests.ptxsim.definitions.kernels import allowed
from tests.ptxsim.definitions.numbers import FORMATS
from tests.ptxsim.harness import run, run_lanes
from tests.ptxsim.test_ptxsim_instructions import operands
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptx.table.instructions import by_name
from tilewright.ptx.table.notation import InstructionForm
from tilewright.ptx.value_types import TYPES

OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "and": lambda old, b: old & b,
    "or": lambda old, b: old | b,
    "xor": lambda old, b: old ^ b,
    "exch": lambda old, b: b,
    "add": lambda old, b: old + b,
    "inc": lambda old, b: 0 if old >= b else old + 1,
    "dec": lambda old, b: b if old == 0 or old > b else old - 1,
    "min": lambda old, b: min(old, b),
    "max": lambda old, b: max(old, b),
}
PAIRS = sorted(
    {
        (op, type_name)
        for form in by_name()["atom"]
        if len(form.operands) == 4 and not any(one.count for one in form.operands)
        for slot in form.slots
        for op in slot.choices
        if op in OPERATIONS
        for type_name in next((one.choices for one in form.slots if one.name == "type"), ())
        if type_name in ("b32", "b64", "u32", "u64", "s32", "s64")
    }
)


def test_the_table_has_operations_of_all_kinds() -> None:
    assert {op for op, _ in PAIRS} == set(OPERATIONS)


@pytest.mark.parametrize(("op", "type_name"), PAIRS)
def test_old_and_new_values(op: str, type_name: str) -> None:
    kind, bits = Integers(type_name), int(type_name[1:])
    rows = rows_of([integers(bits)] * 2, (1, 1), (bits, bits), 400)
    types = f"b{bits} b{bits} -> b{bits}"
    place = f".shared .b64 cell[1024]; mov.u32 %w0, cell; mad.lo.u32 %w0, %t, 8, %w0; st.shared.b{bits} [%w0], %a;"
    body = f"{place} atom.shared.{op}.{type_name} %r, [%w0], %b;"
    assert run(body, types, *operands(types, rows)).tolist() == [a for a, _ in rows]
    found = run(f"{body} ld.shared.b{bits} %r, [%w0];", types, *operands(types, rows)).tolist()
    expected = [OPERATIONS[op](kind.read(a), kind.read(b)) & kind.ones for a, b in rows]
    assert found == expected
    if op == "exch":
        return  # there is no such reduction
    body = f"{place} red.shared.{op}.{type_name} [%w0], %b; ld.shared.b{bits} %r, [%w0];"
    assert run(body, types, *operands(types, rows)).tolist() == expected


@pytest.mark.parametrize("bits", [32, 64])
def test_compare_and_swap(bits: int) -> None:
    rows = [(a, b, c) for a in integers(bits)[::3] for b in integers(bits)[::3] for c in (a ^ 1, 7)]
    types = f"b{bits} b{bits} b{bits} -> b{bits}"
    place = f".shared .b64 cell[1024]; mov.u32 %w0, cell; mad.lo.u32 %w0, %t, 8, %w0; st.shared.b{bits} [%w0], %a;"
    body = f"{place} atom.shared.cas.b{bits} %r, [%w0], %b, %c;"
    assert run(body, types, *operands(types, rows)).tolist() == [a for a, _, _ in rows]
    found = run(f"{body} ld.shared.b{bits} %r, [%w0];", types, *operands(types, rows)).tolist()
    assert found == [c if a == b else a for a, b, c in rows]


# --- floats

LANES = {"": 1, "v2": 2, "v4": 4, "v8": 8}
WIDEST = 128
"""Bits of the widest vector."""


def _sums_and_extremes(form: InstructionForm) -> Iterator[tuple[str, str, str, str]]:
    """Instruction, operation, vector and type of each variant for floats."""
    choices = {slot.name: slot.choices for slot in form.slots}
    ops = choices.get("op") or (("add",) if "add" in choices else ())
    for op, vec, kind in product(ops, choices.get("vec", ("",)), choices.get("type", ("f32",))):
        is_float = kind.removesuffix("x2") in FORMATS
        if is_float and LANES[vec] * TYPES[kind].bits <= WIDEST:
            yield (form.name, op, vec, kind)


FLOATS = sorted(
    {one for name in ("atom", "red") for form in by_name()[name] for one in _sums_and_extremes(form)}
)
PLACED = [
    (*one, space) for one in FLOATS for space in ("global", "shared") if space == "global" or not one[2]
]
"""Vectors are in global memory only."""


def test_the_table_has_floats_of_all_kinds() -> None:
    assert len(FLOATS) == 2 * (6 + 2 + 3 * (2 * 3 + 2 * 2))


@pytest.mark.parametrize(("name", "op", "vec", "kind", "space"), PLACED)
def test_floats(name: str, op: str, vec: str, kind: str, space: str) -> None:
    count, bits, element = LANES[vec], TYPES[kind].bits, kind.removesuffix("x2")
    packed = 2 if kind.endswith("x2") else 1
    rows = rows_of([edges(kind)] * 2, (packed, packed), (bits, bits), 384)
    rows = rows[: len(rows) // count * count]
    old, new = (
        np.array(column, np.uint64).astype(f"u{bits // 8}").reshape(-1, count)
        for column in zip(*rows, strict=True)
    )
    spelling = ".".join(
        word for word in (name, space, op, "noftz" * (bits <= 32 and element != "f32"), vec, kind) if word
    )
    place = f"ld.param.b64 %x, [a_in]; mad.wide.u32 %x, %t, {count * bits // 8}, %x;"
    if space == "shared":
        place = f".shared .b64 cell[1024]; mov.b64 %x, cell; mad.wide.u32 %x, %t, 8, %x; st.shared.b{bits} [%x], %a0;"
    target = "" if name == "red" else "{r}, " if vec else "%r0, "
    body = f"{place} {spelling} {target}[%x], {'{b}' if vec else '%b0'};"
    inputs = {"a": old, "b": new}
    if name == "atom":
        assert (run_lanes(body, {**inputs, "a": old.copy()}, count, width=bits) == old).all()
    loads = "".join(f"ld.{space}.b{bits} %r{at}, [%x+{at * bits // 8}];" for at in range(count))
    found = run_lanes(body + loads, {**inputs, "a": old.copy()}, count, width=bits).ravel().tolist()
    flushes = {"ftz": "ftz"} if element == "f32" and space == "global" else {}
    define, form = arithmetic(op, {"type": element, **flushes}), FORMATS[element]
    for (a, b), word in zip(rows, found, strict=True):
        parts = zip(*(_split(one, bits, packed) for one in (a, b, word)), strict=True)
        right = all(allowed(define(first, second), one, form) for first, second, one in parts)
        assert right, f"{spelling} {a:#x}, {b:#x}: {word:#x}"


def _split(word: int, bits: int, count: int) -> list[int]:
    """The elements of a packed word, the lowest first."""
    width = bits // count
    return [word >> at * width & ((1 << width) - 1) for at in range(count)]


def test_words_of_sixteen_bytes_and_bytes_that_arrive_elsewhere_are_refused() -> None:
    words = ".reg .b128 %q1, %q2; .shared .align 16 .b8 cell[16]; "
    for body in (
        "atom.shared.exch.b128 %q1, [cell], %q2;",
        "atom.shared.cas.b128 %q1, [cell], %q2, %q2;",
    ):
        with pytest.raises(DiagnosticError, match="is not simulated"):
            run(words + body, "b32 -> b32", [0])
    with pytest.raises(DiagnosticError, match="is not simulated"):
        run(
            ".shared .b32 cell; red.async.relaxed.cluster.shared::cluster.inc.u32 [cell], %a;",
            "b32 -> b32",
            [0],
        )
