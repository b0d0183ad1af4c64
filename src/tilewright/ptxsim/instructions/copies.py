"""Copies of each thread: `cp.async` and its groups."""

from __future__ import annotations

import numpy as np

from tilewright.ptx import expressions, model, scopes, value_types
from tilewright.ptxsim import (
    addresses as ptxsim_addresses,
    code as ptxsim_code,
    codes,
    instruction_state,
    program,
)
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.instructions.rules import refuse, rule
from tilewright.ptxsim.races.store_conflicts import check_copies
from tilewright.ptxsim.values import Array, every, some


def constant(site: program.InstructionSite, name: str) -> int:
    """Return the value of the operand `name`, which must be a constant, as a signed number. Raises `Fault`
    for a register.
    """
    operand = site.operand(name)
    if not isinstance(operand, model.IntegerConstant):
        raise refuse(site, f"operand '{name}' is no constant")
    return expressions.signed(operand)


def _amount(site: program.InstructionSite, size: int) -> tuple[program.Read | None, tuple[int, ...]]:
    """Return the reader of the number of bytes that each thread reads, and the registers that it uses; the
    rest of `size` becomes zeros. A predicate that is true stands for 0 bytes. The reader is `None` if all
    bytes are read.
    """
    operand = site.operand("bytes")
    if operand is None:
        return None, ()
    meaning = site.names.find(operand.text) if isinstance(operand, model.Name) else None
    ignores = isinstance(meaning, scopes.Register) and meaning.type.kind is value_types.ValueKind.PREDICATE
    if ignores or isinstance(operand, model.Not):
        flag, slots = site.read("bytes", "pred")
        return lambda c: np.where(flag(c), np.uint32(0), np.uint32(size)), slots
    return site.read("bytes", "u32")


@rule("cp.async")
def copy(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> ptxsim_code.Run:
    """Return the function that starts a copy from global to shared memory; the thread's own waits complete
    the copy. Raises `Fault` for a size that the instruction does not support.
    """
    size = constant(site, "size")
    if size not in (4, 8, 16) or (site.modifier("cop") == "cg" and size != 16):
        raise refuse(site, f"it does not copy {size} bytes")
    target = ptxsim_addresses.StorageCells(site, "asynchronous copy", size, "d", space="shared", use="write")
    amount, slots = _amount(site, size)

    def run(c: instruction_state.InstructionState) -> None:
        if amount is None:
            storage, places = target.alone(c)
            data = _fetched(c, sources[size], size)
        else:
            c.defined(slots, "the number of bytes that are copied")
            amounts = c.spread(amount(c))
            if some(amounts > size):
                raise Fault(codes.BAD_COPY, f"{int(amounts.max())} bytes are read of a copy of {size} bytes")
            storage, places = target.alone(c)
            data = np.zeros((len(amounts), size), np.uint8)
            whole = every(amounts == amounts[0])
            counts = [int(amounts[0])] if whole else np.unique(amounts).tolist()
            for count in filter(None, counts):
                rows = np.flatnonzero(amounts == count)
                readers = (
                    c if whole else instruction_state.InstructionState(c.block, c.frame, c.numbers()[rows])
                )
                data[rows, :count] = _fetched(readers, sources[count], count)
        check_copies(c, storage, c.numbers(), places, data)
        c.block.copies.start(storage, c.numbers(), places, data)

    sources = {
        count: ptxsim_addresses.StorageCells(
            site, "asynchronous copy", count, "s", space="global", align=size
        )
        for count in (range(size + 1) if amount is not None else (size,))
    }
    return run


def _fetched(
    c: instruction_state.InstructionState, source: ptxsim_addresses.StorageCells, count: int
) -> Array:
    """Return `count` bytes of global memory for each thread: (threads, `count`). The read is checked for
    races. Raises `Fault` if a byte is undefined.
    """
    storage, places = source.alone(c)
    c.block.watch_global(c.rows(), places, count, writes=False)
    found, undefined = (
        storage.gather_rows(places) if count == 16 else storage.gather(places[:, None] + np.arange(count))
    )
    if undefined is not None:
        raise Fault(codes.POISON, "an asynchronous copy reads bytes that were never written")
    return found


@rule("cp.async.commit_group")
def commit(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> ptxsim_code.Run:
    """Return the function that makes a group of the thread's copies."""
    return lambda c: c.block.copies.commit(c.numbers())


@rule("cp.async.wait_group")
def wait(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> ptxsim_code.Run:
    """Return the function that waits for all groups of the thread except for the newest `n` (an operand)."""
    newest = constant(site, "n")
    return lambda c: c.block.copies.wait(c.numbers(), newest)


@rule("cp.async.wait_all")
def wait_all(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> ptxsim_code.Run:
    """Return the function that waits for all copies of the thread."""
    return lambda c: c.block.copies.wait_all(c.numbers())
