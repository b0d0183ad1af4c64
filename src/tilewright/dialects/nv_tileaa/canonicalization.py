"""Canonicalization patterns of `nv_tileaa`: pointer sums, splats, constant masks, atomics that change
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.arith.ops_integer import AddIOp, SelectOp
from tilewright.dialects.common.constant_folding import defined_by, is_all_ones, is_zero
from tilewright.dialects.nv_tileaa.attributes import BoundedAttr, DivByAttr, RmwMode
from tilewright.dialects.nv_tileaa.constraints import bits_of, element_of, shape_of
from tilewright.dialects.nv_tileaa.discardable import TARGET_SPEC
from tilewright.dialects.nv_tileaa.folds import tile_constant
from tilewright.dialects.nv_tileaa.ops import memory, pointer, program, shape, structure
from tilewright.dialects.nv_tileaa.ops.pointer import AddPtrOp
from tilewright.dialects.nv_tileaa.ops.shape import ExpandDimsOp, ViewOp
from tilewright.dialects.nv_tileaa.ops.structure import SplatOp
from tilewright.dialects.nv_tileaa.rules.memory import LOADS
from tilewright.dialects.ub.dialect import PoisonOp
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_types import IndexType, RankedTensorType
from tilewright.ir.declaration.traits import ConstantLike, Elementwise
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter

AnyPattern = RewritePattern[Any]
WIDE = 64
"""The width of an address in bits: sums of offsets of this width wrap around as addresses do."""
UNCHANGING = {RmwMode.ADD: is_zero, RmwMode.OR: is_zero, RmwMode.XOR: is_zero, RmwMode.AND: is_all_ones}
"""For each atomic mode, a predicate: true for the operand with which it leaves memory unchanged."""


@pattern(pointer.AddPtrOp, name="AddPtrOfAddPtr", defined_by=({0: AddPtrOp},))
def add_offsets(op: pointer.AddPtrOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace ``(p + a) + b`` by ``p + (a + b)``, if both offsets have one type, of 64 bits or index: sums of
    narrower offsets may wrap around.
    """
    inner = defined_by(op.base, AddPtrOp)
    if inner is None or inner.offset.type is not op.offset.type:
        return rewriter.no_match("the pointer is not a sum with an offset of the same type")
    offset = element_of(op.offset.type)
    if not isinstance(offset, IndexType) and bits_of(offset) < WIDE:
        return rewriter.no_match("the sum of offsets of {} may overflow", offset)
    total = rewriter.insert(AddIOp(inner.offset, op.offset, location=op.location)).result
    rewriter.replace(op, rewriter.insert(pointer.AddPtrOp(inner.base, total, location=op.location)))
    return None


@pattern(pointer.AssumeOp, name="AssumeOfSplat", defined_by=({0: SplatOp},))
def assume_scalar(op: pointer.AssumeOp, rewriter: Rewriter) -> NoMatch | None:
    """Move an assumption about the value of a splat to its scalar, if every predicate is about single
    elements.
    """
    splat = defined_by(op.source, SplatOp)
    if splat is None or splat.source is None:
        return rewriter.no_match("the value is no splat")
    if not all(_is_elementwise(predicate) for predicate in op.predicates):
        return rewriter.no_match("a predicate is about several elements")
    promised = rewriter.insert(pointer.AssumeOp(splat.source, op.predicates, location=op.location)).result
    _replace_by_splat(op, promised, None, rewriter)
    return None


def _is_elementwise(predicate: Attribute) -> bool:
    return isinstance(predicate, BoundedAttr) or (
        isinstance(predicate, DivByAttr) and predicate.every is None
    )


def _replace_by_splat(
    op: Operation, source: Value | None, value: Attribute | None, rewriter: Rewriter
) -> None:
    made = structure.SplatOp(source, value=value, result_types=[op.results[0].type], location=op.location)
    rewriter.replace(op, rewriter.insert(made))


@pattern(structure.SplatOp, name="SplatOfConstant", defined_by=({0: ConstantLike}, {0: SplatOp}))
def splat_number(op: structure.SplatOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace the constant scalar operand of a splat by an attribute of the splat."""
    number = tile_constant(op.source) if op.source is not None else None
    if number is None:
        return rewriter.no_match("the scalar is not constant")
    _replace_by_splat(op, None, number, rewriter)
    return None


@pattern(structure.SplatOp, name="SplatOfSelect", defined_by=({0: SelectOp},))
def select_splats(op: structure.SplatOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace a splat of a selected scalar by a select of splats."""
    chosen = defined_by(op.source, SelectOp) if op.source is not None else None
    if chosen is None:
        return rewriter.no_match("the scalar is not chosen")
    splats = [
        rewriter.insert(structure.SplatOp(value, result_types=[op.result.type], location=op.location)).result
        for value in (chosen.true_value, chosen.false_value)
    ]
    rewriter.replace(op, rewriter.insert(SelectOp(chosen.condition, *splats, location=op.location)))
    return None


def _of_splat(
    op: shape.BroadcastOp | shape.ExpandDimsOp | shape.PermuteOp | shape.ViewOp, rewriter: Rewriter
) -> NoMatch | None:
    """Replace an operation that moves the elements of a splat by a splat of the result's shape."""
    splat = defined_by(op.source, SplatOp)
    if splat is None or not isinstance(op.result.type, RankedTensorType):
        return rewriter.no_match("the value is no splat")
    _replace_by_splat(op, splat.source, splat.value, rewriter)
    return None


SHAPE_OF_SPLAT = tuple(
    pattern(root, name=f"{root.__name__.removesuffix('Op')}OfSplat", defined_by=({0: SplatOp},))(_of_splat)
    for root in (shape.ViewOp, shape.BroadcastOp, shape.ExpandDimsOp, shape.PermuteOp)
)


@pattern(shape.ViewOp, name="ViewOfView", defined_by=({0: ViewOp},))
def view_once(op: shape.ViewOp, rewriter: Rewriter) -> NoMatch | None:
    """Merge a view of a view into a view of its source."""
    inner = defined_by(op.source, ViewOp)
    if inner is None:
        return rewriter.no_match("the value is no view")
    made = shape.ViewOp(inner.source, result_types=[op.result.type], location=op.location)
    rewriter.replace(op, rewriter.insert(made))
    return None


# --- elements of tiles


@pattern(structure.ExtractOp, name="ExtractOfElementwise", defined_by=({0: Elementwise},))
def extract_operands(op: structure.ExtractOp, rewriter: Rewriter) -> NoMatch | None:
    """Compute an extracted element of the result of an elementwise operation of `arith` or `nv_tileaa` from
    the elements of the operands, if the extraction is the only user of the result.
    """
    source = op.source.owner if isinstance(op.source, OpResult) else None
    if (
        source is None
        or source.kind.dialect not in ("arith", "nv_tileaa")
        or not source.has_trait(Elementwise)
    ):
        return rewriter.no_match("the tile is not computed element by element")
    if len(source.results) != 1 or len(set(op.source.uses)) != 1:
        return rewriter.no_match("the tile is needed as a whole, too")
    operands = [_element(value, op, rewriter) for value in source.operands]
    attributes = dict(source.held_attributes)
    made = Operation.from_parts(source.kind, operands, [op.result.type], attributes, location=source.location)
    rewriter.replace(op, rewriter.insert(made))
    return None


def _element(value: Value, op: structure.ExtractOp, rewriter: Rewriter) -> Value:
    if not isinstance(value.type, RankedTensorType):
        return value
    types: list[Type] = [value.type.element_type]
    made = structure.ExtractOp(value, op.indices, result_types=types, location=op.location)
    return rewriter.insert(made).result


@pattern(structure.ExtractOp, name="ExtractOfExpandDims", defined_by=({0: ExpandDimsOp},))
def extract_before_expansion(op: structure.ExtractOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace an extraction from the result of `expand_dims` by an extraction from its source, unless that is
    a scalar.
    """
    inner = defined_by(op.source, ExpandDimsOp)
    if inner is None or not shape_of(inner.source.type):
        return rewriter.no_match("the tile has no added dimension")
    indices = (*op.indices[: inner.axis], *op.indices[inner.axis + 1 :])
    made = structure.ExtractOp(inner.source, indices, result_types=[op.result.type], location=op.location)
    rewriter.replace(op, rewriter.insert(made))
    return None


# --- masks


@pattern(memory.LoadOp, name="LoadAll")
def load_all(op: memory.LoadOp, rewriter: Rewriter) -> NoMatch | None:
    """Remove a mask that is all true from a load, and the operand `other` with it."""
    if op.mask is None or not is_all_ones(tile_constant(op.mask)):
        return rewriter.no_match("the mask is not known to be true")
    made = memory.LoadOp(
        op.base,
        op.indices,
        None,
        None,
        op.token,
        **_access(op),
        result_types=op.result_types,
        location=op.location,
    )
    rewriter.replace(op, rewriter.insert(made))
    return None


@pattern(memory.LoadOp, name="LoadNothing")
def load_nothing(op: memory.LoadOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace a load whose mask is all false by the operand `other`, or by poison without it. Uses of its
    token get its input token, or a new token if it has none.
    """
    if op.mask is None or not is_zero(tile_constant(op.mask)):
        return rewriter.no_match("the mask is not known to be false")
    value = op.other
    if value is None:
        value = rewriter.insert(PoisonOp(result_types=[op.result.type], location=op.location)).result
    rewriter.replace(op, [value, *_passed_token(op, rewriter)])
    return None


@pattern(memory.StoreOp, name="StoreAll")
def store_all(op: memory.StoreOp, rewriter: Rewriter) -> NoMatch | None:
    """Remove a mask that is all true from a store."""
    if op.mask is None or not is_all_ones(tile_constant(op.mask)):
        return rewriter.no_match("the mask is not known to be true")
    made = memory.StoreOp(
        op.base,
        op.value,
        op.indices,
        None,
        op.token,
        **_access(op),
        result_types=op.result_types,
        location=op.location,
    )
    rewriter.replace(op, rewriter.insert(made))
    return None


@pattern(memory.StoreOp, name="StoreNothing")
def store_nothing(op: memory.StoreOp, rewriter: Rewriter) -> NoMatch | None:
    """Erase a store whose mask is all false. Uses of its token get its input token, or a new token if it has
    none.
    """
    if op.mask is None or not is_zero(tile_constant(op.mask)):
        return rewriter.no_match("the mask is not known to be false")
    rewriter.replace(op, _passed_token(op, rewriter))
    return None


def _access(op: memory.LoadOp | memory.StoreOp) -> dict[str, Any]:
    """Return the attributes of an access as keyword arguments of its class, by their names in Python."""
    return {field.python_name: getattr(op, field.python_name) for field in op.kind.attributes}


def _passed_token(op: memory.LoadOp | memory.StoreOp, rewriter: Rewriter) -> list[Value]:
    """Return the token that replaces the token of an erased access: its input token, or a new one. Return an
    empty list if the access has no token as result.
    """
    if op.done is None:
        return []
    if op.token is not None:
        return [op.token]
    return [rewriter.insert(memory.CreateMemTokenOp(location=op.location)).result]


# --- atomics


@pattern(memory.AtomicRmwOp, name="AtomicRmwOfIdentity")
def load_instead_of_combining(op: memory.AtomicRmwOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace an atomic that leaves memory unchanged, such as the addition of zero, by a load. Atomics that
    release, and atomics in a module with a known target, are kept.
    """
    is_identity = UNCHANGING.get(op.rmw_mode)
    if is_identity is None or not is_identity(tile_constant(op.value)):
        return rewriter.no_match("the operation is not known to leave memory as it is")
    return _load_instead(op, rewriter)


@pattern(memory.AtomicCasOp, name="AtomicCasOfSame")
def load_instead_of_exchanging(op: memory.AtomicCasOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace a compare-and-swap that stores the compared elements by a load with the same memory semantic
    and scope. Atomics that release are kept, and atomics in a module with a known target, where loads belong
    to `nv_tileas`.
    """
    if op.compare is not op.replacement:
        return rewriter.no_match("the compared value is not the replacement")
    return _load_instead(op, rewriter)


def _load_instead(op: memory.AtomicCasOp | memory.AtomicRmwOp, rewriter: Rewriter) -> NoMatch | None:
    if op.mem_semantic not in LOADS:
        return rewriter.no_match("a load cannot release")
    if _is_in_tileas(op):
        return rewriter.no_match("the loads of the module belong to another dialect by now")
    made = memory.LoadOp(
        op.base,
        op.indices,
        op.mask,
        None,
        op.token,
        mem_semantic=op.mem_semantic,
        mem_scope=op.mem_scope,
        checks=op.checks,
        result_types=op.result_types,
        location=op.location,
    )
    rewriter.replace(op, rewriter.insert(made))
    return None


def _is_in_tileas(op: Operation) -> bool:
    """Return whether an operation is in a module with a known target, where atomics are not converted and
    loads belong to `nv_tileas`.
    """
    return any(TARGET_SPEC in around.attributes for around in op.ancestors())


# --- unused values


@pattern(program.PragmaOp, name="PragmaOfUsed")
def prune_pragma(op: program.PragmaOp, rewriter: Rewriter) -> NoMatch | None:
    """Remove the unused values of a pragma; the others keep their order."""
    used = [result.has_uses for result in op.results]
    if all(used):
        return rewriter.no_match("all values are used")
    kept = tuple(value for value, needed in zip(op.operands, used, strict=True) if needed)
    types = [value.type for value in kept]
    made = rewriter.insert(program.PragmaOp(op.directives, kept, result_types=types, location=op.location))
    results = iter(made.results)
    values = [next(results) if needed else value for value, needed in zip(op.operands, used, strict=True)]
    rewriter.replace(op, values)
    return None


PATTERNS: tuple[AnyPattern, ...] = (
    add_offsets,
    assume_scalar,
    splat_number,
    select_splats,
    *SHAPE_OF_SPLAT,
    view_once,
    extract_operands,
    extract_before_expansion,
    load_all,
    load_nothing,
    store_all,
    store_nothing,
    load_instead_of_combining,
    load_instead_of_exchanging,
    prune_pragma,
)


def patterns() -> Sequence[AnyPattern]:
    """Return all patterns, in order."""
    return PATTERNS
