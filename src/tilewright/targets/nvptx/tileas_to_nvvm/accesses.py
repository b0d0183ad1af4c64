"""Unordered loads and stores of elements through pointers (`atomics` has the ordered ones).

Each thread accesses the elements that it holds. If several threads hold an element, the first of them stores
it. Masked-off elements are not accessed: copies have a predicate, and other accesses are in a branch. Threads
of a block see each other's stores after a barrier, which follows every access that another access waits for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from tilewright.dialects.gpu.ops_thread import BarrierOp
from tilewright.dialects.llvm.enums import AtomicOrdering
from tilewright.dialects.llvm.ops.arithmetic import AndOp
from tilewright.dialects.nv_tileaa.attributes import MemSemantic
from tilewright.dialects.nv_tileaa.ops.memory import AtomicRmwOp
from tilewright.dialects.nv_tileas.ops_memory import LoadOp, StoreOp
from tilewright.dialects.nv_tileas.ops_tile import GenerateOp
from tilewright.dialects.scf.ops_loop import IfOp, YieldOp
from tilewright.ir import block as ir_block, builder, builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.layouts.layout import Layout
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.tileas.distribution import Distribution, distribution_of
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.atomics import AtomicAccessOrder
from tilewright.targets.elements.element_types import element_of, size_of
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode, held_type
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers, ThreadPattern
from tilewright.targets.nvptx.tileas_to_nvvm.program import TOKEN
from tilewright.targets.nvptx.tileas_to_nvvm.vectors import IN_PLACE, beginnings, vector_width

_Access = TypeVar("_Access", LoadOp, StoreOp, AtomicRmwOp)
Read = Callable[[Value, Value | None, Sequence[Value]], Sequence[Value]]
"""Read contiguous elements from an address on, under a condition. The last argument has the results if it is
false.
"""
Write = Callable[[Value, Sequence[Value], Value | None], None]
"""Write contiguous elements from an address on, under a condition."""
Groups = Sequence[Sequence[int]]
"""The numbers of registers, in groups that one access moves."""
MAXIMUM_THREADS = 1024
"""The maximum number of threads of a block."""
EVERYWHERE = Distribution(Layout(MAXIMUM_THREADS, 0), Layout(1, 0))
"""The distribution of scalars: every thread holds them."""


def is_first_holder(code: PatternCode, layout: Layout) -> Value | None:
    """Emit and return an i1 that is true if this thread is the first of the threads that hold its elements;
    None if each thread is the only holder. `layout` maps the number of a thread to the number of its first
    element.
    """
    same, shift = 0, 0
    for extent, stride in layout.leaves:
        same |= 0 if stride else extent - 1 << shift
        shift += extent.bit_length() - 1
    if not same:
        return None
    bits = code(AndOp, code.thread(), code.integer(same, builtin_types.i32))
    return code.compare_integers("eq", bits, code.integer(0, builtin_types.i32))


def guarded(
    code: PatternCode,
    condition: Value | None,
    types: Sequence[Type],
    body: Callable[[], Sequence[Value]],
    otherwise: Sequence[Value] = (),
) -> Sequence[Value]:
    """Emit the code of `body` in a branch that runs if `condition` is true (None: always), and return its
    results, of the types `types`; `otherwise` are the results if the condition is false.
    """
    if condition is None:
        return body()
    return chosen(code, condition, types, body, lambda: otherwise)


def chosen(
    code: PatternCode,
    condition: Value,
    types: Sequence[Type],
    body: Callable[[], Sequence[Value]],
    otherwise: Callable[[], Sequence[Value]],
) -> Sequence[Value]:
    """Emit a branch with the code of `body`, which runs if `condition` is true, and of `otherwise`, which runs if it is
    false and there are results; return the results, of the types `types`.
    """
    blocks = [ir_block.Block(), *([ir_block.Block()] if types else [])]
    regions = [ir_block.Region([block]) for block in blocks] + [ir_block.Region()] * (2 - len(blocks))
    made = IfOp(
        condition, thenRegion=regions[0], elseRegion=regions[1], result_types=types, location=code.location
    )
    code.rewriter.insert(made)  # before its operations, which are converted in insertion order
    for block, values in zip(blocks, (body, otherwise), strict=False):
        with code.rewriter.at(builder.InsertionPoint(block)):
            code.rewriter.insert(YieldOp(tuple(values()), location=code.location))
    return made.results


def emit_barrier(code: PatternCode) -> None:
    """Emit a barrier: all memory accesses of the block's threads before it happen before the accesses after
    it.
    """
    code.effect(BarrierOp)


def finish_access(code: PatternCode, token: Value | None) -> Sequence[Registers]:
    """Return the token of an access as a result with one register, after a barrier if an operation waits for
    the token; empty if the access has no token.
    """
    if token is None:
        return []
    if token.has_uses:
        emit_barrier(code)
    return [[code.integer(TOKEN, builtin_types.i32)]]


def groups_of(op: Operation, type: Type, neighbours: Mapping[Operation, int], most: int) -> Groups:
    """Return the indices of the registers of a tile of `type` in groups that one access `op` moves; a scalar
    has one group. The elements of a group are adjacent in memory, at most `most`, and at most the number that
    `neighbours` has for `op` (1 if it has none).
    """
    held = distribution_of(type)
    if held is None:
        return [[0]]
    count = min(vector_width(held, IN_PLACE, size_of(element_of(type))), neighbours.get(op, 1), most)
    numbers = {offset: number for number, offset in enumerate(held.offsets)}
    return [[numbers[begin + at] for at in range(count)] for begin in beginnings(held.offsets, count)]


class Copying(ThreadPattern[_Access]):
    """The base of patterns for accesses of tiles; ``neighbours`` has, for each access, the number of elements
    that it may move at once. `groups` divides the registers of a tile by it.
    """

    def __init__(self, converter: LLVMTypeConverter, neighbours: Mapping[Operation, int]) -> None:
        super().__init__(converter)
        self.neighbours = neighbours

    def groups(self, op: _Access, type: Type, most: int = MAXIMUM_THREADS) -> Groups:
        """Return the indices of the registers of a tile of `type` in the groups that one access of `op`
        moves: at most `most` elements that are adjacent in memory.
        """
        return groups_of(op, type, self.neighbours, most)


INDICES = "the access has indices into a memory object"


def obstacle(op: LoadOp | StoreOp, *, ordered: bool) -> NoMatch | None:
    """Return why an access cannot be lowered as loads or stores at the addresses of its elements: it has
    indices, is multicast, or has a memory order although `ordered` is false (or none although it is true).
    None if it can be.
    """
    if op.indices:
        return NoMatch(INDICES)
    if op.multicast:
        return NoMatch("several devices hold copies")
    if ordered == (op.mem_semantic is MemSemantic.WEAK):
        return NoMatch("the access has no order" if ordered else "the access has an order")
    return None


def wanted_registers(
    module: Operation, neighbours: Mapping[Operation, int]
) -> Mapping[Operation, frozenset[int]]:
    """Return, for each `generate` whose results are only addresses and masks of accesses, the indices of the
    registers that the accesses use.
    """
    found: dict[Operation, frozenset[int]] = {}
    for op in module.walk():
        if isinstance(op, GenerateOp):
            looks = [_used_registers(user, value, neighbours) for value in op.results for user in value.uses]
            known = [look for look in looks if look is not None]
            if len(known) == len(looks):
                found[op] = frozenset[int]().union(*known)
    return found


def _used_registers(
    user: Operation, value: Value, neighbours: Mapping[Operation, int]
) -> Iterable[int] | None:
    """Return the indices of the registers of the operand `value` that the access `user` reads: for each group
    of elements that is accessed at once, the first, or the last if `value` is the mask of a store.
    ``neighbours`` has the number of adjacent elements by access. None means that all registers may be used.
    """
    if not isinstance(user, LoadOp | StoreOp) or obstacle(user, ordered=False) is not None:
        return None
    moved = user.result if isinstance(user, LoadOp) else user.value
    if value is moved or (isinstance(user, LoadOp) and value is user.other):
        return None
    if distribution_of(moved.type) is None:
        return None
    last = isinstance(user, StoreOp) and user.mask is value
    groups = groups_of(user, moved.type, neighbours, MAXIMUM_THREADS)
    return {group[-1 if last else 0] for group in groups}


class LoadLowering(Copying[LoadOp]):
    """Lower loads without a memory order through pointers: one copy for each register, or for several
    neighbours. `partial` has the number of neighbours for each load if the last of them may not exist: if that is
    larger, a thread whose neighbours all exist copies them at once, and other threads copy them one by one.
    """

    def __init__(
        self,
        converter: LLVMTypeConverter,
        neighbours: Mapping[Operation, int],
        partial: Mapping[Operation, int],
    ) -> None:
        super().__init__(converter, neighbours)
        self.partial = partial

    def lower(self, op: LoadOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        reason = obstacle(op, ordered=False)
        if reason is not None:
            return reason
        read = partial(read_copied, code, element_of(op.result.type))
        singly = self.groups(op, op.result.type)
        wide = groups_of(op, op.result.type, self.partial, MAXIMUM_THREADS)
        if at.mask and len(wide) < len(singly):
            loaded = self._wide_or_singly(code, op, at, wide, singly)
        else:
            loaded = loaded_elements(code, op, at, read, singly)
        return [self.scalars(code, loaded, op.result.type), *finish_access(code, op.done)]

    def _wide_or_singly(
        self, code: PatternCode, op: LoadOp, at: Adaptor, wide: Groups, singly: Groups
    ) -> Registers:
        element = element_of(op.result.type)

        def at_once() -> Registers:
            found: dict[int, Value] = {}
            for group in wide:
                size = len(group) * size_of(element)
                values = code.read_all(at.base[group[0]], element, len(group), size, None, ())
                found.update(zip(group, values, strict=True))
            return [found[number] for number in range(len(at.base))]

        def one_by_one() -> Registers:
            return loaded_elements(code, op, at, partial(read_copied, code, element), singly)

        last = len(singly[0])  # the first of the last neighbours, which all exist or none
        everything = code.both([at.mask[group[-last]] for group in wide])
        types = [held_type(element)] * len(at.base)
        return chosen(code, everything, types, at_once, one_by_one)


def loaded_elements(
    code: PatternCode,
    op: LoadOp,
    at: Adaptor,
    read: Read,
    groups: Groups,
    alone: Value | None = None,
) -> Registers:
    """Return the elements that this thread holds of the load `op`, whose converted operands are `at`. `read`
    reads one of the `groups` of registers; ``alone`` is a condition without which this thread reads nothing
    (None: none).

    The first element of a group decides whether the group exists. The number of elements may only be assumed
    to be a multiple of the group size: then a load reads beyond an array, within the same page, and loses no
    existing element.
    """
    type = held_type(element_of(op.result.type))
    masks = at.mask or [None] * len(at.base)
    others = [code.in_form(value, type) for value in at.other or ()] or [code.zero(type)] * len(at.base)
    loaded: dict[int, Value] = {}
    for group in groups:
        first = group[0]
        missing = [others[number] for number in group]
        values = read(at.base[first], both(code, masks[first], alone), missing)
        loaded.update(zip(group, values, strict=True))
    return [loaded[number] for number in range(len(at.base))]


def read_copied(
    code: PatternCode, element: Type, place: Value, condition: Value | None, missing: Sequence[Value]
) -> Sequence[Value]:
    """Read adjacent elements from `place` on by one copy; if `condition` is false, the results are `missing`."""
    count = len(missing)
    others = missing if condition is not None else ()
    return code.read_all(place, element, count, count * size_of(element), condition, others)


def reading(code: PatternCode, read: Callable[[Value, int], Sequence[Value]]) -> Read:
    """Return a `Read` that reads adjacent elements by `read`, which is given the address and the number of
    elements; in a branch if there is a condition.
    """

    def read_there(place: Value, condition: Value | None, missing: Sequence[Value]) -> Sequence[Value]:
        types = [value.type for value in missing]
        return guarded(code, condition, types, lambda: read(place, len(missing)), missing)

    return read_there


class StoreLowering(Copying[StoreOp]):
    """Lower stores without a memory order through pointers: one copy for each register, or for several
    neighbours. Stores with indices or to several devices do not match.
    """

    def lower(self, op: StoreOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        reason = obstacle(op, ordered=False)
        if reason is not None:
            return reason
        write = partial(write_copied, code, element_of(op.value.type))
        store_elements(code, op, at, write, self.groups(op, op.value.type))
        return finish_access(code, op.done)


def store_elements(
    code: PatternCode, op: StoreOp | AtomicRmwOp, at: Adaptor, write: Write, groups: Groups
) -> None:
    """Store the elements that this thread is responsible for, as their first holder: `write` writes one of
    the `groups` of registers. `at` has the converted operands of `op`.

    The last element of a group decides whether the group exists. The number of elements may only be assumed
    to be a multiple of the group size: then nothing is written beyond an array.
    """
    element = element_of(op.value.type)
    alone = first_holders(code, op.value.type)
    masks = at.mask or [None] * len(at.base)
    for group in groups:
        values = [code.in_form(at.value[number], held_type(element)) for number in group]
        write(at.base[group[0]], values, both(code, masks[group[-1]], alone))


def write_copied(
    code: PatternCode, element: Type, place: Value, values: Sequence[Value], condition: Value | None
) -> None:
    """Write `values`, of type `element`, to adjacent elements of memory from `place` on by one copy, which
    requires that `place` is aligned to the size of them all; write nothing if `condition` is false at run
    time.
    """
    code.write_all(values, place, element, len(values) * size_of(element), condition)


def writing(code: PatternCode, write: Callable[[Value, Sequence[Value]], None]) -> Write:
    """Return a `Write` that writes adjacent elements by `write`, which is given the address and the elements;
    in a branch if there is a condition.
    """

    def write_there(place: Value, values: Sequence[Value], condition: Value | None) -> None:
        def body() -> Sequence[Value]:
            write(place, values)
            return []

        guarded(code, condition, [], body)

    return write_there


def holders(type: Type) -> Distribution:
    """Return the distribution of the elements of a type over threads; all threads hold a scalar."""
    return distribution_of(type) or EVERYWHERE


def singly(at: Adaptor) -> Groups:
    """Return the index of each register of an access, with the converted operands `at`, as a group of its
    own.
    """
    return [[number] for number in range(len(at.base))]


def is_plain(order: AtomicAccessOrder) -> bool:
    """Return whether `order` means no memory order: the access is a plain load or store."""
    return order.ordering is AtomicOrdering.NOT_ATOMIC


def first_holders(code: PatternCode, type: Type) -> Value | None:
    """Emit and return an i1 that is true if this thread is responsible for its elements of a value of `type`,
    as their first holder; None if each thread is the only holder.
    """
    return is_first_holder(code, holders(type).threads)


def both(code: PatternCode, first: Value | None, second: Value | None) -> Value | None:
    """Return the conjunction of two conditions; None is always true."""
    found = [condition for condition in (first, second) if condition is not None]
    return code.both(found) if found else None


def populate_accesses(
    patterns: RewritePatternSet,
    converter: LLVMTypeConverter,
    neighbours: Mapping[Operation, int],
    partial: Mapping[Operation, int],
) -> None:
    """Add the patterns of this file; ``neighbours`` has the number of elements that an access may move at
    once, and ``partial`` the number for loads whose last elements may not exist.
    """
    patterns.add(LoadLowering(converter, neighbours, partial), StoreLowering(converter, neighbours))
