"""Bridges between old and new types: ``builtin.unrealized_conversion_cast``."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tilewright.ir.attribute import Location, Type
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.context import Context
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.rewrite import codes
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.conversion.type_converter import TypeConverter
from tilewright.rewrite.rewriter import Rewriter

CAST = "builtin.unrealized_conversion_cast"


def cast_kind(context: Context) -> OperationKind:
    """Return the kind of ``builtin.unrealized_conversion_cast``. Raises `ValueError` if its dialect is not
    loaded.
    """
    kind = context.kind(CAST)
    if kind is None:
        raise ValueError(f"a conversion needs the dialect of '{CAST}' in its context")
    return kind


def make_cast(
    kind: OperationKind, types: Sequence[Type], inputs: Sequence[Value], location: Location = UNKNOWN
) -> Operation:
    """Return a new operation of ``kind``, a cast (`cast_kind`), from `inputs` to results of `types`; it is in
    no block yet.
    """
    return Operation.from_parts(kind, inputs, types, location=location)


def bridge(
    context: Context,
    rewriter: ConversionRewriter,
    type: Type,
    inputs: tuple[Value, ...],
    converter: TypeConverter,
) -> Value:
    """Return `inputs` cast to ``type`` by a provisional cast, which `converter` materialises at the end of
    the conversion. The cast is inserted after the definitions of the inputs, or at the insertion point if
    they are in different blocks. Later calls with the same single input and type return the same value.
    """
    key = inputs[0] if len(inputs) == 1 else None
    known = rewriter.bridges.get((key, type)) if key is not None else None
    if known is not None:
        return known
    location = _location_of(inputs[0]) if inputs else UNKNOWN
    cast = make_cast(cast_kind(context), [type], inputs, location)
    _insert_provisional(rewriter, cast, inputs, converter)
    if key is not None:
        rewriter.bridges[key, type] = cast.results[0]
        rewriter.log_undo(rewriter.bridges.pop, (key, type))
    return cast.results[0]


def bridge_to_all(
    context: Context,
    rewriter: ConversionRewriter,
    types: tuple[Type, ...],
    value: Value,
    converter: TypeConverter,
) -> tuple[Value, ...]:
    """Return the results of a provisional cast of `value` to `types`, the types of the several values that
    replace it. The cast stays if it is used at the end.
    """
    cast = make_cast(cast_kind(context), types, [value], _location_of(value))
    _insert_provisional(rewriter, cast, (value,), converter)
    return cast.results


def _insert_provisional(
    rewriter: ConversionRewriter, cast: Operation, inputs: tuple[Value, ...], converter: TypeConverter
) -> None:
    with rewriter.at(after_definition(inputs) or rewriter.point):
        rewriter.insert(cast)
    rewriter.casts[cast] = converter
    rewriter.log_undo(rewriter.casts.pop, cast)


def after_definition(values: Sequence[Value]) -> InsertionPoint | None:
    """Return the first point where all values are defined, if they are defined in one block; else None."""
    blocks = {value.parent_block for value in values}
    if len(blocks) != 1:
        return None
    block = blocks.pop()
    if block is None:
        return None
    last: Operation | None = None
    for value in values:
        if isinstance(value, OpResult) and (last is None or last.is_before_in_block(value.owner)):
            last = value.owner
    return InsertionPoint.at_start(block) if last is None else InsertionPoint.after(last)


def _location_of(value: Value) -> Location:
    return value.owner.location if isinstance(value, OpResult) else UNKNOWN


def cast_materialization(context: Context):
    """Return a materialisation that inserts a cast of the inputs to the wanted type, for converters of
    partial conversions. It always applies. Raises `ValueError` if the dialect of the cast is not loaded in
    `context`.
    """
    kind = cast_kind(context)

    def make(rewriter: Rewriter, type: Type, inputs: tuple[Value, ...], location: Location) -> Value | None:
        return rewriter.insert(make_cast(kind, [type], inputs, location)).results[0]

    return make


def reconcile_casts(root: Operation) -> list[Operation]:
    """Replace the results of casts inside of ``root`` that undo earlier casts by the original values, and
    erase casts without uses. Return the casts that remain.
    """
    casts = [op for op in root.walk() if op.kind.name == CAST]
    for cast in casts:
        origin = _origin(cast)
        if origin is not None:
            cast.replace_all_uses_with(origin)
    for cast in reversed(casts):
        if not cast.has_uses:
            cast.erase()
    return [cast for cast in casts if cast.parent is not None]


def _origin(cast: Operation) -> Sequence[Value] | None:
    """Return the operands of the nearest cast, up the chain of casts that ends in `cast`, whose types are the
    result types of `cast`. Return None if there is no such cast.
    """
    wanted = cast.result_types
    current: Operation | None = cast
    while current is not None:
        if current.operand_types == wanted:
            return current.operands
        current = _feeding_cast(current)
    return None


def _feeding_cast(cast: Operation) -> Operation | None:
    """Return the cast whose results, all of them and in order, are the operands of `cast`; None if there is
    none.
    """
    first = cast.operands[0] if cast.operands else None
    if not isinstance(first, OpResult) or first.owner.kind.name != CAST:
        return None
    owner = first.owner
    same = len(owner.results) == len(cast.operands)
    return owner if same and all(a is b for a, b in zip(owner.results, cast.operands, strict=True)) else None


def require_no_casts(root: Operation, companions: Collection[str] = ()) -> None:
    """Remove casts as `reconcile_casts` does, and raise `DiagnosticError` if some remain. A cast may remain
    if an operation of a dialect in ``companions``, which later passes convert, defines its operand or uses
    its result.
    """
    left = [cast for cast in reconcile_casts(root) if not _is_at(cast, companions)]
    if left:
        raise DiagnosticError([unresolved(cast) for cast in left])


def _is_at(cast: Operation, dialects: Collection[str]) -> bool:
    """Return whether an operation of `dialects` defines an operand of the cast, or uses a result of it."""
    users = [user for result in cast.results for user in result.uses]
    makers = [value.owner for value in cast.operands if isinstance(value, OpResult)]
    return any(op.kind.dialect in dialects for op in (*users, *makers))


def unresolved(cast: Operation) -> Diagnostic:
    """Return the error that a cast remains after a conversion."""
    inputs = ", ".join(map(str, cast.operand_types))
    outputs = ", ".join(map(str, cast.result_types))
    message = f"failed to legalize unresolved materialization from ({inputs}) to ({outputs}) that remained live after conversion"
    error = Diagnostic(Severity.ERROR, message, cast.location, codes.UNRESOLVED_CAST)
    users = [user for result in cast.results for user in result.uses]
    if users:
        error.note(f"see existing live user here: '{users[0].name}'", users[0].location)
    return error.hint("convert the user as well, or add a materialization to the type converter")
