"""Parallel loops and their reductions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.constraints import INDEX, RANKED_TENSOR
from tilewright.dialects.common.kinds import DescribedArrayKind
from tilewright.dialects.common.traits import (
    AutomaticAllocationScope,
    GraphRegion,
    HasParallelRegion,
    ParallelCombining,
    SingleBlockImplicitTerminator,
)
from tilewright.dialects.scf.control_flow import ScfLoopInterface
from tilewright.dialects.scf.syntax_parallel import (
    parse_forall,
    parse_in_parallel,
    parse_parallel,
    print_forall,
    print_in_parallel,
    print_parallel,
)
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_attributes import (
    ArrayAttr,
    DenseArrayAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from tilewright.ir.builtin_types import DYNAMIC, i64, index
from tilewright.ir.declaration.attribute_kind import DenseArrayKind, InstanceKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.declaration.fields import (
    attr_def,
    operand_def,
    optional_attr_def,
    region_def,
    variadic_operand_def,
    variadic_region_def,
    variadic_result_def,
)
from tilewright.ir.declaration.kind import OPERAND_SEGMENTS
from tilewright.ir.declaration.traits import (
    ConstantLike,
    HasParent,
    NoTerminator,
    Pure,
    RecursiveMemoryEffects,
    SingleBlock,
    Terminator,
    VerifyError,
)
from tilewright.ir.value import Value, defining_op

if TYPE_CHECKING:
    from tilewright.ir.text.hooks import CustomParse
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

INTEGERS64 = DenseArrayKind(i64)
LOWER = "The first index of each dimension."
UPPER = "The upper bounds of the indices."
STEP = "The distance of indices, positive."
RESULTS = "The results of the reductions."
PLAIN_ATTRIBUTES = (
    ArrayAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)


class DeviceMappingKind(InstanceKind):
    """An attribute of a target dialect that names a processor dimension."""

    def accepts(self, attribute: Attribute) -> bool:
        return not super().accepts(attribute)


MAPPING = DescribedArrayKind(
    DeviceMappingKind(PLAIN_ATTRIBUTES, "device mapping"), "Device Mapping array attribute"
)


def last_group_types(operands: Sequence[Value], attributes: Mapping[str, Attribute]) -> list[Type]:
    """Return the types of the last of several groups of operands."""
    sizes = attributes.get(OPERAND_SEGMENTS)
    count = sizes.values[-1] if isinstance(sizes, DenseArrayAttr) else 0
    return [value.type for value in operands[len(operands) - count :]]


def constant_index(value: Value) -> int | None:
    """Return the number of a value that is defined by a constant; None for others."""
    definition = defining_op(value)
    if definition is None or ConstantLike not in definition.kind.trait_classes:
        return None
    number = definition.attributes.get("value")
    return number.value if isinstance(number, IntegerAttr) else None


class ParallelOp(StandardOp, name="scf.parallel"):
    """Runs a region for every point of an index space, in any order or at the same time, and reduces values."""

    lowerBound: tuple[Value, ...] = variadic_operand_def(INDEX, LOWER)
    upperBound: tuple[Value, ...] = variadic_operand_def(INDEX, UPPER)
    step: tuple[Value, ...] = variadic_operand_def(INDEX, STEP)
    initVals: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "The initial values of the reductions.")
    results_: tuple[Value, ...] = variadic_result_def(ANY_TYPE, RESULTS)
    region: Region = region_def("The code of one point; ends in `reduce`.")
    hides_argument_locations: ClassVar[bool] = True
    traits = (
        AutomaticAllocationScope(),
        RecursiveMemoryEffects(),
        SingleBlock(),
        HasParallelRegion(),
    )
    concepts = (ScfLoopInterface,)

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return last_group_types(operands, attributes)

    def verify_(self) -> None:
        if not (self.lowerBound and self.upperBound and self.step):
            raise VerifyError("needs at least one tuple element for lowerBound, upperBound and step")
        steps = [constant_index(value) for value in self.step]
        if any(step is not None and step <= 0 for step in steps):
            raise VerifyError("constant step operand must be positive")
        self._check_arguments(len(steps))
        if len(self.results) != len(self.initVals):
            raise VerifyError(
                f"expects number of results: {len(self.results)} to be the same as number of initial values: "
                f"{len(self.initVals)}"
            )
        self._check_reductions()

    def _check_arguments(self, count: int) -> None:
        arguments = self.region.blocks[0].arguments
        if len(arguments) != count:
            raise VerifyError(
                f"expects the same number of induction variables: {len(arguments)} as bound and step values: "
                f"{count}"
            )
        if any(argument.type is not index for argument in arguments):
            raise VerifyError("expects arguments for the induction variable to be of index type")

    def _check_reductions(self) -> None:
        last = self.region.blocks[0].last
        if last is None:
            return
        if not isinstance(last, ReduceOp):
            raise VerifyError(
                "expects body to terminate with 'scf.reduce'", notes=(("terminator here", last.location),)
            )
        if len(self.results) != len(last.regions):
            raise VerifyError(
                f"expects number of results: {len(self.results)} to be the same as number of reductions: "
                f"{len(last.regions)}"
            )

    def print_custom(self, printer: Printer) -> None:
        print_parallel(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> CustomParse:
        return parse_parallel(cls.op_kind, parser, ReduceOp.op_kind)


class ReduceOp(StandardOp, name="scf.reduce"):
    """Ends the region of `parallel`: hands values to reductions, each given by a region with two arguments."""

    operands_: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "One value for each reduction.")
    reductions: tuple[Region, ...] = variadic_region_def("How two values become one.")
    assembly_format = "(`(` $operands^ `:` type($operands) `)`)? $reductions attr-dict"
    traits = (Terminator(), HasParent("scf.parallel"), RecursiveMemoryEffects())

    def verify_(self) -> None:
        parent = self.parent_op
        if isinstance(parent, ParallelOp):
            for number, (given, wanted) in enumerate(
                zip(self.operand_types, parent.result_types, strict=False)
            ):
                if given is not wanted:
                    raise VerifyError(
                        f"expects type of {number}-th reduction operand: '{given}' "
                        f"to be the same as the {number}-th result type: '{wanted}'"
                    )

    def verify_regions_(self) -> None:
        if len(self.regions) != len(self.operands):
            raise VerifyError(
                f"expects number of reduction regions: {len(self.regions)} to be the same as number of "
                f"reduction operands: {len(self.operands)}"
            )
        for number, (region, type) in enumerate(zip(self.regions, self.operand_types, strict=True)):
            block = region.blocks[0]
            if [argument.type for argument in block.arguments] != [type, type]:
                raise VerifyError(
                    f"expected two block arguments with type '{type}' in the {number}-th reduction region"
                )
            if not isinstance(block.last, ReduceReturnOp):
                raise VerifyError("reduction bodies must be terminated with an 'scf.reduce.return' op")


class ReduceReturnOp(StandardOp, name="scf.reduce.return"):
    """Ends the region of a reduction with its result."""

    result: Value = operand_def(ANY_TYPE, "The result.")
    assembly_format = "$result attr-dict `:` type($result)"
    traits = (Pure(), Terminator(), HasParent("scf.reduce"))

    def verify_(self) -> None:
        arguments = self.parent.arguments if self.parent is not None else ()
        if arguments and arguments[0].type is not self.result.type:
            raise VerifyError(f"must have type '{arguments[0].type}' (the type of the reduction inputs)")


class ForallOp(StandardOp, name="scf.forall"):
    """Runs a region for every point of an index space, one thread each, and collects slices of tensors.

    Bounds and steps are constants (the static lists) or operands, marked in the static lists.
    """

    dynamicLowerBound: tuple[Value, ...] = variadic_operand_def(INDEX, LOWER)
    dynamicUpperBound: tuple[Value, ...] = variadic_operand_def(INDEX, UPPER)
    dynamicStep: tuple[Value, ...] = variadic_operand_def(INDEX, STEP)
    staticLowerBound: tuple[int, ...] = attr_def(INTEGERS64, LOWER)
    staticUpperBound: tuple[int, ...] = attr_def(INTEGERS64, UPPER)
    staticStep: tuple[int, ...] = attr_def(INTEGERS64, STEP)
    outputs: tuple[Value, ...] = variadic_operand_def(RANKED_TENSOR, "The tensors that take the slices.")
    mapping: tuple[Attribute, ...] | None = optional_attr_def(
        MAPPING, "The processors that run each dimension."
    )
    results_: tuple[Value, ...] = variadic_result_def(ANY_TYPE, "The tensors with the slices in place.")
    region: Region = region_def("The code of one thread.")
    hides_argument_locations: ClassVar[bool] = True
    traits = (
        AutomaticAllocationScope(),
        RecursiveMemoryEffects(),
        SingleBlockImplicitTerminator("scf.forall.in_parallel"),
        HasParallelRegion(),
    )
    concepts = (ScfLoopInterface,)

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return last_group_types(operands, attributes)

    def verify_(self) -> None:
        rank, outputs = len(self.staticLowerBound), self.outputs
        if len(self.results) != len(outputs):
            raise VerifyError(f"produces {len(self.results)} results, but has only {len(outputs)} outputs")
        self._check_arguments(rank)
        if self.mapping and len(self.mapping) != rank:
            raise VerifyError("mapping attribute size must match op rank")
        bounds = (
            ("lower bound", self.staticLowerBound, self.dynamicLowerBound),
            ("upper bound", self.staticUpperBound, self.dynamicUpperBound),
            ("step", self.staticStep, self.dynamicStep),
        )
        for word, static, dynamic in bounds:
            check_mixed(word, rank, static, dynamic)
        for number, (output, type) in enumerate(zip(outputs, self.result_types, strict=True)):
            if output.type is not type:
                raise VerifyError(
                    f"expected type of operand #{number} ('{output.type}') "
                    f"to match type of corresponding result ('{type}')"
                )

    def _check_arguments(self, rank: int) -> None:
        arguments = self.region.blocks[0].arguments
        if len(arguments) != rank + len(self.outputs):
            raise VerifyError(f"region expects {rank} arguments")
        for number, argument in enumerate(arguments[:rank]):
            if argument.type is not index:
                raise VerifyError(f"expects {number}-th block argument to be an index")
        for number, (argument, output) in enumerate(zip(arguments[rank:], self.outputs, strict=True)):
            if argument.type is not output.type:
                raise VerifyError(
                    f"type mismatch between {number}-th output and corresponding block argument"
                )

    def print_custom(self, printer: Printer) -> None:
        print_forall(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> CustomParse:
        return parse_forall(cls.op_kind, parser)


def check_mixed(word: str, count: int, static: Sequence[int], dynamic: Sequence[Value]) -> None:
    """Raise `VerifyError` unless a list of numbers has ``count`` entries and an operand for each dynamic
    entry.
    """
    if len(static) != count:
        raise VerifyError(f"expected {count} {word} values, got {len(static)}", prefix=False)
    markers = sum(value == DYNAMIC for value in static)
    if len(dynamic) != markers:
        raise VerifyError(f"expected {markers} dynamic {word} values", prefix=False)


class InParallelOp(StandardOp, name="scf.forall.in_parallel"):
    """Ends the region of `forall` with operations that insert slices into the results, in unspecified order."""

    region: Region = region_def("The operations.")
    traits = (
        Pure(),
        Terminator(),
        HasParent("scf.forall"),
        NoTerminator(),
        SingleBlock(),
        GraphRegion(),
    )

    def verify_(self) -> None:
        for op in self.region.blocks[0]:
            if op.kind.is_registered and ParallelCombining not in op.kind.trait_classes:
                raise VerifyError(
                    "expected only ParallelCombiningOpInterface ops",
                    notes=(("this one does not combine slices", op.location),),
                )

    def print_custom(self, printer: Printer) -> None:
        print_in_parallel(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> CustomParse:
        return parse_in_parallel(cls.op_kind, parser)


OPERATIONS = (ParallelOp, ReduceOp, ReduceReturnOp, ForallOp, InParallelOp)
