"""Modules, kernels, globals, control flow, and operations with input or output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from tilewright.dialects.common import constant_folding, functions, kinds
from tilewright.dialects.cuda_tile import (
    constraints as cuda_tile_constraints,
    interfaces as cuda_tile_interfaces,
)
from tilewright.dialects.cuda_tile.attributes import AssumePredicate, OptimizationHintsAttr
from tilewright.dialects.cuda_tile.base import TileOp, tile_op
from tilewright.dialects.cuda_tile.enums import SymbolVisibility, SymbolVisibilityAttr
from tilewright.dialects.cuda_tile.rules import control as cuda_tile_control_rules
from tilewright.dialects.cuda_tile.rules.assume import check_assumption
from tilewright.dialects.cuda_tile.rules.debug_info import (
    check_body_locations,
    check_function_location,
    check_global_locations,
)
from tilewright.dialects.cuda_tile.syntax import control as control_syntax
from tilewright.dialects.cuda_tile.syntax.value_names import assumption_name
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.dialects.cuda_tile.version import V13_2, V13_3, V13_5
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import DenseElementsAttr, DictionaryAttr, TypeAttr
from tilewright.ir.builtin_types import FunctionType, i1, i32, i64
from tilewright.ir.declaration import attribute_kind, fields, traits as ir_traits
from tilewright.ir.declaration.constraint import OneOf, TypeVariable
from tilewright.ir.interfaces.control_flow import Constants, RegionBranchOpInterface
from tilewright.ir.interfaces.interface import concept
from tilewright.ir.operation import Operation
from tilewright.ir.support.strings import BREAKPOINT
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text import hooks, parser as text_parser, printer as text_printer


def _yielded(region: Region) -> Operation | None:
    """Return the `yield` of a branch; None if the branch is empty or has another terminator."""
    last = region.blocks[0].last if region.blocks else None
    return last if last is not None and concept(last, cuda_tile_interfaces.CodeMotion) is None else None


class IfBranches(RegionBranchOpInterface):
    """The control flow interface of `if`: one of two branches runs. Only a branch that ends in `yield` passes
    results to the `if`; one that ends in `continue`, `break` or `return` leaves the `if` without them.
    """

    def successors(self, op: Operation, origin: Region | None) -> Sequence[Region | None]:
        if origin is not None:
            return () if _yielded(origin) is None else (None,)
        return [region if region.blocks else None for region in op.regions]

    def forwarded(self, op: Operation, origin: Region | None, successor: Region | None) -> Sequence[Value]:
        last = None if origin is None else _yielded(origin)
        return () if last is None else last.operands

    def inputs(self, op: Operation, successor: Region | None) -> Sequence[Value]:
        return op.results if successor is None else ()

    def known_successors(
        self, op: Operation, origin: Region | None, constants: Constants
    ) -> Sequence[Region | None]:
        every = self.successors(op, origin)
        truth = constant_folding.splat_pattern(constants[0]) if origin is None else None
        return every if truth is None else (every[0 if truth else 1],)


CONVERSIONS = "diuoxXeEfFgGaAcsSpn%"
"""Letters that end a conversion.  ``S`` is a wide string, ``%%`` a literal percent sign."""


def count_conversions(text: str) -> int:
    """Return the number of values that a format string prints.

    A conversion starts at every percent sign, also at a percent sign that ends the conversion before it
    (except in ``%%``), as in the shipped tools. Raises `VerifyError` for a conversion without an end.
    """
    count = position = 0
    while (start := text.find("%", position)) >= 0:
        end = next((at for at in range(start + 1, len(text)) if text[at] in CONVERSIONS), None)
        if end is None:
            raise ir_traits.VerifyError("found unterminated format expression")
        literal = end == start + 1 and text[end] == "%"
        count += not literal
        position = start + (2 if literal else 1)
    return count


def check_format(text: str, arguments: int) -> None:
    """Raise `VerifyError` unless ``text`` prints as many values as ``arguments`` says (`count_conversions`)."""
    expected = count_conversions(text)
    if expected != arguments:
        raise ir_traits.VerifyError(f"incorrect number of operands: expected {expected}, found {arguments}")


STRUCTURE_GROUP = "Kernels and globals"
CONTROL_GROUP = "Control flow"
OUTSIDE_GROUP = "Assertions and printing"
GRID_GROUP = "Grid"
SCALAR_I32 = OneOf((TileType((), i32),), cuda_tile_constraints.SCALAR_INT32.description)
ASSUMED = TypeVariable("T", cuda_tile_constraints.ANY)


@tile_op(0x4B, STRUCTURE_GROUP)
class ModuleOp(TileOp, name="cuda_tile.module"):
    """A compilation unit: kernels and globals.  In bytecode it is implied and read back under the name `kernels`."""

    sym_name: str = fields.attr_def(attribute_kind.SymbolNameKind(), "The name of the module.")
    producer: str | None = fields.optional_attr_def(
        attribute_kind.StringKind(), "The program that made the module.", since=V13_3, default=None
    )
    body: Region = fields.region_def("Globals and entries.")
    assembly_format = "$sym_name attr-dict-with-keyword $body"
    traits = (
        ir_traits.IsolatedFromAbove(),
        ir_traits.NoRegionArguments(),
        ir_traits.SymbolTable(),
        ir_traits.NoTerminator(),
        ir_traits.SingleBlock(),
    )

    def verify_(self) -> None:
        check_global_locations(op for op in self.body.block if "function_type" not in op.held_attributes)
        cuda_tile_control_rules.check_only_symbols(self.body.block)


def _inputs(attribute: Any) -> Sequence[Type] | None:
    """Return the parameter types of a function type in a `TypeAttr`; None for any other attribute."""
    signature = attribute.type if isinstance(attribute, TypeAttr) else None
    return signature.inputs if isinstance(signature, FunctionType) else None


@tile_op(0x16, STRUCTURE_GROUP)
class EntryOp(TileOp, name="cuda_tile.entry"):
    """A kernel: one instance runs per tile block of the grid.  Parameters are rank-0 tiles; there are no results."""

    sym_name: str = fields.attr_def(attribute_kind.SymbolNameKind(), "The name of the kernel.")
    function_type: FunctionType = fields.attr_def(
        attribute_kind.TypeKind(FunctionType), "Parameter types; no results."
    )
    arg_attrs: tuple[DictionaryAttr, ...] | None = fields.optional_attr_def(
        kinds.DICTIONARIES, "Attributes of the parameters.", since=V13_5, default=None
    )
    res_attrs: tuple[DictionaryAttr, ...] | None = fields.optional_attr_def(
        kinds.DICTIONARIES, "Attributes of the results; always empty.", default=None
    )
    optimization_hints: OptimizationHintsAttr | None = fields.optional_attr_def(
        attribute_kind.InstanceKind(OptimizationHintsAttr, "optimization hints"),
        "Advice for the compiler.",
        default=None,
    )
    body: Region = fields.region_def("The code; its entry block takes the parameters.")
    traits = (
        ir_traits.IsolatedFromAbove(),
        ir_traits.Symbol(),
        ir_traits.SingleBlock(),
        ir_traits.HasParent("cuda_tile.module"),
        ir_traits.ImplicitTerminator("cuda_tile.return"),
    )

    def verify_(self) -> None:
        functions.check_dictionaries(self.arg_attrs, "argument", len(self.function_type.inputs))
        functions.check_dictionaries(self.res_attrs, "result", len(self.function_type.results))
        cuda_tile_control_rules.check_signature(self, self.function_type)
        check_function_location(self, self.sym_name)

    def spelled_argument_types(self) -> Sequence[Type] | None:
        return _inputs(self.attributes.get("function_type"))

    def print_custom(self, printer: text_printer.Printer) -> None:
        control_syntax.print_entry(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        """Parse the name, the parameters, the hints and the region."""
        return control_syntax.parse_entry(cls.op_kind, parser)

    def verify_regions_(self) -> None:
        check_body_locations(self)


@tile_op(0x31, STRUCTURE_GROUP)
class GlobalOp(TileOp, name="cuda_tile.global"):
    """A variable in device memory, set when the module is loaded and shared by all kernels of it."""

    sym_name: str = fields.attr_def(attribute_kind.SymbolNameKind(), "The name of the variable.")
    value: DenseElementsAttr = fields.attr_def(
        attribute_kind.ElementsKind(), "The initial elements, of rank 1."
    )
    alignment: int = fields.attr_def(
        attribute_kind.IntegerKind(i64), "Alignment in bytes; 0 is the natural one.", default=0, kw_only=True
    )
    constant: bool = fields.flag_def("The kernel never writes it.", since=V13_3, default=False)
    symbol_visibility: SymbolVisibility = fields.attr_def(
        attribute_kind.EnumKind(SymbolVisibilityAttr),
        "Whether the host sees it.",
        default=SymbolVisibility.PUBLIC,
        since=V13_3,
    )
    assembly_format = (
        "custom<Visibility>($symbol_visibility) (`constant` $constant^)? $sym_name (`alignment` `=` "
        "$alignment^)? attr-dict custom<Elements>($value)"
    )
    traits = (ir_traits.Symbol(), ir_traits.HasParent("cuda_tile.module"))

    def verify_(self) -> None:
        if len(self.value.shape) != 1:
            raise ir_traits.VerifyError("type must have rank 1")


def _check_global_use(op: Operation, symbols: Mapping[str, Operation]) -> None:
    assert isinstance(op, GetGlobalOp)
    cuda_tile_control_rules.check_global_reference(op, symbols, op.global_name, GlobalOp)


@tile_op(0x2C, STRUCTURE_GROUP)
class GetGlobalOp(TileOp, name="cuda_tile.get_global"):
    """The address of the first element of a global."""

    global_name: str = fields.attr_def(attribute_kind.SymbolRefKind(), "The global.", ir_name="name")
    result: Value = fields.result_def(cuda_tile_constraints.SCALAR_POINTER, "Its address.")
    assembly_format = "$global_name attr-dict `:` type($result)"
    traits = (ir_traits.Pure(), ir_traits.SymbolUser(_check_global_use))


@tile_op(0x30, GRID_GROUP)
class GetTileBlockIdOp(TileOp, name="cuda_tile.get_tile_block_id"):
    """The position of this tile block in the grid: one number for each of x, y and z, from 0."""

    block_id_x: Value = fields.result_def(SCALAR_I32, "Position in x.")
    block_id_y: Value = fields.result_def(SCALAR_I32, "Position in y.")
    block_id_z: Value = fields.result_def(SCALAR_I32, "Position in z.")
    assembly_format = "attr-dict `:` custom<OneType>(type($block_id_x), type($block_id_y), type($block_id_z))"
    result_names = ("blockId_x", "blockId_y", "blockId_z")
    traits = (ir_traits.Pure(),)


@tile_op(0x2E, GRID_GROUP)
class GetNumTileBlocksOp(TileOp, name="cuda_tile.get_num_tile_blocks"):
    """The extents of the grid in tile blocks, one for each of x, y and z; each is at most 2^24 - 1."""

    grid_size_x: Value = fields.result_def(SCALAR_I32, "Extent in x.")
    grid_size_y: Value = fields.result_def(SCALAR_I32, "Extent in y.")
    grid_size_z: Value = fields.result_def(SCALAR_I32, "Extent in z.")
    assembly_format = (
        "attr-dict `:` custom<OneType>(type($grid_size_x), type($grid_size_y), type($grid_size_z))"
    )
    result_names = ("gridSize_x", "gridSize_y", "gridSize_z")
    traits = (ir_traits.Pure(),)


def _loop_types(operands: Sequence[Value]) -> Sequence[Type]:
    """Return the types of the body's arguments: the type of the bounds for the counter, then the type of each
    carried value.
    """
    return cuda_tile_control_rules.types_of((*operands[:1], *operands[3:]))


@tile_op(0x29, CONTROL_GROUP)
class ForOp(TileOp, name="cuda_tile.for"):
    """Counts from `lower_bound` by `step` while below `upper_bound`.

    The body takes the counter and the carried values and ends in `continue`.  The comparison is signed unless
    `unsigned_cmp`; the step must be positive.
    """

    lower_bound: Value = fields.operand_def(
        cuda_tile_constraints.SCALAR_INTEGER, "The first value of the counter."
    )
    upper_bound: Value = fields.operand_def(
        cuda_tile_constraints.SCALAR_INTEGER, "The counter stays below it."
    )
    step: Value = fields.operand_def(cuda_tile_constraints.SCALAR_INTEGER, "The step of the counter.")
    init_values: tuple[Value, ...] = fields.variadic_operand_def(
        cuda_tile_constraints.ANY, "The carried values of the first iteration."
    )
    unsigned_cmp: bool = fields.flag_def(
        "Compare as unsigned.", since=V13_2, ir_name="unsignedCmp", default=False
    )
    result_values: tuple[Value, ...] = fields.variadic_result_def(
        cuda_tile_constraints.ANY, "The carried values after the last iteration."
    )
    body: Region = fields.region_def("One iteration.", ir_name="region")
    result_names = ("for",)
    concepts = (cuda_tile_interfaces.CountedLoop,)
    header_stands_alone: ClassVar[bool] = True
    hides_argument_locations = True
    traits = (
        ir_traits.same_type("lower_bound", "upper_bound", "step", shown=("lowerBound", "upperBound", "step")),
        ir_traits.same_type("init_values", "result_values", shown=("initValues", "resultValues")),
        ir_traits.RecursiveMemoryEffects(),
        ir_traits.SingleBlock(),
        ir_traits.ImplicitTerminator("cuda_tile.continue"),
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return cuda_tile_control_rules.types_of(operands[3:])

    def has_custom_form(self) -> bool:
        """Return whether the bounds have one type, and each result has the type of its initial value: the
        text states these types once.
        """
        bounds, carried = self.operand_types[:3], self.operand_types[3:]
        return (
            super().has_custom_form() and len(set(bounds)) == 1 and tuple(self.result_types) == tuple(carried)
        )

    def spelled_argument_types(self) -> Sequence[Type] | None:
        return _loop_types(self.operands)

    def print_custom(self, printer: text_printer.Printer) -> None:
        control_syntax.print_for(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        """Parse the range, the carried values and the region."""
        return control_syntax.parse_for(cls.op_kind, parser)

    def block_argument_name_hints(self, block: Block) -> Sequence[str | None]:
        """Return ``loopIdx`` for the counter, then ``iterArg0``, ``iterArg1``, ... for the carried values."""
        carried = range(len(block.arguments) - 1)
        return ["loopIdx", *[f"iterArg{number}" for number in carried]]

    def verify_regions_(self) -> None:
        cuda_tile_control_rules.check_counter(self.body.block, self.lower_bound)
        cuda_tile_control_rules.check_carried(self, self.init_values, self.body.block.arguments[1:])


@tile_op(0x41, CONTROL_GROUP)
class LoopOp(TileOp, name="cuda_tile.loop"):
    """Repeats until `break`: `continue` feeds the next iteration, `break` gives the results."""

    init_values: tuple[Value, ...] = fields.variadic_operand_def(
        cuda_tile_constraints.ANY, "The carried values of the first iteration."
    )
    result_values: tuple[Value, ...] = fields.variadic_result_def(
        cuda_tile_constraints.ANY, "What `break` yields."
    )
    body: Region = fields.region_def("One iteration.", ir_name="region")
    concepts = (cuda_tile_interfaces.EndlessLoop, cuda_tile_interfaces.KernelExitMotion)
    header_stands_alone: ClassVar[bool] = True
    hides_argument_locations = True
    traits = (
        ir_traits.RecursiveMemoryEffects(),
        ir_traits.SingleBlock(),
        ir_traits.ImplicitTerminator("cuda_tile.continue", "cuda_tile.break", "cuda_tile.return"),
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return cuda_tile_control_rules.break_types(regions[0], BreakOp, IfOp)

    def spelled_argument_types(self) -> Sequence[Type] | None:
        return self.operand_types

    def print_custom(self, printer: text_printer.Printer) -> None:
        control_syntax.print_loop(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        """Parse the carried values, the types of the results and the region."""
        return control_syntax.parse_loop(cls.op_kind, parser)

    def verify_regions_(self) -> None:
        cuda_tile_control_rules.check_carried(self, self.init_values, self.body.block.arguments)


@tile_op(0x32, CONTROL_GROUP)
class IfOp(TileOp, name="cuda_tile.if"):
    """Runs one of two branches.  A branch may end in `yield`, `continue`, `break` or `return`."""

    condition: Value = fields.operand_def(cuda_tile_constraints.SCALAR_BOOLEAN, "Chooses the branch.")
    results_: tuple[Value, ...] = fields.variadic_result_def(
        cuda_tile_constraints.ANY, "The values that the branches yield."
    )
    then_region: Region = fields.region_def("Runs when the condition is true.")
    else_region: Region = fields.optional_region_def("Runs when it is false; may be missing without results.")
    assembly_format = (
        "$condition (`->` `(` type($results)^ `)`)? custom<Branch>($then_region) (`else` "
        "custom<Branch>($else_region)^)? attr-dict"
    )
    format_types: ClassVar[Mapping[str, Type]] = {"condition": TileType((), i1)}
    traits = (
        ir_traits.NoRegionArguments(),
        ir_traits.RecursiveMemoryEffects(),
        ir_traits.SingleBlock(),
        ir_traits.ImplicitTerminator(
            "cuda_tile.yield", "cuda_tile.continue", "cuda_tile.break", "cuda_tile.return"
        ),
    )
    concepts = (IfBranches,)

    def spelled_argument_types(self) -> Sequence[Type] | None:
        return ()

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return cuda_tile_control_rules.branch_types(regions, YieldOp)

    def verify_(self) -> None:
        cuda_tile_control_rules.check_branches(self, YieldOp)


@tile_op(0x6D, CONTROL_GROUP)
class YieldOp(TileOp, name="cuda_tile.yield"):
    """Ends a branch of `if`, or a body of `reduce` or `scan`, with its results."""

    operands_: tuple[Value, ...] = fields.variadic_operand_def(cuda_tile_constraints.ANY, "The results.")
    assembly_format = "attr-dict ($operands^ `:` type($operands))?"
    traits = (
        ir_traits.Pure(),
        ir_traits.Terminator(),
        ir_traits.HasParent("cuda_tile.if", "cuda_tile.reduce", "cuda_tile.scan"),
    )


@tile_op(0x11, CONTROL_GROUP)
class ContinueOp(TileOp, name="cuda_tile.continue"):
    """Goes to the next iteration of the innermost loop, with its operands as the carried values."""

    operands_: tuple[Value, ...] = fields.variadic_operand_def(
        cuda_tile_constraints.ANY, "The carried values of the next iteration."
    )
    assembly_format = "attr-dict ($operands^ `:` type($operands))?"
    concepts = (cuda_tile_interfaces.LoopExitMotion,)
    traits = (ir_traits.Terminator(), ir_traits.HasParent("cuda_tile.for", "cuda_tile.if", "cuda_tile.loop"))

    def verify_(self) -> None:
        loop = cuda_tile_control_rules.enclosing_loop(self, (ForOp, LoopOp), IfOp)
        if isinstance(loop, LoopOp):
            cuda_tile_control_rules.check_continue(
                self, loop, cuda_tile_control_rules.types_of(loop.init_values), "iter_values"
            )
        elif loop is not None:
            cuda_tile_control_rules.check_continue(self, loop, loop.result_types, "return types")


@tile_op(0x0A, CONTROL_GROUP)
class BreakOp(TileOp, name="cuda_tile.break"):
    """Leaves the innermost `loop`; its operands become the results of the loop."""

    operands_: tuple[Value, ...] = fields.variadic_operand_def(
        cuda_tile_constraints.ANY, "The results of the loop."
    )
    assembly_format = "attr-dict ($operands^ `:` type($operands))?"
    concepts = (cuda_tile_interfaces.LoopExitMotion,)
    traits = (ir_traits.Terminator(), ir_traits.HasParent("cuda_tile.if", "cuda_tile.loop"))

    def verify_(self) -> None:
        cuda_tile_control_rules.check_break(
            self, cuda_tile_control_rules.enclosing_loop(self, (LoopOp,), IfOp)
        )


@tile_op(0x5C, CONTROL_GROUP)
class ReturnOp(TileOp, name="cuda_tile.return"):
    """Ends the execution of the tile block."""

    operands_: tuple[Value, ...] = fields.variadic_operand_def(cuda_tile_constraints.ANY, "None in a kernel.")
    assembly_format = "attr-dict ($operands^ `:` type($operands))?"
    concepts = (cuda_tile_interfaces.KernelExitMotion,)
    traits = (
        ir_traits.Terminator(),
        ir_traits.HasParent("cuda_tile.entry", "cuda_tile.preview$func", "cuda_tile.if", "cuda_tile.loop"),
    )

    def verify_(self) -> None:
        cuda_tile_control_rules.check_return(self, EntryOp, (IfOp, LoopOp))


@tile_op(0x05, OUTSIDE_GROUP)
class AssertOp(TileOp, name="cuda_tile.assert"):
    """Reports an error with the message if an element of `condition` is false; the launch then fails.

    The tile block may continue. The interpreter also reports the indices of false elements.
    """

    concepts = (cuda_tile_interfaces.KernelExitMotion,)
    condition: Value = fields.operand_def(cuda_tile_constraints.BOOLEAN_TILE, "What must hold.")
    message: str = fields.attr_def(attribute_kind.StringKind(), "The message if it does not hold.")
    assembly_format = "$condition `,` $message attr-dict `:` type($condition)"


@tile_op(0x06, OUTSIDE_GROUP)
class AssumeOp(TileOp, name="cuda_tile.assume"):
    """Returns its operand, with an assumption about the value; a false assumption is undefined behaviour."""

    concepts = (cuda_tile_interfaces.AssumptionMotion,)
    predicate: AssumePredicate = fields.attr_def(
        attribute_kind.InstanceKind(AssumePredicate, "assume predicate attribute"), "What is promised."
    )
    value: Value = fields.operand_def(ASSUMED, "The value.")
    result: Value = fields.result_def(ASSUMED, "The same value.")
    assembly_format = "custom<Predicate>($predicate) `,` $value attr-dict `:` type($value)"

    def result_name_hints(self) -> Sequence[str | None]:
        return [assumption_name(self)]

    def verify_(self) -> None:
        check_assumption(self.predicate, self.value.type)


@tile_op(0x55, OUTSIDE_GROUP)
class PrintTkoOp(TileOp, name="cuda_tile.print_tko"):
    """Prints tiles with a C format string; only tokens order it relative to other operations."""

    format: str = fields.attr_def(
        attribute_kind.StringKind(), "The format: one conversion per tile.", ir_name="str"
    )
    args: tuple[Value, ...] = fields.variadic_operand_def(cuda_tile_constraints.ANY_TILE, "The tiles.")
    token: Value | None = fields.optional_operand_def(
        cuda_tile_constraints.TOKEN_TYPE,
        "The operations that must be complete before.",
        since=V13_2,
        default=None,
    )
    result_token: Value = fields.result_def(
        cuda_tile_constraints.TOKEN_TYPE, "Stands for the completion.", since=V13_2
    )
    assembly_format = (
        "$format (`,` $args^)? (`token` `` `=` `` $token^)? attr-dict (`:` type($args)^)? `->` "
        "type($result_token)"
    )

    @property
    def is_breakpoint(self) -> bool:
        """Whether this is the ``breakpoint()`` of a program."""
        return self.format == BREAKPOINT

    def verify_(self) -> None:
        check_format(self.format, len(self.args))


OPERATIONS = (
    ModuleOp,
    EntryOp,
    GlobalOp,
    GetGlobalOp,
    GetTileBlockIdOp,
    GetNumTileBlocksOp,
    ForOp,
    LoopOp,
    IfOp,
    YieldOp,
    ContinueOp,
    BreakOp,
    ReturnOp,
    AssertOp,
    AssumeOp,
    PrintTkoOp,
)
