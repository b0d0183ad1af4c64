"""The pass `convert-tileaa-to-tileas`: its patterns, their order, and its legal operations.

It converts pointers, views, constants and arithmetic, and descriptors made on the host; operations of both
dialects may stay. The conversion of bodies is another pass (`bodies.py`). "May stay" is read as: may stay in
TileAS form. Otherwise the patterns on operations of `nv_tileaa` would never run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.func import ops as func
from tilewright.dialects.nv_tileaa.constraints import element_of, is_pointer
from tilewright.dialects.nv_tileaa.ops import pointer, structure
from tilewright.dialects.nv_tileas.ops_memory import MakeTiledTMADescOp
from tilewright.ir.operation import Operation
from tilewright.lowering import pattern as conversion
from tilewright.lowering.tileaa_to_tileas import bridge, patterns as tileaa_to_tileas_patterns
from tilewright.lowering.tileaa_to_tileas.arith_bank import ConstantTensorOpConversion, populate_arith_bank
from tilewright.lowering.tileaa_to_tileas.type_conversion import TileASTypeConverter
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.conversion import driver, target as conversion_target
from tilewright.rewrite.pattern_set import RewritePatternSet

FAILED = "expect lower MakeTiledTMADescOp"
"""The text is an interface: tools search for it."""
LEGAL_DIALECTS = ("llvm", "cute", "cute_nvgpu", "builtin", "vector", "nv_tileaa", "nv_tileas")
Populate = Callable[[RewritePatternSet, TileASTypeConverter], None]


def populate_structure(patterns: RewritePatternSet, converter: TileASTypeConverter) -> None:
    """Add the patterns for memory objects and views of them."""
    patterns.add(*(pattern(converter) for pattern in tileaa_to_tileas_patterns.STRUCTURE))


def populate_pointers(patterns: RewritePatternSet, converter: TileASTypeConverter) -> None:
    """Add the patterns for bit casts and pointer casts."""
    patterns.add(*(pattern(converter) for pattern in tileaa_to_tileas_patterns.POINTERS))


def populate_functions(patterns: RewritePatternSet, converter: TileASTypeConverter) -> None:
    """Add the patterns for functions, calls and returns."""
    patterns.add(*(pattern(converter) for pattern in tileaa_to_tileas_patterns.FUNCTIONS))


POPULATORS: tuple[Populate, ...] = (
    populate_structure,
    populate_pointers,
    populate_functions,
    populate_arith_bank,
)
"""The functions that add patterns, in the order in which they run."""


def populate_specialists(patterns: RewritePatternSet, converter: TileASTypeConverter) -> None:
    """Add the patterns for constants, splats, extractions, assumptions, offsets of pointers and TMA
    descriptors; they come after all `POPULATORS`.
    """
    patterns.add(
        tileaa_to_tileas_patterns.MakeTiledTMADescOpHostConversion(converter),
        ConstantTensorOpConversion(converter),
        tileaa_to_tileas_patterns.AddPtrOpConversion(converter),
        tileaa_to_tileas_patterns.SplatOpHostConversion(converter),
        tileaa_to_tileas_patterns.AssumeOpConversion(converter),
        tileaa_to_tileas_patterns.ExtractOpHostConversion(converter),
    )


def populate_tileaa_to_tileas(patterns: RewritePatternSet, converter: TileASTypeConverter) -> None:
    """Add all patterns of the conversion, in order."""
    for populate in (*POPULATORS, populate_specialists):
        populate(patterns, converter)


def tileas_target(converter: TileASTypeConverter) -> conversion_target.ConversionTarget:
    """Return the conversion target. The dialects `LEGAL_DIALECTS` are legal, and operations of `arith`
    without tiles. Operations of `nv_tileaa` that the patterns convert, and functions, calls and returns, are
    legal only if their types are in TileAS form; a `get_dim_size` only if its extent is unknown; a `bitcast`
    only if it casts pointers, too.
    """
    target = conversion_target.ConversionTarget().add_legal_dialect(*LEGAL_DIALECTS)
    target.add_dynamically_legal_dialect(converter.is_free_of_tiles, "arith")
    target.add_dynamically_legal(
        converter.has_tileas_form,
        structure.BlockTileOp,
        structure.MakeMemrefOp,
        structure.SplatOp,
        structure.ExtractOp,
        pointer.PtrToIntOp,
        pointer.IntToPtrOp,
        pointer.AddPtrOp,
        pointer.AssumeOp,
        MakeTiledTMADescOp,
        func.CallOp,
        func.ReturnOp,
    )
    target.add_dynamically_legal(lambda op: _signature_is_legal(op, converter), func.FuncOp)
    target.add_dynamically_legal(bridge.has_unknown_size, structure.GetDimSizeOp)
    target.add_dynamically_legal(lambda op: _may_stay(op, converter), pointer.BitcastOp)
    return target


def _signature_is_legal(op: Operation, converter: TileASTypeConverter) -> bool:
    return isinstance(op, func.FuncOp) and converter.is_legal_type(op.function_type)


def _may_stay(op: Operation, converter: TileASTypeConverter) -> bool:
    """Return whether a cast may stay in `nv_tileaa`: it casts pointers, since `nv_tileas` casts numbers only,
    and its types are in TileAS form.
    """
    return is_pointer(element_of(op.operand_types[0])) and converter.has_tileas_form(op)


def convert_to_tileas(op: Operation, state: PassState) -> None:
    """Convert an operation from `nv_tileaa` to `nv_tileas`, with one type converter.

    Raises `DiagnosticError` for operations that cannot be converted.
    """
    converter = TileASTypeConverter(state.context)
    patterns = RewritePatternSet(state.context)
    populate_tileaa_to_tileas(patterns, converter)
    convert(op, state, patterns, converter)


def convert(
    op: Operation, state: PassState, patterns: RewritePatternSet, converter: TileASTypeConverter
) -> None:
    """Convert an operation so that `tileas_target` is met, by the given patterns. Raises `DiagnosticError`
    with the text `FAILED` if an operation that is not legal cannot be converted.
    """
    config = driver.ConversionConfig(type_converter=converter, failure_message=FAILED)
    conversion.convert(op, state, tileas_target(converter), patterns, config)


@dataclass(frozen=True)
class ConvertTileAAToTileAS(Pass):
    """Converts pointers, views, constants, functions and arithmetic on tiles from `nv_tileaa` and `arith` to `nv_tileas`.

    The pass has one type converter.  Patterns given as PDL are compiled before anything is converted; if that fails,
    or if something that has no TileAS form is left, the pass fails and nothing is changed.
    """

    name: ClassVar[str] = "convert-nv-tileaa-to-nv-tileas"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("nv_tileas", "llvm", "arith")

    def run(self, op: Operation, state: PassState) -> None:
        convert_to_tileas(op, state)
