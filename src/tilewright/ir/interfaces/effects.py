"""Effects on memory and uses of results: assumptions that passes may make about any operation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain

from tilewright.ir.declaration import kind as declaration_kind, traits as ir_traits
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


def has_no_memory_effect(op: Operation) -> bool:
    """Return whether an operation, with everything inside it, is known to neither read nor write memory, by
    its traits.
    """
    traits = op.kind.trait_classes
    if ir_traits.RecursiveMemoryEffects not in traits:
        return ir_traits.Pure in traits or ir_traits.NoMemoryEffect in traits
    pending = [op]
    while pending:  # operations of the block come before nested ones: one effect ends the search
        for inner in _inside(pending.pop()):
            traits = inner.kind.trait_classes
            if ir_traits.RecursiveMemoryEffects in traits:
                pending.append(inner)
            elif ir_traits.Pure not in traits and ir_traits.NoMemoryEffect not in traits:
                return False
    return True


@cache
def accesses_nothing(kind: declaration_kind.OperationKind) -> bool:
    """Return whether operations of a kind are known to access no memory, apart from operations in their
    regions, by their traits. Terminators count as such operations.
    """
    traits = (
        ir_traits.Pure,
        ir_traits.NoMemoryEffect,
        ir_traits.RecursiveMemoryEffects,
        ir_traits.Terminator,
    )
    return any(trait in kind.trait_classes for trait in traits)


def is_trivially_dead(op: Operation) -> bool:
    """Return whether an operation can be erased: its results are unused, it is no terminator, and it has no
    memory effect and no symbol name.
    """
    if op.has_uses or op.kind.is_terminator or ir_traits.symbol_name(op) is not None:
        return False
    return has_no_memory_effect(op)


def erase_dead(values: Iterable[Value]) -> None:
    """Erase the operations that define `values` if they are in a block and trivially dead, and then the
    operations that become dead by it.
    """
    pending = list(values)
    while pending:
        op = pending.pop().owner
        if isinstance(op, Operation) and op.parent is not None and is_trivially_dead(op):
            pending += dict.fromkeys(op.operands)
            op.erase()


def _inside(op: Operation) -> Iterator[Operation]:
    """Yield the operations directly in the regions of `op`.

    Terminators are included, since a terminator that is not pure may also end an enclosing operation.
    """
    return chain.from_iterable([block for region in op.regions for block in region.blocks])
