"""Products of matrices in the registers of a warp: `mma`, including sparse and scaled operands."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.ptx.model import IntegerConstant, Name
from tilewright.ptxsim import (
    code as ptxsim_code,
    codes,
    elements,
    instruction_state,
    products as ptxsim_products,
)
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.fragments import FAMILIES, QUADS, FragmentLayout
from tilewright.ptxsim.instructions import copies, fragments as instructions_fragments
from tilewright.ptxsim.instructions.batches import JoinableProduct, possible
from tilewright.ptxsim.instructions.rules import aligned, refuse, rule
from tilewright.ptxsim.program import InstructionSite
from tilewright.ptxsim.values import UNSIGNED, Array, any_along

Adjust = Callable[[instruction_state.InstructionState, Array, Array], tuple[Array, Array]]
"""A function that changes the operands before the product: expands sparse operands, scales scaled operands.
"""


def shape_of(site: InstructionSite) -> tuple[int, int, int]:
    """Return M, N and K of the shape of an instruction: 16, 8 and 32 for ``m16n8k32``."""
    found = re.fullmatch(r"m(\d+)n(\d+)k(\d+)", site.modifier("shape"))
    assert found is not None
    m, n, k = map(int, found.groups())
    return m, n, k


@dataclass(slots=True)
class OperandFragment:
    """A matrix operand in registers of a warp or warp group: its layout, the type of its elements, and for
    each register its reader and the registers that this reads. With `packed`, elements of four bits share a
    byte.
    """

    layout: FragmentLayout
    type: str
    reads: list[tuple[Any, tuple[int, ...]]]
    packed: bool = False

    def contents(self, c: instruction_state.InstructionState, lanes: int = 32) -> Array:
        """Return the contents of the registers of each group of `lanes` threads: (groups, lanes, registers)."""
        found: Any = np.empty((len(c.numbers()), len(self.reads)), UNSIGNED[64 if self.type == "f64" else 32])
        for at, (read, _) in enumerate(self.reads):
            found[:, at] = read(c)
        return found.reshape(-1, lanes, len(self.reads))

    def matrices(self, c: instruction_state.InstructionState, lanes: int = 32) -> Array:
        """Return the matrix of elements of each group of `lanes` threads, as doubles: (matrices, rows,
        columns).
        """
        return self.layout.gathered(elements.decode(self.type, self.contents(c, lanes), packed=self.packed))

    def undefined(self, c: instruction_state.InstructionState, lanes: int = 32) -> Array | None:
        """Return a mask of the undefined elements of each group of `lanes` threads, in the shape of
        `matrices`, or `None` if all are defined.
        """
        found = [c.undefined(slots) for _, slots in self.reads]
        if all(one is None for one in found):
            return None
        columns = [c.spread(np.bool_(False)) if one is None else one for one in found]
        per = self.layout.count // len(columns)
        return self.layout.gathered(
            np.repeat(np.stack(columns, -1).reshape(-1, lanes, len(columns)), per, -1)
        )


def fragment(
    site: InstructionSite, name: str, layout: FragmentLayout, kind: str, *, packed: bool = False
) -> OperandFragment:
    """Return the operand called ``name``: the registers over which a matrix with elements of the type
    ``kind`` is distributed by ``layout``. With ``packed``, elements of four bits share a byte. Raises `Fault`
    unless the instruction has the number of registers that the layout requires.
    """
    bits = elements.bits_of(kind, packed=packed)
    width = max(bits, 32)
    count = layout.count * bits // width
    items = site.elements(name)
    if len(items) != count:
        raise refuse(site, f"'{name}' has {len(items)} registers; the shape has {count}")
    reads = [site.resolver.read(one, f"b{width}", site.names) for one in items]
    return OperandFragment(layout, kind, reads, packed)


def undefined_result(a: Array | None, b: Array | None, c: Array | None, like: Array) -> Array | None:
    """Return a mask of the undefined elements of a product `like`: rows and columns with an undefined element
    in an operand, and undefined elements of the addend. The masks of the operands are None if all elements
    are defined; so is the result.
    """
    if a is None and b is None and c is None:
        return None
    found = np.zeros(like.shape, np.bool_)
    if a is not None:
        found |= any_along(a, -1)[..., :, None]
    if b is not None:
        found |= any_along(b, -2)[..., None, :]
    return found if c is None else found | c


class ResultWriter:
    """Writes matrices of results with elements of the type `kind` to the registers of the operand `name`,
    over which `layout` distributes them. The constructor raises `Fault` unless the operand has the number of
    registers that the layout requires.
    """

    def __init__(self, site: InstructionSite, layout: FragmentLayout, kind: str, name: str = "d") -> None:
        self.layout, self.type = layout, kind
        self.saturates = site.has("satfinite")
        width = max(elements.bits_of(kind), 32)
        items = site.elements(name)
        count = layout.count * elements.bits_of(kind) // width
        if len(items) != count:
            raise refuse(site, f"'{name}' has {len(items)} registers; the shape has {count}")
        self.writes = [site.resolver.write(one, f"b{width}", site.names) for one in items]

    def put(self, c: instruction_state.InstructionState, value: Array, poison: Array | None) -> None:
        """Write a matrix of results, (groups, rows, columns), to the registers. `poison` is a mask of the
        undefined elements in the same shape, None if all elements are defined; a register with an undefined
        element is undefined.
        """
        words = elements.encode(self.type, self.layout.scattered(value), saturate=self.saturates)
        unknown = None
        if poison is not None:
            unknown = self.layout.scattered(poison)
            unknown = any_along(unknown.reshape(*words.shape, -1), -1)
        for at, write in enumerate(self.writes):
            flags = None if unknown is None else unknown[..., at].ravel()
            write(c, words[..., at].ravel(), flags if flags is not None and flags.any() else None)


def _layouts(
    site: InstructionSite, sparse: bool, packed: bool
) -> tuple[FragmentLayout, FragmentLayout, FragmentLayout, FragmentLayout]:
    """Return the layouts of both factors, the addend and the result. With `sparse`, the first factor has half
    as many columns; with `packed`, elements of four bits share a byte. Raises `Fault` if f16 results of the 8
    x 8 x 4 product have an f32 addend.
    """
    m, n, k = shape_of(site)
    a, b = site.modifier("atype"), site.modifier("btype")
    if (m, n, k, a) == (8, 8, 4, "f16"):
        c, d = site.modifier("ctype"), site.modifier("dtype")
        if (c, d) == ("f32", "f16"):
            raise refuse(site, "its result is narrower than its addend")
        factors = QUADS[f"A {site.modifier('al')}"], QUADS[f"B {site.modifier('bl')}"]
        return (*factors, QUADS[f"C {c}"], QUADS[f"C {d}"])
    per_a, per_b = (max(32 // elements.bits_of(one, packed=packed), 1) for one in (a, b))
    result = FAMILIES["C"](m, n, 1)
    return FAMILIES["A"](m, k // 2 if sparse else k, per_a), FAMILIES["B"](k, n, per_b), result, result


def _mma(
    site: InstructionSite,
    step: ptxsim_code.SimulatedStep,
    adjust: Adjust | None,
    *,
    sparse: bool = False,
    packed: bool = False,
) -> None:
    left, right, added, result = _layouts(site, sparse, packed)
    a = fragment(site, "a", left, site.modifier("atype"), packed=packed)
    b = fragment(site, "b", right, site.modifier("btype"), packed=packed)
    addend = fragment(site, "c", added, site.modifier("ctype"))
    writer, kind, bits = (
        ResultWriter(site, result, site.modifier("dtype")),
        site.modifier("dtype"),
        site.modifier("op"),
    )

    def run(c: instruction_state.InstructionState) -> None:
        first, second, third = a.matrices(c), b.matrices(c), addend.matrices(c)
        if adjust is not None:
            first, second = adjust(c, first, second)
        value = (
            ptxsim_products.bitwise(first, second, third, bits)
            if bits
            else ptxsim_products.product(first, second, third, kind, c.block.launch.seed)
        )
        writer.put(c, value, undefined_result(a.undefined(c), b.undefined(c), addend.undefined(c), value))

    aligned(site, step, run)
    if adjust is None and not bits:
        step.joinable = _joinable(site, step, (a, b, addend), writer, run)


def _joinable(
    site: InstructionSite,
    step: ptxsim_code.SimulatedStep,
    operands: tuple[OperandFragment, OperandFragment, OperandFragment],
    writer: ResultWriter,
    run: ptxsim_code.Run,
) -> JoinableProduct | None:
    """Return the data by which a product may be computed together with neighbouring products; `None` if it
    may not.
    """
    slots: list[tuple[int, ...]] = []
    for one in operands:
        if any(len(used) != 1 for _, used in one.reads):
            return None
        slots.append(tuple(slot for _, used in one.reads for slot in used))
    layouts = (operands[0].layout, operands[1].layout, operands[2].layout)
    types = (operands[0].type, operands[1].type, operands[2].type, writer.type)
    if not possible(types) or any(one.matrices != 1 for one in layouts):
        return None
    results = tuple(
        site.resolver.slot(one, site.names)[0] for one in site.elements("d") if isinstance(one, Name)
    )
    a, b, c = slots
    return JoinableProduct(layouts, types, a, b, c, results, run, lambda other: aligned(site, step, other))


@rule("mma.sync.aligned")
def multiply(site: InstructionSite, step: ptxsim_code.SimulatedStep) -> None:
    """Let `step` multiply dense matrices of a warp and add a third, with or without scales."""
    packed = site.modifier("kind") in ("kind::mxf4", "kind::mxf4nvf4")
    _mma(site, step, _scaling(site) if site.has("block_scale") else None, packed=packed)


def _scaling(site: InstructionSite) -> Adjust:
    """Return the function that multiplies blocks of the operands by scales. Raises `Fault` if the selectors
    of bytes or threads are no constants, or are out of range.
    """
    kind, vector = site.modifier("stype"), site.modifier("vector")
    default = "1" if site.modifier("kind") == "kind::mxf8f6f4" else "2"
    blocks = int((vector or f"scale_vec::{default}X")[-2])
    reads = [instructions_fragments.registers(site, name, 1)[0] for name in ("sa", "sb")]
    (byte_a, thread_a), (byte_b, thread_b) = (_pair(site, name) for name in ("ida", "idb"))
    if blocks + max(byte_a, byte_b) > 4 or thread_a > 1 or thread_b > 3:
        raise refuse(site, "the byte or thread selector of the scales is out of range")

    def adjust(c: instruction_state.InstructionState, a: Array, b: Array) -> tuple[Array, Array]:
        for _, slots in reads:
            c.defined(slots, "a scale of a block")
        left, right = (
            elements.decode(kind, c.spread(read(c)).reshape(-1, 32, 1).astype(np.uint32)) for read, _ in reads
        )
        size = a.shape[-1] // blocks
        rows = ptxsim_products.scales_of_rows(left, blocks, byte_a, thread_a)
        columns = ptxsim_products.scales_of_columns(right, blocks, byte_b, thread_b)
        return a * np.repeat(rows, size, -1), b * np.repeat(columns, size, -2)

    return adjust


def _pair(site: InstructionSite, name: str) -> tuple[int, int]:
    first, second = site.elements(name)
    if not isinstance(first, IntegerConstant) or not isinstance(second, IntegerConstant):
        raise refuse(site, f"'{name}' is not a pair of constants")
    return first.value, second.value


@rule("mma.sp", "mma.sp::ordered_metadata")
def multiply_sparse(site: InstructionSite, step: ptxsim_code.SimulatedStep) -> None:
    """Let `step` multiply with a sparse first operand: half of its elements are stored, and metadata give
    their positions. Raises `Fault` for an invalid selector, and for metadata that are not in increasing
    order.
    """
    _, _, k = shape_of(site)
    kind = ptxsim_products.sparsity(site.modifier("atype"))
    (read, slots), selector = site.read("e"), copies.constant(site, "f")
    lanes = k // kind.chunk // 4
    if not 0 <= selector < 4 // lanes:
        raise refuse(site, f"the selector {selector} is not below {4 // lanes}")
    ordered = "ordered" in site.form.name and kind.chunk != 2

    def adjust(c: instruction_state.InstructionState, a: Array, b: Array) -> tuple[Array, Array]:
        c.defined(slots, "the metadata of a sparse matrix")
        bits = ptxsim_products.chosen(c.spread(read(c)), kind, k, selector)
        if ordered and ((bits & np.uint32(3)) >= bits >> np.uint32(2)).any():
            raise Fault(codes.BAD_DESCRIPTOR, "the metadata of a sparse matrix is not in increasing order")
        return ptxsim_products.expanded(a, bits, kind), b

    _mma(site, step, adjust, sparse=True)
