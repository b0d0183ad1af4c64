"""The layout of an operation in bytecode, derived from its declaration; both reader and writer follow it.

One operation is: opcode, result types, flags, attributes, operands, regions.  Which of these carry a count, which
bit of the flags belongs to which field, and which fields an old version leaves out, follows from the order, the arity and the
``since`` of the declared fields alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from tilewright.dialects.cuda_tile import base as cuda_tile_base, dialect as cuda_tile_dialect
from tilewright.dialects.cuda_tile.version import Version
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.declaration import attribute_kind, constraint as declaration_constraint
from tilewright.ir.declaration.fields import MISSING, Arity, AttributeField, OperandField, ResultField
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.support.record import Record


class WireAttribute(Record, frozen=True):
    """An attribute stored between flags and operands. ``flag`` is the number of the bit that says whether it
    is present (None: always).
    """

    name: str
    kind: attribute_kind.AttributeKind
    since: Version
    flag: int | None = None


class WireFlag(Record, frozen=True):
    """A unit attribute, which is stored as the bit number ``bit`` of the flags only. ``since`` is the first
    version that has it.
    """

    name: str
    since: Version
    bit: int


class WireOperand(Record, frozen=True):
    """An operand field of an operation with operand segments; ``name`` is the name in the public tools.
    ``flag`` is the number of the bit that says whether an optional operand is present. A field that the
    version does not have is not ``available``: it is never present.
    """

    name: str
    arity: Arity
    since: Version
    flag: int | None = None
    available: bool = True


class WireLayout(Record, frozen=True):
    """The encoding of one operation in one version.

    ``results`` is the number of declared results that the version has. The written number may differ where
    ``counted_results``, unless ``exact_results``. ``implied_results`` are the types of the results that came
    later. ``defaults`` are the attributes that the version cannot represent, with the values that they have
    then. ``operands`` is empty unless ``segmented``; other operations have a total count
    (``counted_operands``) or exactly ``operand_count`` operands.
    """

    kind: OperationKind
    opcode: int
    version: Version
    counted_results: bool
    results: int
    exact_results: bool
    implied_results: tuple[Type, ...]
    has_flags: bool
    flags: tuple[WireFlag, ...]
    attributes: tuple[WireAttribute, ...]
    defaults: tuple[tuple[str, Attribute], ...]
    segmented: bool
    counted_operands: bool
    operand_count: int
    operands: tuple[WireOperand, ...]
    regions: int


@cache
def layout(op_class: type[cuda_tile_base.TileOp], version: Version) -> WireLayout:
    """Return the layout of an operation in a version; the version must have the operation."""
    kind, since = op_class.op_kind, op_class.since
    bits = flag_bits(op_class)
    fixed = [f for f in kind.attributes if not isinstance(f.kind, attribute_kind.UnitKind)]
    units = [f for f in kind.attributes if isinstance(f.kind, attribute_kind.UnitKind)]
    segmented = kind.segmented_operands
    return WireLayout(
        kind=kind,
        opcode=op_class.opcode,
        version=version,
        counted_results=_has(kind.operands, Arity.VARIADIC) or _has(kind.results, Arity.VARIADIC),
        results=sum(_since(f, since) <= version for f in kind.results),
        exact_results=any(f.since is not None for f in kind.results),
        implied_results=tuple(_implied_type(f) for f in kind.results if _since(f, since) > version),
        has_flags=bool(bits) and min(_since(f, since) for f in _optional_fields(kind)) <= version,
        flags=tuple(
            WireFlag(f.ir_name, _since(f, since), bits[f.name]) for f in units if _since(f, since) <= version
        ),
        attributes=tuple(
            WireAttribute(f.ir_name, f.kind, _since(f, since), bits.get(f.name))
            for f in fixed
            if _since(f, since) <= version
        ),
        defaults=tuple(_default(f) for f in fixed if _since(f, since) > version and _has_default(f)),
        segmented=segmented,
        counted_operands=not segmented and any(f.arity is not Arity.ONE for f in kind.operands),
        operand_count=len(kind.operands),
        operands=_wire_operands(kind, since, version, bits) if segmented else (),
        regions=len(kind.regions),
    )


def flag_bits(op_class: type[cuda_tile_base.TileOp]) -> dict[str, int]:
    """Return the bit number of each field that is present or absent by a flag, by the field's name: optional
    and unit attributes, and the optional operands of a segmented operation. Bits are ordered by version,
    within a version attributes before operands, each in declaration order.
    """
    since = op_class.since
    fields = sorted(
        _optional_fields(op_class.op_kind), key=lambda f: (_since(f, since), isinstance(f, OperandField))
    )
    return {field.name: bit for bit, field in enumerate(fields)}


def _optional_fields(kind: OperationKind) -> list[AttributeField | OperandField]:
    optional = [f for f in kind.operands if f.arity is Arity.OPTIONAL] if kind.segmented_operands else []
    return [*(f for f in kind.attributes if f.optional), *optional]


def _has(fields: Iterable[OperandField | ResultField], arity: Arity) -> bool:
    return any(field.arity is arity for field in fields)


def _since(field: AttributeField | OperandField | ResultField, op_since: Version) -> Version:
    return op_since if field.since is None else field.since


def _implied_type(field: ResultField) -> Type:
    constraint = field.constraint
    if not isinstance(constraint, declaration_constraint.OneOf) or len(constraint.types) != 1:
        raise TypeError(
            f"result '{field.name}' came later than its op and needs a constraint with a single type"
        )
    return constraint.types[0]


def _has_default(field: AttributeField) -> bool:
    if field.default is MISSING and not field.optional:
        raise TypeError(f"attribute '{field.name}' came later than its op and needs a default")
    return isinstance(field.default, Attribute)


def _default(field: AttributeField) -> tuple[str, Attribute]:
    return field.ir_name, field.default


def _wire_operands(
    kind: OperationKind, since: Version, version: Version, bits: dict[str, int]
) -> tuple[WireOperand, ...]:
    return tuple(
        WireOperand(
            _camel_case(f.name), f.arity, _since(f, since), bits.get(f.name), _since(f, since) <= version
        )
        for f in kind.operands
    )


_WORDS = {"dynamic_shape", "dynamic_strides", "padding_value"}
"""Names of operands that the public tools spell in camel case."""


def _camel_case(name: str) -> str:
    if name not in _WORDS:
        return name
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


@cache
def opcodes(version: Version) -> dict[int, type[cuda_tile_base.TileOp]]:
    """Return the op classes of a version by opcode, without the preview range."""
    return {op.opcode: op for op in tile_operations() if op.since <= version}


PREVIEW_OPCODES = range(0x4000, 0x5000)
"""The opcodes of operations that only files with preview content have."""


@cache
def preview_opcodes() -> dict[int, type[cuda_tile_base.TileOp]]:
    """Return the op classes of the preview range by opcode; only the newest version has them."""
    return {op.opcode: op for op in cuda_tile_dialect.PREVIEW_OPERATIONS}


@cache
def layouts(version: Version) -> dict[int, WireLayout]:
    """Return the layouts of the operations of a version by opcode, without the preview range."""
    return {opcode: layout(op, version) for opcode, op in opcodes(version).items()}


def tile_operations() -> Sequence[type[cuda_tile_base.TileOp]]:
    """Return all op classes with an opcode outside of the preview range."""
    return cuda_tile_dialect.OPERATIONS


@cache
def newest_opcode(version: Version) -> int:
    """Return the largest opcode that a version has outside of the preview range."""
    return max(opcodes(version))
