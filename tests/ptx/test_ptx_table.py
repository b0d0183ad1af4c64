"""The table of instructions: every row is sound, and every row can be written and read."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests import golden
from tilewright.ptx.matching import assign
from tilewright.ptx.model import Address, IntegerConstant, Name, Operand, PtxInstruction, Vector
from tilewright.ptx.parser import parse
from tilewright.ptx.printer import print_instruction
from tilewright.ptx.registers import CLASSES, POOLS, SPECIAL, registers_text
from tilewright.ptx.table.instructions import FORMS, by_name, forms_text, lookup
from tilewright.ptx.table.notation import InstructionForm, OperandForm
from tilewright.ptx.value_types import TYPES, fits

LISTING = Path(__file__).parent / "data" / "forms.txt"


def listed(form: InstructionForm) -> str:
    """A line with all that a row says: since when, where, the modifiers with their choices, and the operands."""
    since = f"{form.ptx[0]}.{form.ptx[1]} sm_{form.sm} {form.section}{' wider' if form.wider else ''}"
    slots = "".join(f" {slot.name}={'|'.join(slot.choices)}{'?' * slot.optional}" for slot in form.slots)
    return f"{form.name}{slots} :{''.join(map(listed_operand, form.operands))} # {since}"


def listed_operand(operand: OperandForm) -> str:
    marks = ">" * operand.written + "!" * operand.negatable
    shape = (f"*{operand.count}" if operand.count else "") + (f"|{operand.second}" if operand.second else "")
    kind = "" if operand.sort == "register" else f"{operand.sort} "
    return f" {kind}{marks}{operand.name}:{operand.type}{shape}{'?' * operand.optional},"


def test_rows_are_those_of_the_listing(bless: bool) -> None:
    golden.compare(LISTING, "".join(f"{listed(form)}\n" for form in FORMS), bless=bless)


def sample(place: OperandForm) -> Operand:
    """An operand of the kind that a place takes."""
    if place.sort == "address":
        return Address(Name("w"))
    if place.sort == "tensor":
        return Address(Name("w"), 0, (Name("a"),))
    if place.sort == "constant":
        return IntegerConstant(1)
    return Vector((Name("a"), Name("b"))) if place.count and place.sort == "register" else Name("a")


def least(form: InstructionForm) -> PtxInstruction:
    """The form with the first choice of each modifier that it needs, and the operands that it needs."""
    chosen = {slot.name: slot.choices[0] for slot in form.slots if not slot.optional}
    operands = [sample(place) for place in form.operands if not place.optional]
    assigned = assign(form, chosen, operands)
    assert assigned is not None
    return PtxInstruction(form, tuple(chosen.items()), assigned)


@pytest.mark.parametrize("name", by_name())
def test_every_form_can_be_written_and_read(name: str) -> None:
    for form in by_name()[name]:
        text = print_instruction(least(form))
        module = parse(f".version 9.0\n.target sm_100a\n.func f()\n{{\n{text}\n}}\n")
        body = module.functions()["f"].body
        assert body is not None
        (found,) = body.statements
        assert isinstance(found, PtxInstruction)
        assert print_instruction(found) == text
        spelt = tuple(text.partition(" ")[0].rstrip(";").split("."))
        assert form in [candidate for candidate, _ in lookup(spelt)]


def test_rows_are_distinct() -> None:
    rows = [(form.name, form.slots, form.operands) for form in FORMS]
    assert len(set(rows)) == len(rows)


def test_every_form_names_its_section() -> None:
    assert {form.section.startswith("9.7.") for form in FORMS} == {True}


def test_types_fit_by_width_and_kind() -> None:
    names = ("b32", "u32", "s32", "f32", "b64", "f64", "pred")
    narrow = {(a, b) for a, b in product(names, names) if fits(TYPES[a], TYPES[b])}
    assert {("u32", "s32"), ("b32", "f32"), ("f32", "b32"), ("pred", "pred"), ("b64", "f64")} <= narrow
    assert narrow.isdisjoint({("u32", "f32"), ("f32", "s32"), ("b64", "b32"), ("pred", "b32")})
    assert fits(TYPES["b64"], TYPES["u8"], wider=True)
    assert not fits(TYPES["b32"], TYPES["u64"], wider=True)


def test_register_classes_name_their_pools() -> None:
    assert set(POOLS) == {"%p", "%rb", "%rs", "%r", "%f", "%rd", "%fd", "%rq"}
    assert POOLS["%p"].declaration(4) == ".reg .pred %p<4>;"
    assert POOLS["%rd"].declaration(2) == ".reg .b64 %rd<2>;"
    assert [row.number for row in CLASSES] == list(range(len(CLASSES)))
    assert [row.subclass_mask for row in CLASSES] == [1 << row.number for row in CLASSES]
    assert SPECIAL["%tid.x"] == "u32"
    assert SPECIAL["%clock64"] == "u64"


def test_the_list_of_registers() -> None:
    """A line for each class, then one for each special register."""
    classes, _, special = registers_text().partition("\n\n")
    lines = [line.split() for line in classes.splitlines()]
    assert len(lines) == len(CLASSES)
    assert lines[1] == [
        "1",
        "Int16Regs",
        "%rs",
        "16-bit",
        "integer",
        "subclasses",
        "0x02",
        ".reg",
        ".b16",
        "%rs<1>;",
    ]
    assert lines[2] == [
        "2",
        "SpecialRegs",
        "%",
        "special",
        "register",
        "subclasses",
        "0x04",
        "set",
        "by",
        "the",
        "machine",
    ]
    assert special.splitlines() == [f"{name} .{type}" for name, type in SPECIAL.items()]


def test_the_list_of_forms() -> None:
    """A slot with one choice is told by the syntax alone; names stand for all that begin with them."""
    assert forms_text("nothing") is None
    assert forms_text("movmatrix.sync.aligned") == (
        "movmatrix.sync.aligned.m8n8.trans.b16 d, a;\n  since PTX 7.8, sm_75; ISA section 9.7.14"
    )
    text = forms_text("brev")
    assert text is not None
    assert text.splitlines()[1] == "  .type: .b32 .b64"
    several = forms_text("cp.async.bulk.tensor")
    assert several is not None
    assert len(several.split("\n\n")) == len(by_name()["cp.async.bulk.tensor"]) > 1
    assert forms_text("movmatrix") == forms_text("movmatrix.sync.aligned")
