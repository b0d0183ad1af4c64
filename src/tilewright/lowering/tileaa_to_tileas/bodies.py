"""The conversion of bodies from `nv_tileaa` to `nv_tileas`: one pattern set in fixed order, one target, one
converter.

Kernels stay functions of `nv_tileaa` with their types; their bodies become `nv_tileas`, `arith` and `math`.
Some operations of `nv_tileaa` have no counterpart there, because layouts and instructions do not affect them:
they stay (`bridge.py`), and the conversion to LLVM takes them.

The pass in `descriptors.py` is another one: it prepares descriptors that the host makes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.nv_tileaa.ops import program
from tilewright.dialects.nv_tileas import ops_tile as tile
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.lowering import capability as lowering_capability, pattern as conversion, target_facts
from tilewright.lowering.pattern import ConversionInserter, LoweringResult
from tilewright.lowering.tileaa_to_tileas import arith_bank, memory_patterns
from tilewright.lowering.tileaa_to_tileas.arithmetic import function_patterns, rounded_patterns
from tilewright.lowering.tileaa_to_tileas.bridge import BRIDGE, LEGAL, ON_CONDITION
from tilewright.lowering.tileaa_to_tileas.patterns import TileAAPattern
from tilewright.lowering.tileaa_to_tileas.shape import AIMED, SHAPES, discardable
from tilewright.lowering.tileaa_to_tileas.type_conversion import TileASTypeConverter
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.conversion.driver import ConversionConfig, FoldingMode
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.conversion.target import ConversionTarget
from tilewright.rewrite.pattern_set import RewritePatternSet

FAILED = "failed to convert nv_tileaa to nv_tileas"
"""The text is an interface: tools search for it."""
LEGAL_DIALECTS = ("nv_tileas", "arith", "math", "func", "gpu", "scf")


class CancelPattern(TileAAPattern[program.CancelNextProgramIdOp]):
    """Converts `cancel_next_program_id` to the operation of `nv_tileas` with this name."""

    def lower(
        self, op: program.CancelNextProgramIdOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        return emit.plain(tile.CancelNextProgramIdOp.op_kind, (), types, discardable(op))


class PragmaPattern(TileAAPattern[program.PragmaOp]):
    """Converts a `pragma` to the operation of `nv_tileas` with this name; its directives become the attribute
    `ocgEnterDirectives`.
    """

    def lower(
        self, op: program.PragmaOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        attributes = discardable(op) | {"ocgEnterDirectives": op.held_attributes["directives"]}
        return emit.plain(tile.PragmaOp.op_kind, at.operands, types, attributes)


@dataclass(frozen=True, slots=True)
class BodyConversion:
    """The arguments of the functions that add patterns: the type converter, and the target."""

    converter: TileASTypeConverter
    target: lowering_capability.Capability


Populate = Callable[[RewritePatternSet, BodyConversion], None]


def populate_arith(patterns: RewritePatternSet, body: BodyConversion) -> None:
    """Add the patterns for integer arithmetic, constants, sums and products with rounding modes, and casts."""
    arith_bank.populate_arith_bank(patterns, body.converter)
    patterns.add(arith_bank.ConstantTensorOpConversion(body.converter), *rounded_patterns(body.converter))


def populate_math(patterns: RewritePatternSet, body: BodyConversion) -> None:
    """Add the patterns that convert functions of `nv_tileaa` to `math`. Operations of `math` stay, on tiles
    as well.
    """
    patterns.add(*function_patterns(body.converter))


def populate_core(patterns: RewritePatternSet, body: BodyConversion) -> None:
    """Add the patterns for shapes, memory, products and regions."""
    converter = body.converter
    patterns.add(*(pattern(converter) for pattern in (*SHAPES, CancelPattern, PragmaPattern)))
    patterns.add(*memory_patterns.access_patterns(converter))
    patterns.add(*(pattern(converter, body.target) for pattern in AIMED))


POPULATORS: tuple[Populate, ...] = (populate_arith, populate_math, populate_core)
"""The functions that add patterns, in the order in which they run."""


def body_target(converter: TileASTypeConverter) -> ConversionTarget:
    """Return the conversion target. The operations of the dialects `LEGAL_DIALECTS` are legal, except
    operations of `arith` on tiles. Legal operations of `nv_tileaa` are functions, returns and marks for
    reuse, the operations in `BRIDGE` if their types are in TileAS form, and the operations in `ON_CONDITION`
    if their condition holds.
    """
    target = ConversionTarget().add_legal_dialect(*LEGAL_DIALECTS).add_illegal_dialect("nv_tileaa")
    target.add_legal(*LEGAL)
    for operations in BRIDGE.values():
        target.add_dynamically_legal(converter.has_tileas_form, *operations)
    target.add_dynamically_legal(converter.is_free_of_tiles, *arith_bank.ARITH_OPERATIONS, ConstantOp)
    for operation, condition in ON_CONDITION.items():
        target.add_dynamically_legal(condition, operation)
    return target


def convert_bodies(op: Operation, state: PassState, capability: str) -> None:
    """Convert the bodies of the functions of tiles in a module from `nv_tileaa` to `nv_tileas`.
    ``capability`` names the target; if empty, the module's attributes do.

    Raises `DiagnosticError` for operations that cannot be converted; the module is then unchanged. Before the
    conversion the module gets its target and each kernel its specification, because products depend on them.
    Nothing is folded: folds of `arith` ignore rounding attributes.
    """
    converter = TileASTypeConverter(state.context, opaque_pointers=False)
    with target_facts.restored_on_failure(op):
        target_facts.attach_kernel_specs(op)
        body = BodyConversion(converter, target_facts.attach_target(op, capability))
        patterns = RewritePatternSet(state.context)
        for populate in POPULATORS:
            populate(patterns, body)
        config = ConversionConfig(FoldingMode.NEVER, converter, failure_message=FAILED)
        conversion.convert(op, state, body_target(converter), patterns, config)


@dataclass(frozen=True)
class ConvertTileAABodies(Pass):
    """Converts the bodies of functions of tiles from `nv_tileaa` to `nv_tileas`, `arith` and `math`.

    ``compute-capability`` names the target: `host`, or a GPU such as `sm_100`. Its default is the target in
    the module's attributes, or else the host. Operations that no other dialect has stay (see
    `docs/concepts/cascade.md`); if anything else of `nv_tileaa` is left, the pass fails and nothing is
    changed.
    """

    name: ClassVar[str] = "convert-tileaa-to-tileas"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("nv_tileas", "arith", "math")
    compute_capability: str = ""

    def run(self, op: Operation, state: PassState) -> None:
        convert_bodies(op, state, self.compute_capability)
