"""Encoders of operations: for every op and version one function, put together once from the op's layout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from tilewright.bytecode.codecs import codec
from tilewright.bytecode.output import Output, WriteError, encoded_varint
from tilewright.bytecode.wire import WireAttribute, WireLayout, WireOperand, layout
from tilewright.bytecode.writer.attributes import AttributeWriter
from tilewright.dialects.cuda_tile.base import TileOp
from tilewright.dialects.cuda_tile.version import V13_1, Version
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import DenseArrayAttr
from tilewright.ir.builtin_types import i1
from tilewright.ir.declaration.attribute_kind import DenseArrayKind, UnitKind
from tilewright.ir.declaration.fields import MISSING, Arity, AttributeField
from tilewright.ir.declaration.kind import OPERAND_SEGMENTS, OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class WriteScope:
    """The state while operations are encoded: the bytes, the tables, and the numbers of the visible values."""

    __slots__ = ("attributes", "numbers", "output", "types")

    def __init__(self, attributes: AttributeWriter) -> None:
        self.output = Output()
        self.attributes = attributes
        self.types = attributes.types
        self.numbers: dict[Value, int] = {}


Step = Callable[[WriteScope, Operation], None]


@dataclass(frozen=True, slots=True)
class Encoder:
    """The functions that write the parts of an operation, in the order of the file. ``regions`` is the number
    of regions, which follow the other parts; ``numbered`` the number of results that get a value number
    (None: all).
    """

    steps: tuple[Step, ...]
    numbered: int | None
    regions: int


@cache
def encoder(op_class: type[TileOp], version: Version) -> Encoder:
    """Return the encoder of an operation in a version. Raises `WriteError` if the version does not have
    it.
    """
    if op_class.since > version:
        message = f"operation '{op_class.op_kind.name}' is not available in bytecode version {version}"
        raise WriteError(message, op_class.since)
    wire = layout(op_class, version)
    steps = [_opcode(wire), _results(wire)]
    if wire.kind.attributes or wire.defaults:
        steps += [_missing_fields(op_class, version), *_attributes(wire)]
    steps.append(_discardable_attributes(wire.kind))
    steps.append(_operands(wire))
    numbered = None if not wire.implied_results else wire.results
    return Encoder(tuple(step for step in steps if step is not None), numbered, wire.regions)


def _opcode(wire: WireLayout) -> Step:
    opcode = encoded_varint(wire.opcode)

    def write(scope: WriteScope, op: Operation) -> None:
        if op.successors:
            raise WriteError(f"operation '{op.name}' has successors")
        scope.output.data += opcode

    return write


def _results(wire: WireLayout) -> Step:
    """Return the step that writes the types of the results that the version has, preceded by their number
    where the format has it.
    """
    declared = wire.kind.results
    variable = any(field.arity is not Arity.ONE for field in declared)
    fewest = sum(field.arity is Arity.ONE for field in declared)
    dropped = [field.name for field in declared][wire.results :] if wire.implied_results else []
    counted = wire.counted_results

    def write(scope: WriteScope, op: Operation) -> None:
        results = op.results
        if len(results) != fewest and (not variable or len(results) < fewest):
            raise WriteError(f"operation '{op.name}' has {len(results)} results instead of {fewest}")
        if dropped:
            _check_unused(wire, op, dropped)
            results = results[: wire.results]
        if counted:
            scope.output.varint(len(results))
        for result in results:
            scope.output.varint(scope.types.index(result.type))

    return write


def _check_unused(wire: WireLayout, op: Operation, dropped: list[str]) -> None:
    for name, result in zip(dropped, op.results[wire.results :], strict=True):
        if result.has_uses:
            since = next(field.since for field in wire.kind.results if field.name == name)
            message = f"result '{name}' requires bytecode version {since} but is being used and targeting {wire.version}"
            raise WriteError(message, since)


def _missing_fields(op_class: type[TileOp], version: Version) -> Step | None:
    """Return the step that raises `WriteError` for attributes that only a later version can represent, unless
    they equal their absence. None if there are no such attributes.
    """
    young = [field for field in op_class.op_kind.attributes if (field.since or V13_1) > version]
    if not young:
        return None

    def check(scope: WriteScope, op: Operation) -> None:
        for field in young:
            attribute = op.held_attributes.get(field.ir_name)
            if attribute is None or _equals_absence(field, attribute):
                continue
            if not field.kind.accepts(attribute):
                expected = f"expected {field.kind.description}, got {attribute}"
                raise WriteError(f"attribute '{field.ir_name}' of '{op.name}': {expected}")
            raise WriteError(_refusal(field, version), field.since)

    return check


def _refusal(field: AttributeField, version: Version) -> str:
    if field.optional:
        required = f"is provided but requires bytecode version {field.since}, targeting {version}"
        return f"optional attribute '{field.ir_name}' {required}"
    return f"attribute '{field.ir_name}' requires bytecode version {field.since}+, but targeting {version}"


def _equals_absence(field: AttributeField, attribute: Attribute) -> bool:
    """Return whether an attribute means the same as its absence: it is the default, or an array of
    assumptions that are all false.
    """
    if attribute is field.default:
        return True
    return _is_assumption_array(field) and isinstance(attribute, DenseArrayAttr) and not any(attribute.values)


def _is_assumption_array(field: AttributeField) -> bool:
    """Return whether a field is an optional array of bools in which every element is an assumption, as in
    ``inbounds``.
    """
    kind = field.kind
    return isinstance(kind, DenseArrayKind) and kind.element_type is i1 and field.default is None


def _attributes(wire: WireLayout) -> list[Step]:
    """Return the steps for the flags, then for each attribute."""
    steps = [_flags(wire)] if wire.has_flags else []
    return [*steps, *(_attribute(wire, attribute) for attribute in wire.attributes)]


def _flags(wire: WireLayout) -> Step:
    """Return the step that writes the flags: a bit for each unit attribute and for each optional attribute or
    operand that is present.
    """
    names = [(unit.name, 1 << unit.bit) for unit in wire.flags]
    names += [(a.name, 1 << a.flag) for a in wire.attributes if a.flag is not None]
    groups = [(at, 1 << group.flag) for at, group in enumerate(wire.operands) if group.flag is not None]

    def write(scope: WriteScope, op: Operation) -> None:
        held = op.held_attributes
        flags = sum([mask for name, mask in names if name in held])
        if groups:
            sizes = wire.kind.operand_sizes(op)
            flags |= sum([mask for at, mask in groups if sizes[at]])
        scope.output.varint(flags)

    return write


def _attribute(wire: WireLayout, attribute: WireAttribute) -> Step:
    """Return the step that writes one attribute. If it is absent and not optional in the format, the step
    writes the default.
    """
    name, encoding = attribute.name, codec(attribute.kind, wire.version)
    optional = attribute.flag is not None
    absent = _absence(wire.kind, wire.kind.attributes_by_ir_name[name])

    def write(scope: WriteScope, op: Operation) -> None:
        held = op.held_attributes.get(name)
        if held is None:
            if optional:
                return
            held = absent(op)
        try:
            encoding.encode(held, scope.attributes, scope.output)
        except WriteError as error:
            raise WriteError(f"attribute '{name}' of '{op.name}': {error.message}", error.since) from None

    return write


def _absence(kind: OperationKind, field: AttributeField) -> Callable[[Operation], Attribute]:
    def default(op: Operation) -> Attribute:
        if isinstance(field.default, Attribute):
            return field.default
        if field.default is not MISSING and _is_assumption_array(field):
            return DenseArrayAttr(i1, (0,) * _index_count(kind, op))
        raise WriteError(f"operation '{op.name}' lacks the attribute '{field.ir_name}'")

    return default


def _index_count(kind: OperationKind, op: Operation) -> int:
    """Return the number of indices of an access, for an array of assumptions about them: the size of the
    access's variadic operands.
    """
    sizes = kind.operand_sizes(op)
    variadic = [field.arity is Arity.VARIADIC for field in kind.operands]
    return sum(size for size, counts in zip(sizes, variadic, strict=True) if counts)


@cache
def _declared(kind: OperationKind) -> tuple[frozenset[str], tuple[AttributeField, ...]]:
    """Return the names of the attributes that an operation declares, and its unit attributes."""
    names = frozenset((*kind.attributes_by_ir_name, OPERAND_SEGMENTS))
    return names, tuple(field for field in kind.attributes if isinstance(field.kind, UnitKind))


def check_discardable(kind: OperationKind, op: Operation) -> None:
    """Raise `WriteError` for attributes of ``op`` that the file could not store: attributes that ``kind``
    does not declare, and unit attributes with a value.
    """
    held = op.held_attributes
    if not held:
        return
    names, flags = _declared(kind)
    if not held.keys() <= names:
        unknown = next(name for name in held if name not in names)
        raise WriteError(f"attribute '{unknown}' is not declared by '{op.name}' and would be lost")
    for field in flags:
        value = held.get(field.ir_name)
        if value is not None and not field.kind.accepts(value):
            raise WriteError(f"attribute '{field.ir_name}' of '{op.name}': expected unit, got {value}")


def _discardable_attributes(kind: OperationKind) -> Step:
    def check(scope: WriteScope, op: Operation) -> None:
        check_discardable(kind, op)

    return check


def _operands(wire: WireLayout) -> Step:
    if wire.segmented:
        return _segmented_operands(wire)
    counted = wire.counted_operands
    variable = any(field.arity is not Arity.ONE for field in wire.kind.operands)
    fewest = sum(field.arity is Arity.ONE for field in wire.kind.operands)

    def write(scope: WriteScope, op: Operation) -> None:
        operands = op.operands
        if len(operands) != fewest and (not variable or len(operands) < fewest):
            raise WriteError(f"operation '{op.name}' has {len(operands)} operands instead of {fewest}")
        if counted:
            scope.output.varint(len(operands))
        write_operands(scope, op, operands)

    return write


def write_operands(scope: WriteScope, op: Operation, operands: tuple[Value, ...]) -> None:
    """Write each of `operands`, operands of ``op``, by its value number. Raises `WriteError`, which names the
    operand, for a value without a number: it is not visible.
    """
    numbers, output = scope.numbers, scope.output
    for operand in operands:
        number = numbers.get(operand)
        if number is None:
            position = op.operands.index(operand)
            raise WriteError(f"operand #{position} of '{op.name}' is not defined before its use")
        if number < 0x80:
            output.data.append(number)
        else:
            output.varint(number)


def _segmented_operands(wire: WireLayout) -> Step:
    """Return the step that writes the operand groups in order, with a count for variadic ones."""
    groups = wire.operands

    def write(scope: WriteScope, op: Operation) -> None:
        sizes = wire.kind.operand_sizes(op)
        if sum(sizes) != len(op.operands) or min(sizes) < 0:
            raise WriteError(f"operation '{op.name}' has operand segments that do not fit its operands")
        start = 0
        for group, size in zip(groups, sizes, strict=True):
            _check_group(wire, group, size)
            if group.arity is Arity.VARIADIC:
                scope.output.varint(size)
            write_operands(scope, op, op.operands[start : start + size])
            start += size

    return write


_SIZES = {Arity.ONE: (1,), Arity.OPTIONAL: (0, 1)}
"""The possible numbers of operands in a group, for arities with a maximum."""


def _check_group(wire: WireLayout, group: WireOperand, size: int) -> None:
    if size and not group.available:
        required = f"is provided but requires bytecode version {group.since}, targeting {wire.version}"
        raise WriteError(f"optional operand '{group.name}' {required}", group.since)
    if size not in _SIZES.get(group.arity, (size,)):
        raise WriteError(f"operand group '{group.name}' of '{wire.kind.name}' has {size} operands")
