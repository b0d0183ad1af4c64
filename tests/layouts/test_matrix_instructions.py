"""The table of matrix instructions is that of the PTX ISA, which `tilewright.ptx` has as text."""

from __future__ import annotations

import pytest

from tilewright.dialects.common.chips import CHIPS
from tilewright.layouts.matrix_instructions import (
    INSTRUCTIONS,
    MatrixInstruction,
    multiplication,
    multiplications,
)
from tilewright.ptx.table.matrix import FORMS


def stated() -> dict[tuple[str, str, str, str], int]:
    """By shape and types of A, B and the sum, the first chip that has a dense product by the ISA."""
    found: dict[tuple[str, str, str, str], int] = {}
    for form in FORMS:
        if form.name != "mma.sync.aligned":
            continue
        words = {slot.name: slot.choices for slot in form.slots}
        if {"kind", "vector"} & set(words):
            continue
        for shape in words["shape"]:
            for a in words["atype"]:
                for b in words["btype"]:
                    for total in words["dtype"]:
                        found[shape, a, b, total] = form.sm
    return found


# Of single bits the instruction set's table has one row for all shapes, with the first chip of the smallest one.
@pytest.mark.parametrize(
    "row", [row for row in INSTRUCTIONS if row.bits > 1], ids=lambda row: f"{row.ptx_shape}-{row.factors[0]}"
)
def test_every_row_is_in_the_instruction_set(row: MatrixInstruction) -> None:
    table = stated()
    for a in row.factors:
        for b in row.factors:
            for total in row.sums:
                assert table[row.ptx_shape, a, b, total] == row.since


def test_every_dense_product_of_the_instruction_set_has_a_row() -> None:
    ours = {
        (row.ptx_shape, a, b, total)
        for row in INSTRUCTIONS
        for a in row.factors
        for b in row.factors
        for total in row.sums
    }
    assert {key for key in set(stated()) - ours if key[:2] != ("m8n8k4", "f16")} == set()


def test_the_largest_instruction_comes_first_and_is_found_by_its_name() -> None:
    found = multiplications("f16", "f16", "f32", 80)
    assert [one.instruction.ptx_shape for one in found] == ["m16n8k16", "m16n8k8"]
    assert [one.name for one in multiplications("s8", "u8", "s32", 75)] == ["mma_m8n8k16_s8_u8_s32"]
    assert all(multiplication(one.name) == one for one in found)
    assert multiplication("mma_m16n8k4_f16_f16_f32") is None
    assert multiplication("universal_fma") is None


SPELLED = {
    "f16": "f16",
    "bf16": "bf16",
    "tf32": "tf32",
    "f64": "f64",
    "e4m3": "f8E4M3FN",
    "e5m2": "f8E5M2",
    "s8": "i8",
}


@pytest.mark.parametrize("factor", SPELLED)
def test_chips_multiply_what_they_have_an_instruction_for(factor: str) -> None:
    total = {"s8": "s32", "f64": "f64"}.get(factor, "f32")
    for chip in CHIPS.values():
        assert bool(multiplications(factor, factor, total, chip.number)) == (SPELLED[factor] in chip.factors)
