"""Atomic operations on integers, each of the table's, on edge values: as the ISA defines them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.ptxsim.definitions.edges import integers, rows_of
from tests.ptxsim.definitions.integers import Integers
from tests.ptxsim.harness import run
from tests.ptxsim.test_ptxsim_instructions import operands
from tilewright.ptx.table.instructions import by_name

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
    assert found == [OPERATIONS[op](kind.read(a), kind.read(b)) & kind.ones for a, b in rows]


@pytest.mark.parametrize("bits", [32, 64])
def test_compare_and_swap(bits: int) -> None:
    rows = [(a, b, c) for a in integers(bits)[::3] for b in integers(bits)[::3] for c in (a ^ 1, 7)]
    types = f"b{bits} b{bits} b{bits} -> b{bits}"
    place = f".shared .b64 cell[1024]; mov.u32 %w0, cell; mad.lo.u32 %w0, %t, 8, %w0; st.shared.b{bits} [%w0], %a;"
    body = f"{place} atom.shared.cas.b{bits} %r, [%w0], %b, %c;"
    assert run(body, types, *operands(types, rows)).tolist() == [a for a, _, _ in rows]
    found = run(f"{body} ld.shared.b{bits} %r, [%w0];", types, *operands(types, rows)).tolist()
    assert found == [c if a == b else a for a, b, c in rows]
