"""Stores of several threads to the same address by an instruction.

PTX does not specify which value remains, neither in a warp nor in several. Different values are reported;
equal values are reported only if the launch asks for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilewright.ptxsim import codes, faults
from tilewright.ptxsim.storage import Storage
from tilewright.ptxsim.values import Array, every

if TYPE_CHECKING:
    from tilewright.ptxsim.instruction_state import InstructionState

HINT = "store to different addresses, store by a single thread, or use an atomic operation"


def check_stores(
    c: InstructionState,
    storage: Storage,
    threads: Array,
    places: Array,
    size: int,
    value: Array,
    poison: Array | None,
) -> None:
    """Check the stores that `threads` (indices in the block) have just executed: words of `size` bytes at
    `places`, with the values `value` and the mask `poison` of undefined ones. Launches that are not strict
    are not checked.

    A word that a thread stores as undefined becomes undefined. Raises `Fault` if an address received
    different values, or equal values if the launch reports these, too.
    """
    launch = c.block.launch
    if not launch.strict:
        return
    kept = storage.holds(places, size, value)
    if not every(kept):
        _same(c, storage, threads, places, size, kept, poison)
    if poison is not None:
        storage.undefine(places[poison], size)
    if launch.same_values:
        _alone(c, storage, threads, places, size)


def _same(
    c: InstructionState,
    storage: Storage,
    threads: Array,
    places: Array,
    size: int,
    kept: Array,
    poison: Array | None,
) -> None:
    """Raise `Fault` if the word of a thread at `places`, of `size` bytes, was overwritten by another value of
    the same instruction. `kept` is a mask of the threads whose word is in memory. Words that were undefined
    (`poison`; None: no word), or became undefined, are exempt.
    """
    _, undefined = storage.load(places, size)
    for unknown in (poison, undefined):
        kept = kept if unknown is None else kept | unknown
    if not every(kept):
        lost = int(np.argmin(kept))
        other = int(np.flatnonzero(places == places[lost])[-1])
        raise _fault(c, storage, (int(threads[lost]), int(threads[other])), int(places[lost]), size)


def check_copies(c: InstructionState, storage: Storage, threads: Array, places: Array, data: Array) -> None:
    """Raise `Fault` if two of `threads` start asynchronous copies of different bytes to one address by an
    instruction, or of any bytes if the launch reports equal values, too. Row `i` of `data` has the bytes that
    a thread copies to ``places[i]``. Launches that are not strict are not checked.
    """
    order = np.sort(places)
    if not c.block.launch.strict or every(order[1:] != order[:-1]):
        return
    _, first, number = np.unique(places, return_index=True, return_inverse=True)
    differs = (data[first[number]] != data).any(1)
    if differs.any():
        lost = int(np.argmax(differs))
        both = int(threads[first[number[lost]]]), int(threads[lost])
        raise _fault(c, storage, both, int(places[lost]), data.shape[1])
    if c.block.launch.same_values:
        _alone(c, storage, threads, places, data.shape[1])


def _alone(c: InstructionState, storage: Storage, threads: Array, places: Array, size: int) -> None:
    """Raise `Fault` if two threads stored at the same address in `places`, even if the values, of `size`
    bytes, are equal.
    """
    order = np.argsort(places, kind="stable")
    twice = np.flatnonzero(places[order[1:]] == places[order[:-1]])
    if len(twice):
        first, second = order[twice[0]], order[twice[0] + 1]
        both = int(threads[first]), int(threads[second])
        raise _fault(c, storage, both, int(places[first]), size, values="the same value")


def _fault(
    c: InstructionState,
    storage: Storage,
    threads: tuple[int, int],
    place: int,
    size: int,
    values: str = "different values",
) -> faults.Fault:
    first, second = sorted(threads)
    address = storage.base + place
    return faults.Fault(
        codes.TWO_VALUES,
        f"threads {first} and {second} store {values} of {size} bytes to {storage.name} address {address:#x} by one instruction",
        HINT,
        address if storage is c.block.global_ else None,
    )
