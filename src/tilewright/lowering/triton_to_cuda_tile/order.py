"""Orders accesses to memory by tokens, after the conversion.

In a chain of accesses every access waits for the token of the previous one. Either all accesses are in one
chain; or there is a chain for each pointer parameter and each tile of pointers, derived from it, that the
kernel stores through. Loads and atomic operations belong to all chains of their parameter, a store to one of
them. So accesses through different parameters are unordered. So are two stores through different tiles of
pointers, as different threads of a GPU may execute them: if they overlap they are a race, which `racecheck`
finds. Stores through the same pointers, or of single elements, are executed by the same threads, in order. An
access to unknown memory belongs to every chain, and so does a barrier (`ttg.barrier`), which the conversion
leaves and this step removes.

Accesses with a token of their own (to memory that the conversion allocated) stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile.ops import control, conversion, memory, tile as tiles, view as view_ops
from tilewright.dialects.cuda_tile.types import TOKEN, PointerType, TileType
from tilewright.dialects.ttg.dialect import BarrierOp
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

Chain = tuple[int, int]
"""A chain of ordered accesses: the index of a pointer parameter, and the number of the tile of pointers that
its stores go through.
"""
ALL: Chain = (-1, 0)
"""The chain of all accesses."""
State = dict[Chain, Value]
Loop = control.ForOp | control.LoopOp
ACCESSES = (
    memory.LoadPtrTkoOp,
    memory.StorePtrTkoOp,
    memory.AtomicRMWTkoOp,
    memory.AtomicCASTkoOp,
    memory.LoadViewTkoOp,
    memory.StoreViewTkoOp,
    control.PrintTkoOp,
)
POINTERS = {
    memory.LoadPtrTkoOp: "source",
    memory.StorePtrTkoOp: "destination",
    memory.AtomicRMWTkoOp: "pointers",
    memory.AtomicCASTkoOp: "pointers",
    memory.LoadViewTkoOp: "view",
    memory.StoreViewTkoOp: "view",
}
STORES = memory.StorePtrTkoOp | memory.StoreViewTkoOp
SAME_MEMORY = (
    tiles.OffsetOp,
    tiles.BroadcastOp,
    tiles.ReshapeOp,
    tiles.PermuteOp,
    tiles.ExtractOp,
    control.AssumeOp,
    conversion.PtrToPtrOp,
    view_ops.MakeTensorViewOp,
    view_ops.MakePartitionViewOp,
)
"""Operations whose result refers to the memory of their first operand."""


def place_of(access: Operation) -> int | None:
    """Return the index of the operand that is a placeholder token. Return None if the first token operand is
    another token, or if there is none: the access stays as it is.
    """
    for at, operand in enumerate(access.operands):
        if operand.type is TOKEN:
            return at if isinstance(operand.owner, memory.MakeTokenOp) else None
    return None


class KernelOrdering:
    """Orders the accesses of one kernel by tokens: all in one chain, or, with ``by_pointer``, in a chain for
    each pointer parameter and each tile of pointers derived from it that the kernel stores through. In a
    chain each access waits for the token of the previous one. Loads and atomic updates are in all chains of
    their parameter, accesses to unknown memory and barriers in all chains.
    """

    def __init__(self, entry: Any, *, by_pointer: bool) -> None:
        self.entry = entry
        self.by_pointer = by_pointer
        self.stores: dict[int, list[Value | None]] = {}
        """For each parameter, the tiles of pointers that the kernel stores through; None stands for all
        stores of single elements.
        """
        self.chains: dict[Operation, tuple[Chain, ...]] = {}
        """The chains of each access and barrier."""
        self.inside: dict[Operation, tuple[Chain, ...]] = {}
        """The chains of all accesses inside of each loop and branch."""

    def run(self) -> None:
        """Replace the placeholder tokens of accesses, and erase barriers."""
        accesses = [op for op in self.entry.walk() if isinstance(op, ACCESSES) and place_of(op) is not None]
        barriers = [op for op in self.entry.walk() if isinstance(op, BarrierOp)]
        if accesses:
            self._assign(accesses, barriers)
            self._begin()
        for barrier in barriers:
            barrier.erase()

    def _begin(self) -> None:
        """Insert an initial token for each chain, and order the accesses of the kernel's body."""
        block: Block = self.entry.body.block
        first = block.first
        assert first is not None, "a kernel ends in its return"
        used = dict.fromkeys(chain for chains in self.chains.values() for chain in chains)
        state: State = {
            chain: block.insert_before(first, memory.MakeTokenOp(location=first.lazy_location)).results[0]
            for chain in used
        }
        self._thread(block, state, [])

    # --- chains

    def _assign(self, accesses: Sequence[Operation], barriers: Sequence[Operation]) -> None:
        """Determine the chains of each access, barrier, loop and branch. A barrier belongs to the chains of
        all accesses.
        """
        roots = {access: self._parameters(access) if self.by_pointer else () for access in accesses}
        for access, parameters in roots.items():
            if isinstance(access, STORES):
                self._number(access, parameters)
        every = self._every() if self.by_pointer else (ALL,)
        for access in accesses:
            self.chains[access] = self._chains_of(access, roots[access], every)
        for barrier in barriers:
            self.chains[barrier] = tuple(
                dict.fromkeys(one for access in accesses for one in self.chains[access])
            )
        for op, chains in self.chains.items():
            around = op.parent_op
            while around is not None and around is not self.entry:
                self.inside[around] = tuple(dict.fromkeys((*self.inside.get(around, ()), *chains)))
                around = around.parent_op

    def _parameters(self, access: Any) -> Sequence[int]:
        """Return the indices of the pointer parameters that an access may use, in ascending order; empty if
        that is unknown, and for prints.
        """
        name = POINTERS.get(access.__class__)
        return sorted((name and self._roots(getattr(access, name))) or ())

    def _number(self, store: STORES, parameters: Sequence[int]) -> None:
        for parameter in parameters:
            known = self.stores.setdefault(parameter, [])
            if _stored_through(store) not in known:
                known.append(_stored_through(store))

    def _every(self) -> tuple[Chain, ...]:
        """Return the chains of all parameters that are pointers; the chain `ALL` alone if there is no such
        parameter.
        """
        arguments = self.entry.body.block.arguments
        found = [argument.index for argument in arguments if _is_pointer(argument.type)]
        return tuple(chain for parameter in found for chain in self._chains_to(parameter)) or (ALL,)

    def _chains_to(self, parameter: int) -> list[Chain]:
        return [(parameter, number) for number in range(len(self.stores.get(parameter, [None])))]

    def _chains_of(
        self, access: Operation, parameters: Sequence[int], every: tuple[Chain, ...]
    ) -> tuple[Chain, ...]:
        if not parameters:
            return every
        if isinstance(access, STORES):
            through = _stored_through(access)
            return tuple((parameter, self.stores[parameter].index(through)) for parameter in parameters)
        return tuple(chain for parameter in parameters for chain in self._chains_to(parameter))

    def _roots(self, pointers: Value) -> frozenset[int] | None:
        """Return the indices of the parameters that pointers may be derived from; None if they may be derived
        from anything else.
        """
        found: set[int] = set()
        seen: set[Value] = set()
        pending = [pointers]
        while pending:
            value = pending.pop()
            if value in seen:
                continue
            seen.add(value)
            sources = self._sources(value)
            if sources is None:
                return None
            if isinstance(sources, int):
                found.add(sources)
            else:
                pending += sources
        return frozenset(found)

    def _sources(self, value: Value) -> int | list[Value] | None:
        owner: Any = value.owner
        if isinstance(owner, Block):
            return self._of_argument(owner, value)
        if isinstance(owner, SAME_MEMORY):
            return [owner.operands[0]]
        match owner:
            case tiles.SelectOp():
                return [owner.val_if_true, owner.val_if_false]
            case tiles.CatOp():
                return list(owner.operands)
            case control.ForOp():
                return [owner.init_values[value.index], _last(owner.body).operands[value.index]]
            case control.IfOp():
                ends = [_last(region) for region in owner.regions if region.blocks]
                return [end.operands[value.index] for end in ends if isinstance(end, control.YieldOp)]
            case control.LoopOp():
                return [end.operands[value.index] for end in _ends(owner, control.BreakOp)]
            case _:
                return None

    def _of_argument(self, block: Block, value: Any) -> int | list[Value] | None:
        parent: Any = block.parent_op
        if parent is self.entry:
            return value.index
        match parent:
            case control.ForOp() if value.index:
                at = value.index - 1
                return [
                    parent.init_values[at],
                    *(end.operands[at] for end in _ends(parent, control.ContinueOp)),
                ]
            case control.LoopOp():
                at = value.index
                return [
                    parent.init_values[at],
                    *(end.operands[at] for end in _ends(parent, control.ContinueOp)),
                ]
            case _:
                return None

    # --- threading

    def _thread(self, block: Block, state: State, loops: list[tuple[Chain, ...]]) -> None:
        """Replace the placeholder tokens in a block, in order.

        ``state`` maps each chain to its newest token. ``loops`` lists, for each surrounding loop, the chains
        whose tokens it carries.
        """
        op = block.first
        while op is not None:
            following = op.next
            match op:
                case control.ForOp() | control.LoopOp():
                    self._loop(op, state, loops)
                case control.IfOp():
                    self._branch(op, state, loops)
                case control.ContinueOp() | control.BreakOp() if loops:
                    _extend(op, [state[chain] for chain in loops[-1]])
                case BarrierOp() if op in self.chains:
                    together = _joined(op, [state[chain] for chain in self.chains[op]])
                    state.update(dict.fromkeys(self.chains[op], together))
                case _ if op in self.chains:
                    self._access(op, state)
                case _:
                    pass
            op = following

    def _access(self, access: Operation, state: State) -> None:
        chains = self.chains[access]
        at = place_of(access)
        assert at is not None, "only those are in chains"
        unordered = access.operands[at].owner
        access.set_operand(at, _joined(access, [state[chain] for chain in chains]))
        assert isinstance(unordered, Operation), "it was made by an operation"
        unordered.erase()
        token = access.results[-1]
        for chain in chains:
            state[chain] = token

    def _loop(self, op: Loop, state: State, loops: list[tuple[Chain, ...]]) -> None:
        chains = self.inside.get(op, ())
        if not chains:
            self._thread(op.body.block, state, [*loops, ()])
            return
        made = _rebuilt(op, [state[chain] for chain in chains], len(chains))
        block: Block = made.regions[0].block
        inner = dict(state)
        for chain in chains:
            inner[chain] = block.add_argument(TOKEN)
        self._thread(block, inner, [*loops, chains])
        state.update(zip(chains, made.results[-len(chains) :], strict=True))

    def _branch(self, op: control.IfOp, state: State, loops: list[tuple[Chain, ...]]) -> None:
        chains = self.inside.get(op, ())
        made = _rebuilt(op, [], len(chains)) if chains else op
        for (
            region
        ) in made.regions:  # both have a block: the conversion makes no branch without the other side
            inner = dict(state)
            self._thread(region.block, inner, loops)
            end = _last(region)
            if isinstance(end, control.YieldOp):
                _extend(end, [inner[chain] for chain in chains])
        if chains:
            state.update(zip(chains, made.results[-len(chains) :], strict=True))


def _stored_through(store: STORES) -> Value | None:
    """Return the tile of pointers, or the view, that a store uses; None for a store of a single element,
    which one thread executes.
    """
    if isinstance(store, memory.StoreViewTkoOp):
        return store.view
    type = store.destination.type
    return store.destination if isinstance(type, TileType) and type.shape else None


def _is_pointer(type: Type) -> bool:
    return isinstance(type, TileType) and isinstance(type.element_type, PointerType)


def _last(region: Region) -> Operation:
    last = region.block.last
    assert last is not None, "regions have terminators"
    return last


def _ends(loop: Loop, kind: type[Operation]) -> list[Operation]:
    """Return the terminators of class `kind` that end an iteration of `loop` itself, and not of a loop inside
    of it.
    """
    found: list[Operation] = []
    pending: list[Block] = [loop.body.block]
    while pending:
        for op in pending.pop():
            if isinstance(op, kind):
                found.append(op)
            elif isinstance(op, control.IfOp):
                pending += [region.block for region in op.regions if region.blocks]
    return found


def _joined(access: Operation, tokens: Sequence[Value]) -> Value:
    different = list(dict.fromkeys(tokens))
    if len(different) == 1:
        return different[0]
    assert access.parent is not None, "the access stands in a block"
    made = memory.JoinTokensOp(tuple(different), location=access.lazy_location)
    return access.parent.insert_before(access, made).results[0]


def _extend(end: Operation, tokens: Sequence[Value]) -> None:
    end.set_operands([*end.operands, *tokens])


def _rebuilt(op: Operation, tokens: Sequence[Value], results: int) -> Any:
    """Replace `op` by a copy with `tokens` as additional operands and `results` additional results of type
    token; return the copy.
    """
    regions = [Region() for _ in op.regions]
    made = Operation.from_parts(
        op.kind,
        [*op.operands, *tokens],
        [*op.result_types, *[TOKEN] * results],
        dict(op.held_attributes),
        regions,
        location=op.lazy_location,
    )
    for source, target in zip(op.regions, made.regions, strict=True):
        target.take_blocks(source)
    assert op.parent is not None, "the operation stands in a block"
    op.parent.insert_before(op, made)
    for old, new in zip(op.results, made.results, strict=False):
        old.replace_all_uses_with(new)
    op.erase()
    return made


def order_accesses(entry: Operation, *, by_pointer: bool) -> None:
    """Add tokens that order the accesses of a kernel, in place of placeholders, and erase barriers. The
    accesses are in one chain, or with ``by_pointer`` in a chain for each pointer parameter and each tile of
    pointers that is stored through.
    """
    KernelOrdering(entry, by_pointer=by_pointer).run()
