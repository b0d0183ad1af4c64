"""Assembly formats: what declarations may get wrong, optional attributes, lists of numbers, unregistered properties."""

from __future__ import annotations

from enum import Enum
from typing import Any, ClassVar

import pytest

from tilewright.dialects.common.kinds import IntegerEnumKind
from tilewright.dialects.common.operand_lists import MISSING_OPERAND, DynamicIndexList
from tilewright.ir import codes
from tilewright.ir.arithmetic.affine import (
    AffineDimension,
    AffineMap,
    AffineMapAttr,
    AffineSymbol,
    identity_map,
)
from tilewright.ir.arithmetic.strided_layout import StridedLayoutAttr
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import MemRefType, UnrankedMemRefType, f32, i32, i64, index
from tilewright.ir.context import Context
from tilewright.ir.declaration.attribute_kind import DenseArrayKind, StringKind
from tilewright.ir.declaration.constraint import ANY_TYPE, OneOf
from tilewright.ir.declaration.fields import attr_def, operand_def, optional_attr_def, variadic_operand_def
from tilewright.ir.declaration.traits import Trait, VerifyError
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.dialect import Dialect
from tilewright.ir.equality import difference
from tilewright.ir.operation import Operation
from tilewright.ir.text.format.spec import FormatError, parse_format
from tilewright.ir.text.parser import parse_module
from tilewright.ir.uniquer import InvalidParameters
from tilewright.ir.value import Value
from tilewright.ir.verifier import verify


class Colour(Enum):
    RED = 0
    GREEN = 1


class AlwaysWrong(Trait):
    def verify_regions(self, op: Operation) -> None:
        raise VerifyError("is wrong")


class LabelOp(Operation, name="form.label"):
    label: str = attr_def(StringKind(), "The label.")
    value: Value = operand_def(ANY_TYPE, "A value.")
    assembly_format: ClassVar[str] = "$label `:` type($value) $value attr-dict"


class PaintOp(Operation, name="form.paint"):
    colour: Colour | None = optional_attr_def(IntegerEnumKind(Colour, i32), "The colour.", default=None)
    note: str | None = optional_attr_def(StringKind(), "A note.", default=None)
    assembly_format: ClassVar[str] = "($colour^)? (`fast` $note^)? attr-dict"


class ListOp(Operation, name="form.list"):
    numbers: tuple[int, ...] = attr_def(DenseArrayKind(i64), "All numbers.")
    unknown: tuple[Value, ...] = variadic_operand_def(OneOf((index,), "index"), "Those that are operands.")
    format_directives: ClassVar[dict[str, Any]] = {"DynamicIndexList": DynamicIndexList()}
    assembly_format: ClassVar[str] = "`of` (custom<DynamicIndexList>($unknown, $numbers)^)? attr-dict"


class StrangeOp(Operation, name="form.strange"):
    assembly_format: ClassVar[str] = "mystery attr-dict"


class HomelessOp(Operation, name="form.homeless"):
    assembly_format: ClassVar[str] = "custom<Nowhere>() attr-dict"


class LostOp(Operation, name="form.lost"):
    assembly_format: ClassVar[str] = "$nobody attr-dict"


class LeafOp(Operation, name="form.leaf"):
    traits = (AlwaysWrong(),)


CONTEXT = Context(
    [Dialect("form", operations=(LabelOp, PaintOp, ListOp, StrangeOp, HomelessOp, LostOp, LeafOp))],
    allow_unregistered=True,
)
MALFORMED = {
    StrangeOp: "unknown directive 'mystery'",
    HomelessOp: "there is no custom directive 'Nowhere'",
    LostOp: "there is no field 'nobody'",
}


def parsed(line: str, values: str = '%0:2 = "test.values"() : () -> (index, index)') -> Operation:
    """A region with values and an operation that uses them."""
    return parse_module(CONTEXT, f'"test.region"() ({{\n  {values}\n  {line}\n}}) : () -> ()')


def again(line: str) -> str:
    """A line as it is printed after it was read; it must read back as the same operation."""
    module = parsed(line)
    text = module.print()
    assert difference(module, parse_module(CONTEXT, text)) is None
    return text.splitlines()[2].strip()


@pytest.mark.parametrize(
    "line",
    [
        'form.label "x" : index %0#0',
        "form.paint",
        "form.paint red",
        'form.paint fast "furious"',
        'form.paint green fast "furious" {more}',
        "form.list of []",
        "form.list of [1, -2]",
        "form.list of [%0#1, 7, %0#0] {more = 1 : i32}",
    ],
)
def test_lines_are_printed_as_they_were_read(line: str) -> None:
    assert again(line) == line


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("form.label 1 : index %0#0", "expected attribute value, got '1'"),
        ("form.list of [1,]", "expected integer value, got ']'"),
        ("form.list of [1 2]", "expected ',', got '2'"),
        ("form.list of [%0#0", "expected ','"),
    ],
)
def test_mistakes_are_placed(line: str, message: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        parsed(line)
    assert caught.value.diagnostics[0].message.startswith(message)


def test_a_list_with_too_few_operands_still_prints() -> None:
    module = parsed(
        '"form.list"(%0#0) <{numbers = array<i64: -9223372036854775808, -9223372036854775808>}> : (index) -> ()'
    )
    assert f"form.list of [%0#0, {MISSING_OPERAND}]" in module.print()


@pytest.mark.parametrize("op_class", MALFORMED, ids=lambda c: c.op_kind.name)
def test_malformed_declarations_are_diagnostics(op_class: type[Operation]) -> None:
    name = op_class.op_kind.name
    module = parsed(f'"{name}"() : () -> ()')
    for act in (lambda: parsed(name), module.print):
        with pytest.raises(DiagnosticError) as caught:
            act()
        (diagnostic,) = caught.value.diagnostics
        assert diagnostic.code is codes.MALFORMED_DECLARATION
        assert MALFORMED[op_class] in diagnostic.message
        assert diagnostic.hints


@pytest.mark.parametrize("text", ["($a)?", "mystery", "$a `", "(`x`^", "custom<A>"])
def test_malformed_formats_are_refused(text: str) -> None:
    with pytest.raises(FormatError):
        parse_format(text)


def test_region_rules_hold_for_operations_without_regions() -> None:
    module = parsed('"form.leaf"() : () -> ()\n  "form.leaf"() : () -> ()')
    assert [error.message for error in verify(module, all_errors=True)] == ["'form.leaf' op is wrong"] * 2


def test_properties_of_unregistered_operations_stay_apart() -> None:
    lines = (
        '"test.some"() <{a = 1 : i64}> {b} : () -> ()',
        '"test.some"() {a = 1 : i64, b} : () -> ()',
        '"test.some"() <{a = 1 : i64, b}> : () -> ()',
        '"test.some"() <{a = 1 : i64}> ({\n}) {b} : () -> ()',
    )
    assert [again(line) for line in lines[:3]] == list(lines[:3])
    assert '"test.some"() <{a = 1 : i64}> ({' in parsed(lines[3]).print()
    assert difference(parsed(lines[0]), parsed(lines[1])) is not None


def test_a_name_is_no_property_and_attribute_at_once() -> None:
    with pytest.raises(DiagnosticError, match="'a' is both a property and an attribute"):
        parsed('"test.some"() <{a = 1}> {a = 2} : () -> ()')


def test_default_layouts_and_spaces_are_left_out() -> None:
    plain = MemRefType((4, 8), f32)
    assert MemRefType((4, 8), f32, AffineMapAttr(identity_map(2))) is plain
    assert MemRefType((4, 8), f32, None, IntegerAttr(i32, 0)) is plain
    assert UnrankedMemRefType(f32, IntegerAttr(i64, 0)) is UnrankedMemRefType(f32)
    swapped = AffineMapAttr(AffineMap(2, 0, (AffineDimension(1), AffineDimension(0))))
    with_symbol = AffineMapAttr(AffineMap(2, 1, (AffineDimension(0), AffineDimension(1) + AffineSymbol(0))))
    for layout in (swapped, with_symbol):
        assert MemRefType((4, 8), f32, layout).layout is layout


def test_layouts_have_one_dimension_per_extent() -> None:
    for layout in (StridedLayoutAttr((5,)), AffineMapAttr(identity_map(1))):
        with pytest.raises(InvalidParameters, match="between rank and affine map: 2 != 1"):
            MemRefType((4, 8), f32, layout)
