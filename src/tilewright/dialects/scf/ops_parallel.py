"""Parallel loops and their reductions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from tilewright.dialects.common import base, kinds, traits as common_traits
from tilewright.dialects.common.constraints import INDEX, RANKED_TENSOR
from tilewright.dialects.scf import control_flow as scf_control_flow, syntax_parallel
from tilewright.ir import builtin_attributes, builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.declaration import fields, kind as declaration_kind, traits as ir_traits
from tilewright.ir.declaration.attribute_kind import DenseArrayKind, InstanceKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.value import Value, defining_op

if TYPE_CHECKING:
    from tilewright.ir.text import hooks, parser as text_parser, printer as text_printer

INTEGERS64 = DenseArrayKind(builtin_types.i64)
LOWER = "The first index of each dimension."
UPPER = "The upper bounds of the indices."
STEP = "The distance of indices, positive."
RESULTS = "The results of the reductions."
PLAIN_ATTRIBUTES = (
    builtin_attributes.ArrayAttr,
    builtin_attributes.DictionaryAttr,
    builtin_attributes.FloatAttr,
    builtin_attributes.IntegerAttr,
    builtin_attributes.StringAttr,
    builtin_attributes.SymbolRefAttr,
    builtin_attributes.TypeAttr,
    builtin_attributes.UnitAttr,
)


class DeviceMappingKind(InstanceKind):
    """The kind of an attribute that names a processor dimension: any attribute, except of the builtin classes
    that it is created with.
    """

    def accepts(self, attribute: Attribute) -> bool:
        return not super().accepts(attribute)


MAPPING = kinds.DescribedArrayKind(
    DeviceMappingKind(PLAIN_ATTRIBUTES, "device mapping"), "Device Mapping array attribute"
)


def last_group_types(operands: Sequence[Value], attributes: Mapping[str, Attribute]) -> list[Type]:
    """Return the types of the last group of operands, whose size is the last number of the attribute
    `operandSegmentSizes`; an empty list without this attribute.
    """
    sizes = attributes.get(declaration_kind.OPERAND_SEGMENTS)
    count = sizes.values[-1] if isinstance(sizes, builtin_attributes.DenseArrayAttr) else 0
    return [value.type for value in operands[len(operands) - count :]]


def constant_index(value: Value) -> int | None:
    """Return the number in the attribute ``value`` of the constant operation that defines `value`. Return
    None if another operation or no operation defines it, or if the attribute is not an integer.
    """
    definition = defining_op(value)
    if definition is None or ir_traits.ConstantLike not in definition.kind.trait_classes:
        return None
    number = definition.attributes.get("value")
    return number.value if isinstance(number, builtin_attributes.IntegerAttr) else None


class ParallelOp(base.StandardOp, name="scf.parallel"):
    """Runs a region for every point of an index space, in any order or at the same time. The region ends in
    `reduce`, whose values are combined with `initVals` to the results.
    """

    lowerBound: tuple[Value, ...] = fields.variadic_operand_def(INDEX, LOWER)
    upperBound: tuple[Value, ...] = fields.variadic_operand_def(INDEX, UPPER)
    step: tuple[Value, ...] = fields.variadic_operand_def(INDEX, STEP)
    initVals: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE, "The initial values of the reductions."
    )
    results_: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, RESULTS)
    region: Region = fields.region_def("The code of one point; ends in `reduce`.")
    hides_argument_locations: ClassVar[bool] = True
    traits = (
        common_traits.AutomaticAllocationScope(),
        ir_traits.RecursiveMemoryEffects(),
        ir_traits.SingleBlock(),
        common_traits.HasParallelRegion(),
    )
    concepts = (scf_control_flow.ScfLoopInterface,)

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return last_group_types(operands, attributes)

    def verify_(self) -> None:
        if not (self.lowerBound and self.upperBound and self.step):
            raise ir_traits.VerifyError(
                "needs at least one tuple element for lowerBound, upperBound and step"
            )
        steps = [constant_index(value) for value in self.step]
        if any(step is not None and step <= 0 for step in steps):
            raise ir_traits.VerifyError("constant step operand must be positive")
        self._check_arguments(len(steps))
        if len(self.results) != len(self.initVals):
            raise ir_traits.VerifyError(
                f"expects number of results: {len(self.results)} to be the same as number of initial values: "
                f"{len(self.initVals)}"
            )
        self._check_reductions()

    def _check_arguments(self, count: int) -> None:
        arguments = self.region.blocks[0].arguments
        if len(arguments) != count:
            raise ir_traits.VerifyError(
                f"expects the same number of induction variables: {len(arguments)} as bound and step values: "
                f"{count}"
            )
        if any(argument.type is not builtin_types.index for argument in arguments):
            raise ir_traits.VerifyError("expects arguments for the induction variable to be of index type")

    def _check_reductions(self) -> None:
        last = self.region.blocks[0].last
        if last is None:
            return
        if not isinstance(last, ReduceOp):
            raise ir_traits.VerifyError(
                "expects body to terminate with 'scf.reduce'", notes=(("terminator here", last.location),)
            )
        if len(self.results) != len(last.regions):
            raise ir_traits.VerifyError(
                f"expects number of results: {len(self.results)} to be the same as number of reductions: "
                f"{len(last.regions)}"
            )

    def print_custom(self, printer: text_printer.Printer) -> None:
        syntax_parallel.print_parallel(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        return syntax_parallel.parse_parallel(cls.op_kind, parser, ReduceOp.op_kind)


class ReduceOp(base.StandardOp, name="scf.reduce"):
    """Ends the region of `parallel`: passes values to reductions; a reduction is a region with two arguments."""

    operands_: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "One value for each reduction.")
    reductions: tuple[Region, ...] = fields.variadic_region_def("How two values become one.")
    assembly_format = "(`(` $operands^ `:` type($operands) `)`)? $reductions attr-dict"
    traits = (ir_traits.Terminator(), ir_traits.HasParent("scf.parallel"), ir_traits.RecursiveMemoryEffects())

    def verify_(self) -> None:
        parent = self.parent_op
        if isinstance(parent, ParallelOp):
            for number, (given, wanted) in enumerate(
                zip(self.operand_types, parent.result_types, strict=False)
            ):
                if given is not wanted:
                    raise ir_traits.VerifyError(
                        f"expects type of {number}-th reduction operand: '{given}' "
                        f"to be the same as the {number}-th result type: '{wanted}'"
                    )

    def verify_regions_(self) -> None:
        if len(self.regions) != len(self.operands):
            raise ir_traits.VerifyError(
                f"expects number of reduction regions: {len(self.regions)} to be the same as number of "
                f"reduction operands: {len(self.operands)}"
            )
        for number, (region, type) in enumerate(zip(self.regions, self.operand_types, strict=True)):
            block = region.blocks[0]
            if [argument.type for argument in block.arguments] != [type, type]:
                raise ir_traits.VerifyError(
                    f"expected two block arguments with type '{type}' in the {number}-th reduction region"
                )
            if not isinstance(block.last, ReduceReturnOp):
                raise ir_traits.VerifyError(
                    "reduction bodies must be terminated with an 'scf.reduce.return' op"
                )


class ReduceReturnOp(base.StandardOp, name="scf.reduce.return"):
    """Ends the region of a reduction with its result."""

    result: Value = fields.operand_def(ANY_TYPE, "The result.")
    assembly_format = "$result attr-dict `:` type($result)"
    traits = (ir_traits.Pure(), ir_traits.Terminator(), ir_traits.HasParent("scf.reduce"))

    def verify_(self) -> None:
        arguments = self.parent.arguments if self.parent is not None else ()
        if arguments and arguments[0].type is not self.result.type:
            raise ir_traits.VerifyError(
                f"must have type '{arguments[0].type}' (the type of the reduction inputs)"
            )


class ForallOp(base.StandardOp, name="scf.forall"):
    """Runs a region for every point of an index space, one thread each, and collects slices of tensors.
    Bounds and steps are constants (the static lists) or operands, which the static lists mark by `DYNAMIC`.
    """

    dynamicLowerBound: tuple[Value, ...] = fields.variadic_operand_def(INDEX, LOWER)
    dynamicUpperBound: tuple[Value, ...] = fields.variadic_operand_def(INDEX, UPPER)
    dynamicStep: tuple[Value, ...] = fields.variadic_operand_def(INDEX, STEP)
    staticLowerBound: tuple[int, ...] = fields.attr_def(INTEGERS64, LOWER)
    staticUpperBound: tuple[int, ...] = fields.attr_def(INTEGERS64, UPPER)
    staticStep: tuple[int, ...] = fields.attr_def(INTEGERS64, STEP)
    outputs: tuple[Value, ...] = fields.variadic_operand_def(
        RANKED_TENSOR, "The tensors that take the slices."
    )
    mapping: tuple[Attribute, ...] | None = fields.optional_attr_def(
        MAPPING, "The processors that run each dimension."
    )
    results_: tuple[Value, ...] = fields.variadic_result_def(
        ANY_TYPE, "The tensors with the slices in place."
    )
    region: Region = fields.region_def("The code of one thread.")
    hides_argument_locations: ClassVar[bool] = True
    traits = (
        common_traits.AutomaticAllocationScope(),
        ir_traits.RecursiveMemoryEffects(),
        common_traits.SingleBlockImplicitTerminator("scf.forall.in_parallel"),
        common_traits.HasParallelRegion(),
    )
    concepts = (scf_control_flow.ScfLoopInterface,)

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return last_group_types(operands, attributes)

    def verify_(self) -> None:
        rank, outputs = len(self.staticLowerBound), self.outputs
        if len(self.results) != len(outputs):
            raise ir_traits.VerifyError(
                f"produces {len(self.results)} results, but has only {len(outputs)} outputs"
            )
        self._check_arguments(rank)
        if self.mapping and len(self.mapping) != rank:
            raise ir_traits.VerifyError("mapping attribute size must match op rank")
        bounds = (
            ("lower bound", self.staticLowerBound, self.dynamicLowerBound),
            ("upper bound", self.staticUpperBound, self.dynamicUpperBound),
            ("step", self.staticStep, self.dynamicStep),
        )
        for word, static, dynamic in bounds:
            check_mixed(word, rank, static, dynamic)
        for number, (output, type) in enumerate(zip(outputs, self.result_types, strict=True)):
            if output.type is not type:
                raise ir_traits.VerifyError(
                    f"expected type of operand #{number} ('{output.type}') "
                    f"to match type of corresponding result ('{type}')"
                )

    def _check_arguments(self, rank: int) -> None:
        arguments = self.region.blocks[0].arguments
        if len(arguments) != rank + len(self.outputs):
            raise ir_traits.VerifyError(f"region expects {rank} arguments")
        for number, argument in enumerate(arguments[:rank]):
            if argument.type is not builtin_types.index:
                raise ir_traits.VerifyError(f"expects {number}-th block argument to be an index")
        for number, (argument, output) in enumerate(zip(arguments[rank:], self.outputs, strict=True)):
            if argument.type is not output.type:
                raise ir_traits.VerifyError(
                    f"type mismatch between {number}-th output and corresponding block argument"
                )

    def print_custom(self, printer: text_printer.Printer) -> None:
        syntax_parallel.print_forall(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        return syntax_parallel.parse_forall(cls.op_kind, parser)


def check_mixed(word: str, count: int, static: Sequence[int], dynamic: Sequence[Value]) -> None:
    """Raise `VerifyError` unless `static` has `count` numbers, and `dynamic` an operand for each of them that
    is `DYNAMIC`. `word` names the list in messages.
    """
    if len(static) != count:
        raise ir_traits.VerifyError(f"expected {count} {word} values, got {len(static)}", prefix=False)
    markers = sum(value == builtin_types.DYNAMIC for value in static)
    if len(dynamic) != markers:
        raise ir_traits.VerifyError(f"expected {markers} dynamic {word} values", prefix=False)


class InParallelOp(base.StandardOp, name="scf.forall.in_parallel"):
    """Ends the region of `forall` with operations that insert slices into the results, in unspecified order."""

    region: Region = fields.region_def("The operations.")
    traits = (
        ir_traits.Pure(),
        ir_traits.Terminator(),
        ir_traits.HasParent("scf.forall"),
        ir_traits.NoTerminator(),
        ir_traits.SingleBlock(),
        common_traits.GraphRegion(),
    )

    def verify_(self) -> None:
        for op in self.region.blocks[0]:
            if op.kind.is_registered and common_traits.ParallelCombining not in op.kind.trait_classes:
                raise ir_traits.VerifyError(
                    "expected only ParallelCombiningOpInterface ops",
                    notes=(("this one does not combine slices", op.location),),
                )

    def print_custom(self, printer: text_printer.Printer) -> None:
        syntax_parallel.print_in_parallel(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        return syntax_parallel.parse_in_parallel(cls.op_kind, parser)


OPERATIONS = (ParallelOp, ReduceOp, ReduceReturnOp, ForallOp, InParallelOp)
