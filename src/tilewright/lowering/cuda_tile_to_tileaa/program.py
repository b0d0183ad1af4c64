"""Converts modules, kernels, globals, queries of the grid, assumptions, assertions and printing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from tilewright.dialects.builtin.dialect import ModuleOp
from tilewright.dialects.cuda_tile import attributes as cuda_tile_attributes, enums as cuda_tile_enums
from tilewright.dialects.cuda_tile.ops import control
from tilewright.dialects.nv_tileaa import attributes as aa_attributes, discardable as tileaa_discardable
from tilewright.dialects.nv_tileaa.attributes import KernelSpecAttr
from tilewright.dialects.nv_tileaa.ops import pointer as aa_pointer, program as aa, structure
from tilewright.ir import block as ir_block, builtin_types, diagnostic
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import DenseElementsAttr, IntegerAttr, StringAttr
from tilewright.ir.operation import Operation
from tilewright.lowering import codes
from tilewright.lowering.capability import Capability
from tilewright.lowering.cuda_tile_to_tileaa.pattern import EndPattern, TileAAEmitter, TilePattern
from tilewright.lowering.pattern import LoweringResult
from tilewright.rewrite.conversion.pattern import Adaptor

_Op = TypeVar("_Op", bound=Operation)

CLUSTER_HINT = "num_cta_in_cga"
"""The hint of a kernel that requests several thread blocks for one tile block."""
SPEC_HINTS = {
    "num_worker_warps_per_cta": "num_warps",
    "occupancy": "occupancy",
}
"""For each hint of kernels, the field of a kernel specification that it sets."""


class ModulePattern(TilePattern[control.ModuleOp]):
    """Moves the contents of a module into the module around it. If there are further modules there, it
    becomes a `builtin.module` inside it instead.
    """

    def lower(
        self, op: control.ModuleOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        rewriter = emit.rewriter
        if _is_only(op):
            rewriter.inline_block(op.body.block, op)
        else:
            made = emit.insert(ModuleOp, sym_name=op.sym_name, bodyRegion=ir_block.Region())
            rewriter.take_region(op.body, made.bodyRegion)
        return ()


def _is_only(module: Operation) -> bool:
    assert module.parent is not None, "the pass sees to it"
    return sum(isinstance(op, control.ModuleOp | ModuleOp) for op in module.parent) == 1


def kernel_spec(
    hints: cuda_tile_attributes.OptimizationHintsAttr | None, capability: Capability
) -> KernelSpecAttr:
    """Return the kernel specification: the defaults, overridden by the hints for the target's chip. ``hints``
    is None for a kernel without hints.
    """
    given = hints.for_target(capability.hint_target) if hints is not None else None
    parts: dict[str, Any] = {}
    for name, value in given or ():
        if name in SPEC_HINTS and isinstance(value, IntegerAttr):
            parts[SPEC_HINTS[name]] = value.value
    return KernelSpecAttr(**parts)


def hints_not_used(entry: control.EntryOp, capability: Capability) -> diagnostic.Diagnostic | None:
    """Return a warning if the hints of `entry` for a GPU request more than one block for each tile block,
    which no GPU code does. Return None without such a hint, and for the host, where it means nothing.
    """
    hints = entry.optimization_hints
    given = hints.for_target(capability.hint_target) if hints is not None and not capability.is_host else None
    blocks = next((value for name, value in given or () if name == CLUSTER_HINT), None)
    if not isinstance(blocks, IntegerAttr) or blocks.value < 2:
        return None
    message = (
        f"kernel '{entry.sym_name}' asks by '{CLUSTER_HINT}' for {blocks.value} blocks to each tile block, and gets one: "
        "no tile block is spread over the blocks of a cluster"
    )
    found = diagnostic.Diagnostic(diagnostic.Severity.WARNING, message, entry.location, codes.HINT_NOT_USED)
    return found.hint(f"leave '{CLUSTER_HINT}' out, or set it to 1; results do not depend on it")


class EntryPattern(TilePattern[control.EntryOp]):
    """Converts an entry to a kernel function, with its hints as the kernel specification. It does not match
    if a parameter has no converted type.
    """

    def lower(
        self, op: control.EntryOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        converter, rewriter = self.lowering.converter, emit.rewriter
        signature: Any = converter.convert_type(op.function_type)
        if signature is None:
            return rewriter.no_match("signature {} cannot be converted", op.function_type)
        made = emit.insert(
            aa.FuncOp,
            op.sym_name,
            signature,
            kernel_spec=kernel_spec(op.optimization_hints, self.lowering.capability),
            arg_attrs=op.arg_attrs,
            body=ir_block.Region(),
        )
        rewriter.take_region(op.body, made.body)
        rewriter.convert_region_types(made.body, converter)
        return ()


class ReturnPattern(EndPattern[control.ReturnOp]):
    """Converts the `return` of a kernel to the `return` of `nv_tileaa`; a `return` inside of a branch or loop
    does not match.
    """

    becomes = aa.ReturnOp
    ends = (aa.FuncOp, control.EntryOp)


class GlobalPattern(TilePattern[control.GlobalOp]):
    """Converts a global variable to the `global` of `nv_tileaa`, with its elements, visibility and alignment,
    and whether it is constant.
    """

    def lower(
        self, op: control.GlobalOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        value: DenseElementsAttr = op.value
        private = op.symbol_visibility is cuda_tile_enums.SymbolVisibility.PRIVATE
        return emit.insert(
            structure.GlobalOp,
            op.sym_name,
            DenseElementsAttr(builtin_types.RankedTensorType(value.shape, value.element_type), value.data),
            sym_visibility="private" if private else None,
            alignment=op.alignment or None,
            constant=op.constant,
        )


class GetGlobalPattern(TilePattern[control.GetGlobalOp]):
    """Converts `get_global` to the operation of `nv_tileaa` with this name."""

    def lower(
        self, op: control.GetGlobalOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        return emit(structure.GetGlobalOp, op.global_name, type=types[0])


class GridPattern(TilePattern[_Op]):
    """The base of patterns for the tile block's index and the grid's extents. Each of the three results that
    is used becomes one operation with its dimension, x, y or z.
    """

    target: type[Any]

    def lower(self, op: _Op, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter) -> LoweringResult:
        return [
            emit(self.target, axis, type=types[axis]) if result.has_uses else None
            for axis, result in enumerate(op.results)
        ]


class GetTileBlockIdPattern(GridPattern[control.GetTileBlockIdOp]):
    """Converts the index of the tile block in the grid: to a `get_program_id` for each dimension that is
    used.
    """

    target = aa.GetProgramIdOp


class GetNumTileBlocksPattern(GridPattern[control.GetNumTileBlocksOp]):
    """Converts the extents of the grid: to a `get_num_programs` for each dimension that is used."""

    target = aa.GetNumProgramsOp


class AssertPattern(TilePattern[control.AssertOp]):
    """Converts `assert` to the `assert` of `nv_tileaa`; an assertion inserted by `insert-checks` becomes a
    `check` with its kind, and with the operands that a `with_operands` names.
    """

    def lower(
        self, op: control.AssertOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        note = op.attributes.get(tileaa_discardable.CHECK)
        if not isinstance(note, StringAttr):
            return emit.insert(aa.AssertOp, at.condition, op.message)
        shown = op.condition.owner
        if not isinstance(shown, aa.WithOperandsOp):
            return emit.insert(aa.CheckOp, at.condition, note.value, op.message)
        values = [emit.rewriter.remapped(value) for value in shown.values]
        return emit.insert(aa.CheckOp, at.condition, note.value, op.message, values, shown.signedness)


class WithOperandsPattern(TilePattern[aa.WithOperandsOp]):
    """Replaces the condition of a check with the condition alone; `AssertPattern` reads the operands."""

    def lower(
        self, op: aa.WithOperandsOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        return at.condition


class PrintPattern(TilePattern[control.PrintTkoOp]):
    """Converts `print_tko` to the `print` of `nv_tileaa`, with the format and the token."""

    def lower(
        self, op: control.PrintTkoOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        return emit.insert(aa.PrintOp, op.format, at.args, at.token, result_types=types)


class AssumePattern(TilePattern[control.AssumeOp]):
    """Converts `assume` with its predicate to the `assume` of `nv_tileaa`."""

    def lower(
        self, op: control.AssumeOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        return emit(aa_pointer.AssumeOp, at.value, [assumption(op.predicate)])


def assumption(predicate: cuda_tile_attributes.AssumePredicate) -> Attribute:
    """Return a predicate of `cuda_tile` as the attribute of `nv_tileaa`.

    Raises `TypeError` for any other attribute.
    """
    match predicate:
        case cuda_tile_attributes.DivByAttr():
            return aa_attributes.DivByAttr(predicate.divisor, predicate.every, predicate.along)
        case cuda_tile_attributes.BoundedAttr():
            return aa_attributes.BoundedAttr(predicate.lower, predicate.upper)
        case cuda_tile_attributes.SameElementsAttr():
            return aa_attributes.SameElementsAttr(predicate.values)
        case _:
            raise TypeError(f"{predicate} is no predicate of Tile IR")


PROGRAM_PATTERNS: tuple[type[TilePattern[Any]], ...] = (
    ModulePattern,
    EntryPattern,
    ReturnPattern,
    GetGlobalPattern,
    GetTileBlockIdPattern,
    GetNumTileBlocksPattern,
    AssertPattern,
    WithOperandsPattern,
    PrintPattern,
)
"""The patterns for the program; `GlobalPattern` and `AssumePattern` are singletons."""
