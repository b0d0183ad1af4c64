"""Matrices between shared memory and registers: `ldmatrix`, `stmatrix` and `movmatrix`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.ptxsim import code as ptxsim_code, codes, faults, instruction_state, program
from tilewright.ptxsim.addresses import StorageCells
from tilewright.ptxsim.instructions.rules import aligned, refuse, rule
from tilewright.ptxsim.races.store_conflicts import check_stores
from tilewright.ptxsim.values import Array, any_along


def registers(site: program.InstructionSite, name: str, count: int) -> list[tuple[Any, tuple[int, ...]]]:
    """Return a reader for each register of the operand `name`, with the registers that it reads. Raises
    `Fault` unless there are `count` registers.
    """
    elements = site.elements(name)
    _counted(site, name, len(elements), count)
    return [site.resolver.read(one, site.type_of(name), site.names) for one in elements]


def results(site: program.InstructionSite, count: int, name: str = "d") -> list[Any]:
    """Return a writer for each register of the operand `name`. Raises `Fault` unless there are `count`
    registers.
    """
    elements = site.elements(name)
    _counted(site, name, len(elements), count)
    return [site.resolver.write(one, site.type_of(name), site.names) for one in elements]


def _counted(site: program.InstructionSite, name: str, found: int, count: int) -> None:
    if found != count:
        raise refuse(site, f"'{name}' has {found} registers; the shape has {count}")


def _owners(c: instruction_state.InstructionState, matrices: int) -> Array:
    """Return the indices in the block of the threads whose addresses of rows are used: the first eight of
    each warp for each of `matrices`.
    """
    return c.numbers()[(c.numbers() & 31) < 8 * matrices]


def _rows(c: instruction_state.InstructionState, places: StorageCells, matrices: int) -> Array:
    """Return the offsets in shared memory of the 16-byte rows of matrices, eight for each matrix of each
    warp. Raises `Fault` for rows in other memory.
    """
    chosen = c.lanes if matrices == 4 else _owners(c, matrices)
    storage, found = places.alone(instruction_state.InstructionState(c.block, c.frame, chosen))
    if storage is not c.block.shared:
        raise faults.Fault(
            codes.OUT_OF_BOUNDS, f"the rows lie in {storage.name} memory, not in the block's shared memory"
        )
    return found


def _transposed(rows: Array) -> Array:
    """Transpose matrices of 8 x 8 elements of two bytes."""
    return np.ascontiguousarray(rows.reshape(*rows.shape[:-1], 8, 2).swapaxes(-3, -2)).reshape(rows.shape)


def _by_matrix(rows: Array, matrices: int, transposes: bool) -> Array:
    """Return the bytes of the threads' registers, a row for each matrix; `rows` is (warps x matrices x 8,
    16). With `transposes`, each matrix is transposed first.
    """
    value = rows.reshape(-1, matrices, 8, 16)
    if transposes:
        value = _transposed(value)
    return np.ascontiguousarray(value.swapaxes(0, 1)).reshape(matrices, -1)


def _checked(site: program.InstructionSite) -> int:
    if site.modifier("shape") != "m8n8":
        raise refuse(site, "only matrices of m8n8 with elements of 16 bits are simulated")
    return int(site.modifier("num")[1:])


@rule("ldmatrix.sync.aligned")
def load(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> None:
    """Let `step` load matrices of 8 x 8 elements of 16 bits from shared memory: each lane receives two
    elements of a row of each matrix, with `.trans` of a column. Raises `Fault` for other shapes.
    """
    matrices, writes = _checked(site), results(site, _checked(site))
    places, transposes = StorageCells(site, "load of a row", 16, use="read"), site.has("trans")

    def run(c: instruction_state.InstructionState) -> None:
        rows = _rows(c, places, matrices)
        value, poison = c.block.shared.gather_rows(rows)
        words = _by_matrix(value, matrices, transposes).view(np.uint32)
        unknown = None
        if poison is not None:
            unknown = any_along(_by_matrix(poison, matrices, transposes).reshape(*words.shape, 4), -1)
        for at, write in enumerate(writes):
            write(c, words[at], None if unknown is None else unknown[at])

    aligned(site, step, run)


@rule("stmatrix.sync.aligned")
def store(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> None:
    """Let `step` store matrices of 8 x 8 elements of 16 bits to shared memory: each lane has two elements of
    a row of each matrix, with `.trans` of a column. Raises `Fault` for other shapes.
    """
    matrices = _checked(site)
    reads = registers(site, "s", matrices)
    places, transposes = StorageCells(site, "store of a row", 16, use="write"), site.has("trans")

    def run(c: instruction_state.InstructionState) -> None:
        rows = (_rows(c, places, matrices)[:, None] + np.arange(16)).reshape(-1, matrices, 8, 16)
        value = np.stack([c.spread(read(c)).reshape(-1, 32) for read, _ in reads], 1)
        data = np.ascontiguousarray(value[..., None]).view(np.uint8).reshape(rows.shape)
        unknown = [c.undefined(slots) for _, slots in reads]
        poison = None
        if any(one is not None for one in unknown):
            words = np.stack([c.spread(False if one is None else one).reshape(-1, 32) for one in unknown], 1)
            poison = np.repeat(words, 4, -1).reshape(rows.shape)
        if transposes:
            data = _transposed(data)
            poison = None if poison is None else _transposed(poison)
        c.block.shared.scatter(rows, data, poison)
        flags = None if poison is None else poison.ravel()
        check_stores(
            c, c.block.shared, np.repeat(_owners(c, matrices), 16), rows.ravel(), 1, data.ravel(), flags
        )

    aligned(site, step, run)


@rule("movmatrix.sync.aligned")
def transpose(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> None:
    """Let `step` transpose a matrix of 8 x 8 elements of 16 bits that a warp holds."""
    (read, slots), write = site.read("a"), site.write()

    def run(c: instruction_state.InstructionState) -> None:
        rows = np.ascontiguousarray(c.spread(read(c)).reshape(-1, 32, 1)).view(np.uint8).reshape(-1, 8, 16)
        unknown = c.undefined(slots)
        value = _transposed(rows).reshape(-1, 4).view(np.uint32)[:, 0]
        if unknown is not None:
            whole = np.repeat(unknown.reshape(-1, 32), 4, -1).reshape(-1, 8, 16)
            unknown = any_along(_transposed(whole).reshape(-1, 4), -1)
        write(c, value, unknown)

    aligned(site, step, run)
