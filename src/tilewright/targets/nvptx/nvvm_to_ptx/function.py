"""One function: its blocks in order, its registers, and its launch bounds."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.llvm.enums import Linkage
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.ir import block as ir_block, builtin_attributes, dominance
from tilewright.ir.attribute import Attribute
from tilewright.ir.operation import Operation
from tilewright.ptx.model import LocDirective, PtxFunction, PtxScope
from tilewright.targets.nvptx.nvvm_to_ptx import emitter, legal
from tilewright.targets.nvptx.nvvm_to_ptx.nvvm_rows import (
    copies,
    matrices,
    mbarriers,
    multimem,
    packed_formats,
    synchronisation,
)
from tilewright.targets.nvptx.nvvm_to_ptx.rows import (
    aggregates,
    atomics,
    branches,
    calls,
    casts,
    comparisons,
    floats,
    integers,
    intrinsic_calls,
    memory_rows as memory,
    orders,
    overflow,
    reductions,
)
from tilewright.targets.nvptx.tools import Version

ROWS: dict[type[Operation], emitter.Rule] = {
    **integers.ROWS,
    **overflow.ROWS,
    **floats.ROWS,
    **comparisons.ROWS,
    **casts.ROWS,
    **aggregates.ROWS,
    **reductions.ROWS,
    **memory.ROWS,
    **orders.ROWS,
    **atomics.ROWS,
    **branches.ROWS,
    **calls.ROWS,
    **intrinsic_calls.ROWS,
    **synchronisation.SPECIAL_REGISTER_ROWS,
    **synchronisation.ROWS,
    **mbarriers.ROWS,
    **copies.ROWS,
    **multimem.ROWS,
    **synchronisation.PREDICATED_ROWS,
    **packed_formats.ROWS,
    **matrices.ROWS,
}
"""The rule of each class of operation."""


KERNEL = "nvvm.kernel"
LAUNCH: tuple[tuple[str, str, Version], ...] = (
    ("nvvm.maxntid", "maxntid", (1, 3)),
    ("nvvm.reqntid", "reqntid", (2, 1)),
    ("nvvm.minctasm", "minnctapersm", (2, 0)),
    ("nvvm.maxnreg", "maxnreg", (1, 3)),
    ("nvvm.cluster_dim", "reqnctapercluster", (7, 8)),
    ("nvvm.cluster_max_blocks", "maxclusterrank", (7, 8)),
    ("nvvm.blocksareclusters", "blocksareclusters", (9, 0)),
)
"""The attributes of kernels, their directives, and the first version of PTX that has each directive."""
CLUSTERS = frozenset({"reqnctapercluster", "maxclusterrank", "blocksareclusters"})
HIDDEN = frozenset({Linkage.INTERNAL, Linkage.PRIVATE})
WEAK = frozenset({Linkage.WEAK, Linkage.WEAK_ODR, Linkage.LINKONCE, Linkage.LINKONCE_ODR})


def linkage_of(linkage: Linkage, *, defined: bool) -> str:
    """Return the PTX linking directive for a function of a linkage: ``extern`` unless it is `defined`, else
    ``weak``, ``visible`` or none.
    """
    if not defined:
        return "extern"
    if linkage in WEAK:
        return "weak"
    return "" if linkage in HIDDEN else "visible"


def is_kernel(function: LLVMFuncOp) -> bool:
    """Return whether a function is a kernel: it has the attribute `nvvm.kernel`."""
    return KERNEL in function.attributes


class FunctionWriter:
    """Builds the PTX model of `function`, whose name in PTX is `name`, for `chip`; with `line_info` it has
    the source lines of instructions. ``version`` is the version of PTX that it needs.
    """

    def __init__(
        self, chip: Chip, function: LLVMFuncOp, symbols: emitter.Symbols, name: str, *, line_info: bool
    ) -> None:
        self.emit = emitter.PtxFunctionEmitter(chip, function, symbols, name)
        self.emit.is_kernel = is_kernel(function)
        self.emit.op = function
        self.function = function
        self.line_info = line_info

    @property
    def version(self) -> Version:
        """Return the minimum version of PTX for the instructions that were emitted; it is final after
        `definition`.
        """
        return self.emit.version

    def declaration(self) -> PtxFunction:
        """Return the function without its body. Raises `DiagnosticError` for a parameter or result without a
        form.
        """
        return self._made(None)

    def definition(self) -> PtxFunction:
        """Return the function with its body, and as a kernel with its launch bounds. Raises `DiagnosticError`
        if PTX or the chip lacks an instruction, or a type has no registers.
        """
        directives = self._directives() if self.emit.is_kernel else ()
        emit = self.emit
        try:
            self._blocks(dominance.reverse_post_order(self.function.body, last_first=True))
        except legal.UnsupportedRegisterType as problem:
            raise emit.unheld(problem) from None
        statements = (*emit.declarations(), *emit.variables, *emit.statements)
        return self._made(PtxScope(statements), directives)

    def _made(
        self, body: PtxScope | None, directives: tuple[tuple[str, tuple[int, ...]], ...] = ()
    ) -> PtxFunction:
        emit = self.emit
        try:
            taken, given = calls.parameters(emit), calls.result_of(self.function.function_type)
        except legal.UnsupportedRegisterType as problem:
            raise emit.unheld(problem) from None
        defined = bool(self.function.body.blocks)
        linkage = linkage_of(self.function.linkage, defined=defined)
        return PtxFunction(emit.is_kernel, emit.name, taken, given, linkage, directives, body)

    # --- blocks

    def _blocks(self, blocks: Sequence[ir_block.Block]) -> None:
        emit = self.emit
        for block in blocks[1:]:
            emit.labels[block] = emit.label()
            for argument in block.arguments:
                emit.argument(argument)
        calls.receive(emit)
        for block, following in zip(blocks, (*blocks[1:], None), strict=True):
            emit.following = following
            if block in emit.labels:
                emit.enter(emit.labels[block])
            for op in block.ops:
                self._operation(op)

    def _operation(self, op: Operation) -> None:
        emit = self.emit
        rule = ROWS.get(op.__class__)
        emit.op = op
        if rule is None:
            raise emit.refused(
                "the tables of instructions have no row for it", "lower it to `llvm` or `nvvm` first"
            )
        for result in op.results:
            emit.slots(result.type)  # refused here, whatever the row does with it
        emit.check_processor(op)
        if self.line_info:
            self._locate(op)
        rule(emit, op)

    def _locate(self, op: Operation) -> None:
        """Set the source line of the next instructions; an unknown location leaves it unchanged. An operation
        may emit no instruction.
        """
        place = op.location.source
        if place is None or place[1] <= 0:
            return
        file, line, column = place
        self.emit.location = LocDirective(self.emit.symbols.file(file), line, max(column, 0))

    # --- launch bounds of a kernel

    def _directives(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        attributes, emit = self.function.attributes, self.emit
        found: list[tuple[str, tuple[int, ...]]] = []
        for name, word, version in LAUNCH:
            if name not in attributes:
                continue
            if word in CLUSTERS and not emit.chip.clusters:
                raise emit.lacking(f"it has no clusters, but '{name}' requires them")
            if word == "reqnctapercluster":
                found.append(("explicitcluster", ()))
            emit.version = max(emit.version, version)
            found.append((word, _numbers(attributes[name])))
        return tuple(found)


def _numbers(value: Attribute) -> tuple[int, ...]:
    match value:
        case builtin_attributes.IntegerAttr():
            return (value.value,)
        case builtin_attributes.DenseArrayAttr():
            return value.values
        case builtin_attributes.DenseElementsAttr():
            return tuple(value.patterns())
        case _:
            return ()
