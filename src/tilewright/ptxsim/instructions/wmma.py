"""`wmma`: matrices of a warp with a register layout that the ISA does not specify.

Here a lane holds consecutive elements, row by row. Fragments of f16 operands have twice the number of
registers; the second half repeats the first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.ptxsim import addresses as ptxsim_addresses, code as ptxsim_code, codes, elements, faults
from tilewright.ptxsim.fragments import Digit, FragmentLayout
from tilewright.ptxsim.instruction_state import InstructionState
from tilewright.ptxsim.instructions.products import OperandFragment, shape_of, undefined_result
from tilewright.ptxsim.instructions.rules import aligned, refuse, rule
from tilewright.ptxsim.products import bitwise, product
from tilewright.ptxsim.program import InstructionSite
from tilewright.ptxsim.races.store_conflicts import check_stores
from tilewright.ptxsim.values import Array, any_along


def _layout(rows: int, columns: int) -> FragmentLayout:
    own = rows * columns // 32
    if own <= columns:
        lanes = (Digit(columns // own, 0, own), Digit(32 * own // columns, 1, 0))
        return FragmentLayout(rows, columns, lanes, (Digit(own, 0, 1),))
    return FragmentLayout(
        rows, columns, (Digit(32, own // columns, 0),), (Digit(columns, 0, 1), Digit(own // columns, 1, 0))
    )


def _sizes(site: InstructionSite, matrix: str) -> tuple[int, int]:
    m, n, k = shape_of(site)
    return {"a": (m, k), "b": (k, n), "c": (m, n), "d": (m, n)}[matrix]


class MatrixMemory:
    """A matrix in memory: its type, extents, order and stride. `matrix` is its role (a, b, c or d), and `use`
    is ``read`` or ``write``.
    """

    def __init__(self, site: InstructionSite, matrix: str, use: str) -> None:
        self.rows, self.columns = _sizes(site, matrix)
        self.type, self.by_column = site.modifier("type"), site.modifier("layout") == "col"
        if elements.bits_of(self.type) < 8:
            raise refuse(site, "elements of less than a byte are not")
        self.width = elements.bits_of(self.type) // 8
        self.places = ptxsim_addresses.StorageCells(site, "access of a matrix", self.width, "p")
        self.use = use
        self.stride = site.read("stride", "u32") if site.operand("stride") is not None else None

    def find(self, c: InstructionState) -> tuple[Any, Array]:
        """Return the storage, and the offsets of the elements of each warp: (warps, rows, columns). The
        access is checked for races.

        Raises `Fault` for an address that differs between the threads of a warp, and for elements that are
        not allocated.
        """
        storage, starts = self.places.alone(c)
        warps: Any = starts.reshape(-1, 32)
        if (warps != warps[:, :1]).any():
            raise faults.Fault(codes.NOT_ALIGNED, "the address of a matrix differs between threads of a warp")
        across = self.rows if self.by_column else self.columns
        if self.stride is not None:
            c.defined(self.stride[1], "the stride of a matrix")
            across = int(c.spread(self.stride[0](c))[0])
        row, column = np.arange(self.rows)[:, None], np.arange(self.columns)[None, :]
        index = column * across + row if self.by_column else row * across + column
        found = warps[:, :1, None] + index * self.width
        addresses = (found.ravel() + storage.base).astype(np.uint64)
        storage.check(addresses, self.width, "access of a matrix")
        if storage.watch is not None:
            threads = np.repeat(c.rows()[::32], self.rows * self.columns)
            storage.watch.access(threads, found.ravel(), self.width, writes=self.use == "write")
        return storage, found


def _reads(site: InstructionSite, name: str) -> list[Any]:
    return [site.resolver.read(one, _word(site), site.names) for one in site.elements(name)]


def _word(site: InstructionSite) -> str:
    words = {site.modifier(one) for one in ("type", "dtype", "atype")}
    return "b64" if "f64" in words else "b32"


@rule("wmma.load")
def load(site: InstructionSite, step: ptxsim_code.SimulatedStep) -> None:
    """Let `step` load a matrix from memory to a fragment. Raises `Fault` for a wrong number of registers."""
    memory = MatrixMemory(site, site.modifier("matrix"), "read")
    layout = _layout(memory.rows, memory.columns)
    per = max(32 // elements.bits_of(memory.type), 1)
    count = layout.count // per
    items = site.elements("d")
    if len(items) % count:
        raise refuse(site, f"'d' has {len(items)} registers")
    writes = [site.resolver.write(one, _word(site), site.names) for one in items]

    def run(c: InstructionState) -> None:
        storage, found = memory.find(c)
        values, undefined = storage.load(found.ravel(), memory.width)
        words = layout.scattered(values.reshape(found.shape))
        words = np.ascontiguousarray(words).view(np.uint64 if memory.width == 8 else np.uint32)
        flags = None
        if undefined is not None:
            flags = any_along(layout.scattered(undefined.reshape(found.shape)).reshape(*words.shape, -1), -1)
        for at, write in enumerate(writes):
            write(
                c, words[..., at % count].ravel(), None if flags is None else flags[..., at % count].ravel()
            )

    aligned(site, step, run)


@rule("wmma.store")
def store(site: InstructionSite, step: ptxsim_code.SimulatedStep) -> None:
    """Let `step` store a fragment to memory. Undefined elements become undefined memory, and are a `Fault` in
    global memory.
    """
    memory = MatrixMemory(site, "d", "write")
    layout = _layout(memory.rows, memory.columns)
    reads = _reads(site, "d")

    def run(c: InstructionState) -> None:
        storage, found = memory.find(c)
        whole = OperandFragment(layout, memory.type, reads)
        undefined = whole.undefined(c)
        if undefined is not None and storage is c.block.global_:
            raise faults.Fault(codes.POISON, "the value that is stored to global memory is undefined")
        words = np.ascontiguousarray(whole.contents(c)).view(f"u{memory.width}")
        values = layout.gathered(words)
        poison = None if undefined is None else undefined.ravel()
        storage.store(found.ravel(), memory.width, values.ravel(), poison)
        threads = np.repeat(c.numbers()[::32], found[0].size)
        check_stores(c, storage, threads, found.ravel(), memory.width, values.ravel(), poison)

    aligned(site, step, run)


@rule("wmma.mma")
def multiply(site: InstructionSite, step: ptxsim_code.SimulatedStep) -> None:
    """Let `step` multiply two fragments and add a third. Raises `Fault` for too few registers."""
    kinds = {name: site.modifier(f"{name}type") or "f16" for name in "abcd"}
    parts = {
        name: OperandFragment(_layout(*_sizes(site, name)), kinds[name], _reads(site, name)) for name in "abc"
    }
    for name, part in parts.items():
        count = part.layout.count * elements.bits_of(part.type) // max(elements.bits_of(part.type), 32)
        part.reads = part.reads[:count]
        if len(part.reads) != count:
            raise refuse(site, f"'{name}' has too few registers")
    a, b, addend = parts.values()
    result = addend.layout
    writes = [site.resolver.write(one, _word(site), site.names) for one in site.elements("d")]
    op, saturates = site.modifier("op"), site.has("satfinite")

    def run(c: InstructionState) -> None:
        first, second, third = a.matrices(c), b.matrices(c), addend.matrices(c)
        value = (
            bitwise(first, second, third, op)
            if op
            else product(first, second, third, kinds["d"], c.block.launch.seed)
        )
        poison = undefined_result(a.undefined(c), b.undefined(c), addend.undefined(c), value)
        words = elements.encode(kinds["d"], result.scattered(value), saturate=saturates)
        flags = None
        if poison is not None:
            flags = any_along(result.scattered(poison).reshape(*words.shape, -1), -1)
        for at, write in enumerate(writes):
            write(c, words[..., at].ravel(), None if flags is None else flags[..., at].ravel())

    aligned(site, step, run)
