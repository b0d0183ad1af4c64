"""Functions of the writers of pipelines: loops with further carried values, and loads of later iterations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tilewright.dialects.arith.attributes import CmpIPredicate
from tilewright.dialects.arith.ops_conversion import IndexCastOp, TruncIOp
from tilewright.dialects.arith.ops_integer import AndIOp, CmpIOp, ConstantOp, SelectOp, XOrIOp
from tilewright.dialects.nv_tileaa.ops.memory import CreateMemTokenOp
from tilewright.dialects.nv_tileaa.ops.structure import SplatOp
from tilewright.dialects.nv_tileas import ops_arith as tileas_arith
from tilewright.dialects.nv_tileas.ops_memory import LoadOp
from tilewright.dialects.nv_tileas.ops_tile import GenerateOp
from tilewright.dialects.scf.ops_loop import ForOp, YieldOp
from tilewright.ir import builtin_attributes
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import IndexType, RankedTensorType, i1
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.lowering.inserting import PointInserter
from tilewright.lowering.schedule.early_loads import branches_around, has_zeros, slice_of


def extended_block(loop: ForOp, carried: Sequence[Type]) -> Block:
    """Return the body of a loop that will replace `loop`: its arguments, further arguments of the types
    `carried`, and the operations, which are moved out of `loop`.
    """
    old = loop.region.block
    block = Block([*(one.type for one in old.arguments), *carried])
    for before, now in zip(old.arguments, block.arguments, strict=False):
        before.replace_all_uses_with(now)
    for op in list(old.ops):
        block.append(op.detach())
    return block


def replace_loop(
    emit: PointInserter, loop: ForOp, block: Block, first: Sequence[Value], following: Sequence[Value]
) -> ForOp:
    """Replace a loop by one with the body `block` that carries further values, `first` into the first iteration and
    `following` into each next one; return the new loop.
    """
    end = block.last
    assert isinstance(end, YieldOp), "loops end with their results"
    block.append(YieldOp((*end.operands, *following), location=end.lazy_location))
    end.erase()
    made: ForOp = emit.insert(
        ForOp,
        loop.lowerBound,
        loop.upperBound,
        loop.step,
        (*loop.initArgs, *first),
        unsignedCmp=loop.unsignedCmp,
        region=Region([block]),
    )
    made.attributes.update(loop.attributes)
    for before, now in zip(loop.results, made.results, strict=False):
        before.replace_all_uses_with(now)
    loop.erase()
    return made


def pass_token(load: LoadOp) -> None:
    """Replace the token that a load returns by the token that the load waits for, or by a new token if it
    waits for none. The load needs no token of its own: its copy has ended when the iteration reads its tile.
    """
    if load.done is not None and load.done.has_uses:
        token = load.token or PointInserter.before(load)(CreateMemTokenOp, type=load.done.type)
        load.done.replace_all_uses_with(token)


def zeros_of(load: LoadOp, values: Mapping[Value, Value]) -> Value | None:
    """Return the replacement `load.other` for elements that a load of a later iteration leaves out, as
    `values` has copied it for that iteration, if it is a constant of zeros; copies fill in zeros themselves.
    Return None without a replacement, and for any other, which is chosen where the tile is read (`padded`).
    """
    zeros = load.other is not None and has_zeros(load.other)
    return values.get(load.other, load.other) if load.other is not None and zeros else None


def padded(tile: Value, load: LoadOp) -> Value:
    """Return `tile`, which was read early for `load`, with the values of `load.other` for the elements that
    its mask leaves out: the early read makes zeros of them, or leaves them unspecified. It is unchanged
    without a mask, without such values, and if these are zeros.
    """
    if load.mask is None or load.other is None or has_zeros(load.other):
        return tile
    select = tileas_arith.BY_SOURCE[SelectOp] if isinstance(tile.type, RankedTensorType) else SelectOp
    return PointInserter.before(load)(select, load.mask, tile, load.other)


def masked(emit: PointInserter, load: LoadOp, values: dict[Value, Value], condition: Value) -> Value:
    """Return the mask of a load that is copied ahead: the load's own mask (`values` has its copy in the new
    loop), with all elements false if `condition`, or one of the
    branches around the load, is false. A `generate` in `values` that computes the mask is
    changed in place; otherwise operations are emitted.
    """
    found = values.get(load.mask, load.mask) if load.mask is not None else None
    owner = found.owner if found is not None else None
    if isinstance(found, OpResult) and isinstance(owner, GenerateOp) and load.mask is not found:
        _restrict(owner, found.index, _taken(PointInserter.before(owner), load, values, condition))
        return found
    condition = _taken(emit, load, values, condition)
    tile = load.result.type
    if not isinstance(tile, RankedTensorType):
        return condition if found is None else emit(AndIOp, found, condition)
    everywhere = emit(SplatOp, condition, type=RankedTensorType(tile.shape, i1, tile.encoding))
    return everywhere if found is None else emit(tileas_arith.BY_SOURCE[AndIOp], found, everywhere)


def _taken(emit: PointInserter, load: LoadOp, values: Mapping[Value, Value], condition: Value) -> Value:
    """Emit and return an i1: whether `condition` is true and all branches around `load` are taken in the
    iteration whose values `values` has, by the original ones.
    """
    for branch, is_taken in branches_around(load):
        taken = values.get(branch.condition, branch.condition)
        if not is_taken:
            taken = emit(XOrIOp, taken, emit(ConstantOp, builtin_attributes.IntegerAttr(i1, 1), type=i1))
        condition = emit(AndIOp, condition, taken)
    return condition


def _restrict(generate: GenerateOp, result: int, condition: Value) -> None:
    """Make one result of a `generate`, a mask, false for all elements if `condition` is false.

    If the mask compares a position with an upper bound from outside of the body, the bound becomes 0 where
    the condition is false: that is one instruction for the tile instead of one for each element. A bound that changes
    from iteration to iteration is preferred, as comparisons with the others can be made before the loop.
    """
    body = generate.body.blocks[0]
    end = body.last
    assert end is not None, "bodies end with their results"
    tests = list(_tests(end.operands[result], body))
    test = next((one for one in tests if _varies(one.rhs, generate.parent)), tests[0] if tests else None)
    if test is None:
        both = PointInserter.before(end)(AndIOp, end.operands[result], condition)
        end.set_operand(result, both)
        return
    emit, limit = PointInserter.before(generate), test.operands[1]
    nothing = emit(ConstantOp, builtin_attributes.IntegerAttr(limit.type, 0), type=limit.type)
    test.set_operand(1, emit(SelectOp, condition, limit, nothing))


def _tests(mask: Value, body: Block) -> Iterator[CmpIOp]:
    """Yield the comparisons ``position < bound``, with a bound from outside of `body`, in the conjunction that computes
    `mask`. Positions are at least 0.
    """
    owner = mask.owner
    if not isinstance(owner, Operation) or owner.parent is not body:
        return
    if isinstance(owner, AndIOp):
        for operand in owner.operands:
            yield from _tests(operand, body)
    if (
        isinstance(owner, CmpIOp)
        and (owner.predicate is CmpIPredicate.ULT or _is_place(owner, body))
        and owner.rhs.parent_block is not body
    ):
        yield owner


def _is_place(test: CmpIOp, body: Block) -> bool:
    """Return whether a comparison is ``index < bound``, signed, of an index of an element that `body` computes."""
    place = test.lhs
    while isinstance(place.owner, IndexCastOp | TruncIOp):
        place = place.owner.operands[0]
    return test.predicate is CmpIPredicate.SLT and place.owner is body and isinstance(place.type, IndexType)


def _varies(value: Value, block: Block | None) -> bool:
    """Return whether a value depends on an argument of a block, by the operations of the block."""
    return block is not None and any(
        operand.owner is block
        for op in slice_of([value], block)
        for inner in op.walk()
        for operand in inner.operands
    )
