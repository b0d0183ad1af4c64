"""The state that an instruction reads and writes: the registers of the executing threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.ptxsim import codes
from tilewright.ptxsim.block_state import JoinedPoison, RegisterFrame
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.values import Array, resized, some

if TYPE_CHECKING:
    from tilewright.ptxsim.block import SimulatedBlock


class InstructionState:
    """The state of an executed instruction: a block, a frame, and the executing threads (`None` for all
    threads of the block).
    """

    __slots__ = ("block", "frame", "lanes")

    def __init__(self, block: SimulatedBlock, frame: RegisterFrame, lanes: Array | None) -> None:
        self.block = block
        self.frame = frame
        self.lanes = lanes

    def take(self, slot: int) -> Array:
        """Return the values of the register `slot` in the executing threads, as words of its width."""
        value = self.frame.values[slot]
        return value if self.lanes is None else value[self.lanes]

    def numbers(self) -> Array:
        """Return the indices of the executing threads in the block."""
        return self.block.everyone if self.lanes is None else self.lanes

    def rows(self) -> Array:
        """Return the indices of the executing threads in the cluster."""
        first = self.block.rank * self.block.threads
        return self.numbers() + first if first else self.numbers()

    def spread(self, value: Any) -> Array:
        """Return `value`, a scalar or an array with an element for each executing thread, as such an array."""
        count = self.block.threads if self.lanes is None else len(self.lanes)
        array = np.asarray(value)
        return array if array.shape == (count,) else np.broadcast_to(array, (count,))

    def undefined(self, slots: tuple[int, ...]) -> Array | None:
        """Return a mask of the executing threads in which a register of `slots` is undefined, or `None` if
        all are defined.
        """
        found = None
        for slot in slots:
            poison = self.frame.poison[slot]
            if poison is not None:
                poison = poison if self.lanes is None else poison[self.lanes]
                found = poison if found is None else found | poison
        return None if found is None or not some(found) else found

    def undefined_parts(self, slot: int, count: int) -> list[Array | None]:
        """Return, for each of `count` equal parts of the register `slot`, the lowest first, a mask of the
        executing threads in which the part is undefined; `None` if it is defined in all. Unless the register
        was joined from `count` parts, each part has the mask of the whole register.
        """
        found = self.frame.pieces.get(slot)
        if found is None or found.whole is not self.frame.poison[slot] or len(found.parts) != count:
            return [self.undefined((slot,))] * count
        parts = [part if self.lanes is None else part[self.lanes] for part in found.parts]
        return [part if some(part) else None for part in parts]

    def defined(self, slots: tuple[int, ...], use: str) -> None:
        """Raise `Fault` if a register of `slots` is undefined in an executing thread; `use` names the operand
        in the message. Launches that are not strict accept it.
        """
        found = self.undefined(slots) if self.block.launch.strict else None
        if found is not None:
            thread = int(np.argmax(found) if self.lanes is None else self.lanes[int(np.argmax(found))])
            raise Fault(
                codes.POISON,
                f"{use} is undefined in thread {thread}",
                "write the register, or the memory that it was loaded from, before it is used",
            )

    def put(self, slot: int, value: Any, poison: Array | None) -> None:
        """Write the register `slot` of the executing threads; `value` has an element for each, or is a
        scalar, and is resized to the register's width. `poison` is the mask of the threads in which it is
        undefined, or `None`.
        """
        bits = self.frame.code.registers[slot]
        self.put_words(slot, resized(np.asarray(value), bits), poison)

    def put_words(self, slot: int, value: Array, poison: Array | None = None) -> None:
        """Write words of the register's width to the register `slot` of the executing threads; `value` has an
        element for each, or a single element. `poison` is the mask of the threads in which the register is
        undefined, or `None`.
        """
        frame = self.frame
        if frame.pieces:
            frame.pieces.pop(slot, None)
        if self.lanes is None:
            frame.values[slot] = value if value.size != 1 else np.array(self.spread(value))
            frame.poison[slot] = poison
            return
        changed = frame.values[slot].copy()
        changed[self.lanes] = value
        frame.values[slot] = changed
        before = frame.poison[slot]
        if before is not None or poison is not None:
            after = np.zeros(len(changed), np.bool_) if before is None else before.copy()
            after[self.lanes] = False if poison is None else poison
            frame.poison[slot] = after if some(after) else None

    def put_joined(self, slot: int, value: Array, parts: list[Array | None]) -> None:
        """Write words that are joined from parts to the register `slot` of the executing threads. `parts` has
        the mask of the threads in which each part is undefined, or `None`, the lowest part first;
        `undefined_parts` returns these masks.
        """
        frame = self.frame
        before, held = frame.pieces.pop(slot, None), frame.poison[slot]
        unknown = [part for part in parts if part is not None]
        self.put_words(slot, value, np.logical_or.reduce(unknown) if unknown else None)
        whole = frame.poison[slot]
        if whole is None or (before is None and not unknown):
            return
        keeps = before is not None and before.whole is held and len(before.parts) == len(parts)
        kept = tuple(
            (before.parts[at] if before is not None and keeps else whole).copy() for at in range(len(parts))
        )
        for mask, part in zip(kept, parts, strict=True):
            mask[slice(None) if self.lanes is None else self.lanes] = False if part is None else part
        frame.pieces[slot] = JoinedPoison(whole, kept)
