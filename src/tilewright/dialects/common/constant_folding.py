"""Constant folding: a rule on bit patterns of scalars folds numbers, splats and dense elements.

A rule takes an unsigned bit pattern for each operand and returns the bit pattern of the result, which is
truncated to its width. It returns None if the result is not known; then nothing is folded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from tilewright.dialects.common.constraints import VALUE_SHAPED, value_element_type
from tilewright.ir.arithmetic.float_format import FloatFormat
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import DenseElementsAttr, FloatAttr, IntegerAttr, element_bytes
from tilewright.ir.builtin_types import FloatType, IndexType, IntegerType, element_count
from tilewright.ir.operation import FoldResult, Operation
from tilewright.ir.value import Value

_Op = TypeVar("_Op", bound=Operation)

SCALAR_INTEGER = (IntegerType, IndexType)
INDEX_BITS = 64
"""Bits in which index constants are computed and held."""
MAXIMUM_ELEMENTS = 1 << 16
"""Larger dense constants are not computed element by element; splats of any size are folded."""

Number = IntegerAttr | FloatAttr | DenseElementsAttr
Constants = Sequence[Attribute | None]
Patterns = Sequence[int]
Unary = Callable[[int], int | None]
Binary = Callable[[int, int], int | None]
Ternary = Callable[[int, int, int], int | None]
Rule = Unary | Binary | Ternary


def is_number(attribute: Attribute | None) -> bool:
    """Return whether an attribute is a number, or a vector or tensor of numbers."""
    return isinstance(attribute, Number)


def bit_width(type: Type) -> int:
    """Return the bits of a scalar, or of the elements of a vector or tensor; `INDEX_BITS` for index, 0 for
    other types.
    """
    element = value_element_type(type)
    if isinstance(element, IntegerType | FloatType):
        return element.width
    return INDEX_BITS if isinstance(element, IndexType) else 0


def float_format(type: Type) -> FloatFormat | None:
    """Return the format of a float type, or of the elements of a vector or tensor; None for other types."""
    element = value_element_type(type)
    return element.format if isinstance(element, FloatType) else None


def scalar_patterns(attribute: Attribute | None) -> Patterns | None:
    """Return the bit patterns of a constant: one for a number or a splat, else one for each element. None for
    other attributes, and for more than `MAXIMUM_ELEMENTS` elements that are no splat.
    """
    if isinstance(attribute, IntegerAttr):
        return (attribute.unsigned,)
    if isinstance(attribute, FloatAttr):
        return (attribute.bits,)
    if isinstance(attribute, DenseElementsAttr):
        return attribute.patterns() if attribute.is_splat or attribute.count <= MAXIMUM_ELEMENTS else None
    return None


def splat_pattern(attribute: Attribute | None) -> int | None:
    """Return the bit pattern of a number, or of all elements of a splat; None for everything else."""
    if attribute is None or type(attribute) is IntegerAttr:
        return attribute.unsigned if attribute is not None else None
    patterns = scalar_patterns(attribute) if is_number(attribute) else None
    if patterns is None or (isinstance(attribute, DenseElementsAttr) and not attribute.is_splat):
        return None
    return patterns[0]


def is_zero(attribute: Attribute | None) -> bool:
    """Return whether a constant is the integer 0 (or the float +0) in every element; False for None and other
    attributes.
    """
    if attribute is None or isinstance(attribute, IntegerAttr):
        return attribute is not None and attribute.value == 0
    return splat_pattern(attribute) == 0


def is_one(attribute: Attribute | None) -> bool:
    """Return whether a constant is the integer 1 in every element; False for None, floats and other
    attributes.
    """
    return splat_pattern(attribute) == 1 and not is_float_constant(attribute)


def is_float_constant(attribute: Attribute | None) -> bool:
    """Return whether a constant is a float, or a vector or tensor of floats; False for None."""
    type: Any = getattr(attribute, "type", None)
    return type is not None and float_format(type) is not None


def is_all_ones(attribute: Attribute | None) -> bool:
    """Return whether a constant has all bits set in every element, as the integer -1 has; False for None and
    other attributes.
    """
    if not is_number(attribute):
        return False
    width = bit_width(getattr(attribute, "type"))  # noqa: B009 - the three classes of numbers have it
    return splat_pattern(attribute) == (1 << width) - 1


def make_constant(type: Type, patterns: Patterns) -> Attribute | None:
    """Return a constant of a type from one bit pattern (all elements) or one for each element; None if the
    type has no constants, such as a shape that is not static.
    """
    width = bit_width(type)
    if isinstance(type, VALUE_SHAPED):
        return _dense(type, patterns, width)
    if isinstance(type, FloatType):
        return FloatAttr(type, patterns[0])
    return IntegerAttr(type, patterns[0]) if width and len(patterns) == 1 else None


def _dense(type: Any, patterns: Patterns, width: int) -> Attribute | None:
    shape: Sequence[int] = getattr(type, "shape", (-1,))
    if width == 0 or any(extent < 0 for extent in shape):
        return None
    kept = patterns[:1] if patterns and all(entry == patterns[0] for entry in patterns) else patterns
    if element_count(tuple(shape)) == 0:
        kept = ()
    size, mask = element_bytes(type.element_type), (1 << width) - 1
    return DenseElementsAttr(type, b"".join((pattern & mask).to_bytes(size, "little") for pattern in kept))


def splat_of(type: Type, pattern: int) -> Attribute | None:
    """Return the constant of a type with one bit pattern in every element; None if the type has no constants."""
    return make_constant(type, (pattern,))


def fold_elements(
    constants: Constants, types: Sequence[Type], rule: Callable[..., Any]
) -> list[Attribute] | None:
    """Return the constants of the types ``types``, computed element by element: ``rule`` gets the bit
    patterns of the operands, and returns a tuple with a pattern for each result. None if an operand is not a
    constant with known elements, if ``rule`` returns None, or if a type has no constants.
    """
    if None in constants:
        return None
    columns = [scalar_patterns(constant) for constant in constants]
    if not columns or any(column is None for column in columns):
        return None
    known = [column for column in columns if column is not None]
    length = max(map(len, known)) if all(known) else 0
    rows = [[*column] * length if len(column) == 1 else column for column in known]
    answers: list[Any] = [rule(*row) for row in zip(*rows, strict=True)]
    if any(answer is None for answer in answers):
        return None
    masks = [(1 << bit_width(type)) - 1 for type in types]
    found: list[Attribute] = []
    for position, (type, mask) in enumerate(zip(types, masks, strict=True)):
        made = make_constant(type, [answer[position] & mask for answer in answers])
        if made is None:
            return None
        found.append(made)
    return found


def fold_scalars(constants: Constants, type: Type, rule: Rule) -> Attribute | None:
    """Return the constant of type ``type`` that ``rule`` computes, element by element, from the bit patterns
    of the operands. Return None if an operand is not a constant with known elements, if ``rule`` returns
    None, or if ``type`` has no constants. See `fold_elements` for several results.
    """
    if None in constants:
        return None
    apply: Any = rule
    integers = [constant.unsigned for constant in constants if isinstance(constant, IntegerAttr)]
    if len(integers) == len(constants) and isinstance(type, SCALAR_INTEGER):  # by far the most frequent case
        only: int | None = apply(*integers)
        return None if only is None else IntegerAttr(type, only)

    def in_tuple(*patterns: int) -> tuple[int] | None:
        answer: int | None = apply(*patterns)
        return None if answer is None else (answer,)

    found = fold_elements(constants, [type], in_tuple)
    return found[0] if found is not None else None


def fold_constant(op: Operation, constants: Constants) -> FoldResult:
    """Fold a constant operation to its attribute ``value``."""
    return op.held_attributes.get("value")


def fold_same_type(op: Operation, constants: Constants) -> Value | None:
    """Return the operand of an operation that changes at most the type of its operand, if the result has the
    operand's type; else None.
    """
    source = op.operands[0]
    return source if source.type is op.results[0].type else None


def defined_by(value: Value, *op_classes: type[_Op]) -> _Op | None:
    """Return the operation that defines a value, if it is an instance of one of `op_classes`; else None."""
    owner = value.owner
    return owner if isinstance(owner, op_classes) else None


def held_flags(op: Operation, name: str) -> int:
    """Return the bits of a flags attribute; 0 if it is absent."""
    attribute: Any = op.held_attributes.get(name)
    return attribute.value.value if attribute is not None else 0
