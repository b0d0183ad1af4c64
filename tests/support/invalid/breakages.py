"""Everything that can be broken about one operation, one thing at a time, read off its declaration.

A breakage is a change of an operation in a valid module.  It says what the operation's own check must answer, where
the declaration tells the words; without words it is enough that the verifier of the module finds an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from tilewright.dialects.builtin.dialect import UnrealizedConversionCastOp
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import (
    ArrayAttr,
    DenseArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    dense_integers,
)
from tilewright.ir.builtin_types import (
    FunctionType,
    IntegerType,
    MemRefType,
    RankedTensorType,
    VectorType,
    f32,
    f64,
    i1,
    i32,
    index,
    none,
)
from tilewright.ir.context import Context
from tilewright.ir.declaration.attribute_kind import UnitKind
from tilewright.ir.declaration.fields import MISSING, Arity, AttributeField
from tilewright.ir.declaration.kind import OPERAND_SEGMENTS
from tilewright.ir.declaration.traits import HasParent, IsolatedFromAbove, NoTerminator
from tilewright.ir.dominance import GraphRegion
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.testing.relations import Groups, relations

_CONTEXT = Context(allow_unregistered=True)

REFUSED_TYPES: tuple[Type, ...] = (
    none,
    f32,
    i1,
    i32,
    index,
    IntegerType(8, "signed"),
    MemRefType((2,), none),
    RankedTensorType((2,), none),
    FunctionType((), ()),
)
"""Types one of which every constraint refuses that refuses any."""
OTHER_TYPES: tuple[Type, ...] = (
    *(IntegerType(width) for width in (1, 8, 16, 32, 64)),
    *(VectorType((3, 5), element) for element in (i32, f32, i1, f64, index)),
    *(RankedTensorType((3, 5, 7), element) for element in (i32, f32, i1, f64, index)),
)
"""More types, of shapes that nothing else has."""
REFUSED_ATTRIBUTES: tuple[Attribute, ...] = (
    UnitAttr(),
    DictionaryAttr(()),
    ArrayAttr((UnitAttr(),)),
    StringAttr("wrong"),
    IntegerAttr(IntegerType(7), 5),
)


class Breakage(NamedTuple):
    """A change that breaks one rule."""

    name: str
    apply: Callable[[Operation], object]
    words: str = ""
    """How the message of the operation's own check begins; empty if the declaration does not tell."""


def breakages(op: Operation, types: Sequence[Type]) -> Iterator[Breakage]:
    """Every way to break one rule of an operation; ``types`` are further types to try."""
    for source in (_counts, _attributes, _regions, _terminators, _places, _uses):
        yield from source(op)
    yield from _wrong_types(op, types)
    yield from _unequal_types(op, (*OTHER_TYPES, *types))


# numbers of operands ----------------------------------------------------------------------------------------------


def _counts(op: Operation) -> Iterator[Breakage]:
    kind, operands = op.kind, op.operands
    required = sum(field.arity is Arity.ONE for field in kind.operands)
    if kind.segmented_operands:
        yield from _segments(op)
    elif required:
        yield Breakage("an operand is missing", lambda o: o.set_operands(o.operands[: required - 1]))
    most = _most(kind.operands)
    if most is not None or kind.segmented_operands:
        extra = list(operands)[:1] * (1 if kind.segmented_operands else (most or 0) + 1 - len(operands))
        if extra:
            yield Breakage(
                "an operand is there twice",
                lambda o: o.set_operands((*o.operands, *o.operands[:1] * len(extra))),
            )
    if not kind.operands:
        yield Breakage("an operand where there are none", _add_operand, "requires zero operands")
    if kind.results and not kind.segmented_results and any(f.arity is Arity.ONE for f in kind.results):
        yield Breakage("no results", _drop_results)


def _most(fields: Sequence[Any]) -> int | None:
    """How many values the fields stand for at most; None if there is no limit."""
    return None if any(field.arity is Arity.VARIADIC for field in fields) else len(fields)


def _segments(op: Operation) -> Iterator[Breakage]:
    def change(o: Operation, position: int, size: int) -> None:
        held = o.attributes[OPERAND_SEGMENTS]
        assert isinstance(held, DenseArrayAttr)
        sizes = list(held.values)
        start = sum(sizes[:position])
        values = list(o.operands)
        values[start : start + sizes[position]] = [values[start]] * size
        sizes[position] = size
        o.attributes[OPERAND_SEGMENTS] = dense_integers(sizes)
        o.set_operands(values)

    for position, (field, size) in enumerate(zip(op.kind.operands, op.kind.operand_sizes(op), strict=True)):
        if field.arity is Arity.ONE:
            for wrong in (0, 2):
                yield Breakage(
                    f"{wrong} operands for '{field.name}'", lambda o, p=position, w=wrong: change(o, p, w)
                )
        elif field.arity is Arity.OPTIONAL and size:
            yield Breakage(f"2 operands for '{field.name}'", lambda o, p=position: change(o, p, 2))
    yield Breakage("no segment sizes", lambda o: o.attributes.pop(OPERAND_SEGMENTS))


def _defined_before(op: Operation, type: Type) -> Value:
    """A new value of a type, defined right before the operation."""
    definition = Operation.from_parts(_CONTEXT.unregistered_kind("test.value"), result_types=[type])
    if op.parent is not None:
        op.parent.insert_before(op, definition)
    return definition.results[0]


def _add_operand(op: Operation) -> None:
    op.set_operands([_defined_before(op, i32)])


def _drop_results(op: Operation) -> None:
    for result in op.results:
        replacement = _defined_before(op, result.type)
        result.replace_all_uses_with(replacement)
    op.results = ()


# types ------------------------------------------------------------------------------------------------------------


def _positions(op: Operation, group: str) -> Iterator[tuple[int, Any]]:
    """The position of each operand or result, and its field."""
    kind = op.kind
    fields: Sequence[Any] = kind.operands if group == "operand" else kind.results
    sizes = kind.operand_sizes(op) if group == "operand" else kind.result_sizes(op)
    position = 0
    for field, size in zip(fields, sizes, strict=True):
        for _ in range(size):
            yield position, field
            position += 1


def _set_type(op: Operation, group: str, position: int, type: Type) -> None:
    if group == "operand":
        op.set_operand(position, _defined_before(op, type))
        return
    op.results[position].replace_all_uses_with(_defined_before(op, op.results[position].type))
    op.results[position].type = type


def _wrong_types(op: Operation, types: Sequence[Type]) -> Iterator[Breakage]:
    """Each operand and result of a type that its constraint refuses."""
    for group in ("operand", "result"):
        for position, field in _positions(op, group):
            wrong = next((t for t in (*REFUSED_TYPES, *types) if not field.constraint.matches(t)), None)
            if wrong is not None:
                prefix = "variadic of " if field.arity is Arity.VARIADIC else ""
                yield Breakage(
                    f"{group} '{field.name}' of a wrong type",
                    lambda o, g=group, p=position, t=wrong: _set_type(o, g, p, t),
                    f"{group} #{position} must be {prefix}{field.constraint.description}",
                )


def _unequal_types(op: Operation, types: Sequence[Type]) -> Iterator[Breakage]:
    """Each operand and result that shares its type, shape or element type with others, made different."""
    found = relations(op.kind)
    for word, groups, part in (
        ("type", found.type, _itself),
        ("shape", found.shape, _shape),
        ("element type", found.element, _element),
    ):
        for group in ("operand", "result"):
            for position, field in _positions(op, group):
                if not _is_shared(op, groups, field.name):
                    continue
                value = (op.operands if group == "operand" else op.results)[position]
                other = next((t for t in types if _differs(field, value.type, t, part)), None)
                if other is not None:
                    yield Breakage(
                        f"{group} '{field.name}' of another {word}",
                        lambda o, g=group, p=position, t=other: _set_type(o, g, p, t),
                    )


def _is_shared(op: Operation, groups: Groups, name: str) -> bool:
    """Whether another field with values is in the group of a field."""
    kind = op.kind
    return any(
        other.name != name and groups[other.name] == groups[name] and kind.field_values(op, other.name)
        for other in (*kind.operands, *kind.results)
    )


def _differs(field: Any, type: Type, other: Type, part: Callable[[Type], Any]) -> bool:
    """Whether another type is admitted and is different in all parts."""
    if not field.constraint.matches(other):
        return False
    if part is _shape and not _shape(other):  # elementwise operations may mix scalars with shaped values
        return False
    return part(other) != part(type) and _element(other) is not _element(type)


def _itself(type: Type) -> Any:
    return type


def _shape(type: Type) -> Any:
    return getattr(type, "shape", ())


def _element(type: Type) -> Any:
    return getattr(type, "element_type", type)


# attributes -------------------------------------------------------------------------------------------------------


def _attributes(op: Operation) -> Iterator[Breakage]:
    for field in op.kind.attributes:
        name = field.ir_name
        if not field.optional and field.default is MISSING:
            yield Breakage(
                f"attribute '{name}' is missing",
                lambda o, n=name: o.attributes.pop(n),
                f"requires attribute '{name}'",
            )
        wrong = next((a for a in REFUSED_ATTRIBUTES if _is_refused(field, a)), None)
        if wrong is not None:
            yield Breakage(
                f"attribute '{name}' of a wrong kind",
                lambda o, n=name, w=wrong: o.attributes.__setitem__(n, w),
                f"attribute '{name}' failed to satisfy constraint: {field.kind.description}",
            )


def _is_refused(field: AttributeField, attribute: Attribute) -> bool:
    is_flag = isinstance(field.kind, UnitKind) and isinstance(attribute, UnitAttr)
    return not field.kind.accepts(attribute) and not is_flag


# regions and places -----------------------------------------------------------------------------------------------


def _set_regions(op: Operation, regions: Sequence[Region]) -> None:
    op.regions = tuple(regions)
    for region in regions:
        region.parent = op


def _regions(op: Operation) -> Iterator[Breakage]:
    yield Breakage("a region too many", lambda o: _set_regions(o, (*o.regions, Region([Block()]))))
    if op.regions:
        yield Breakage("a region too few", lambda o: _set_regions(o, o.regions[:-1]))


def _terminators(op: Operation) -> Iterator[Breakage]:
    """Blocks without their terminator; one left with an unknown operation at the end may be right."""
    if op.kind.has_trait(NoTerminator):
        return
    for number, region in enumerate(op.regions):
        for place, block in enumerate(region.blocks):
            last = block.last
            if last is None or not last.kind.is_terminator:
                continue
            yield Breakage(
                f"another operation at the end of block {place} of region {number}",
                lambda o, n=number, p=place: _replace_last(o.regions[n].blocks[p]),
            )
            if last.previous is None or last.previous.kind.is_registered:
                yield Breakage(
                    f"no terminator in block {place} of region {number}",
                    lambda o, n=number, p=place: _erase_last(o.regions[n].blocks[p]),
                )


def _replace_last(block: Block) -> None:
    _erase_last(block)
    block.append(UnrealizedConversionCastOp([], result_types=[i32]))


def _erase_last(block: Block) -> None:
    last = block.last
    assert last is not None
    last.erase()


def _places(op: Operation) -> Iterator[Breakage]:
    """Operations that stand where they may not."""
    if op.kind.has_trait(HasParent) and op.parent is not None:
        yield Breakage("in a wrong parent", _wrap, "expects parent op ")
    if op.kind.is_terminator and op.parent is not None:
        yield Breakage("not at the end of its block", _follow)


def _wrap(op: Operation) -> None:
    block = op.parent
    assert block is not None
    wrapper = Operation.from_parts(_CONTEXT.unregistered_kind("test.other"), regions=[Region([Block()])])
    block.insert_before(op, wrapper)
    op.detach()
    wrapper.regions[0].blocks[0].append(op)


def _follow(op: Operation) -> None:
    assert op.parent is not None
    op.parent.append(Operation.from_parts(_CONTEXT.unregistered_kind("test.end")))


# uses -------------------------------------------------------------------------------------------------------------


def _uses(op: Operation) -> Iterator[Breakage]:
    """Uses of values that are not there yet, or not visible.  In unknown operations order may mean nothing."""
    parent = op.parent_op
    if parent is None or not parent.kind.is_registered:
        return
    if op.operands and not parent.kind.has_trait(GraphRegion):
        if not op.kind.is_terminator:
            yield Breakage("use before definition", _use_later)
        if op.results and op.operands[0].type is op.results[0].type:
            yield Breakage("use of its own result", lambda o: o.set_operand(0, o.results[0]))
    if op.kind.has_trait(IsolatedFromAbove) and any(region.blocks for region in op.regions):
        yield Breakage("use of a value from outside", _use_outside)


def _use_later(op: Operation) -> None:
    assert op.parent is not None
    definition = Operation.from_parts(
        _CONTEXT.unregistered_kind("test.value"), result_types=[op.operands[0].type]
    )
    op.parent.insert_after(op, definition)
    op.set_operand(0, definition.results[0])


def _use_outside(op: Operation) -> None:
    block = next(region.blocks[0] for region in op.regions if region.blocks)
    use = Operation.from_parts(_CONTEXT.unregistered_kind("test.use"), [_defined_before(op, i32)])
    if block.first is None:
        block.append(use)
    else:
        block.insert_before(block.first, use)
