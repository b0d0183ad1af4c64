"""Sequential control flow: loops, branches and what ends their regions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from tilewright.dialects.common import base, traits as common_traits
from tilewright.dialects.common.constraints import I1, INDEX, SIGNLESS_INTEGER_OR_INDEX
from tilewright.dialects.common.control_flow import (
    PARENT,
    argument_types,
    check_edge,
    region_words,
    terminators,
)
from tilewright.dialects.scf import control_flow as scf_control_flow, syntax as scf_syntax, syntax_parallel
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import i64
from tilewright.ir.declaration import fields, traits as ir_traits
from tilewright.ir.declaration.attribute_kind import DenseArrayKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text import hooks, parser as text_parser, printer as text_printer

YIELD_TERMINATOR = common_traits.SingleBlockImplicitTerminator("scf.yield")
YIELDED = "The values that the region yields."


class ConditionOp(base.StandardOp, name="scf.condition"):
    """Ends the first region of `while`: passes values to the second region if the condition holds, else out
    of the loop.
    """

    condition: Value = fields.operand_def(I1, "Whether to go on.")
    args: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "The values.")
    assembly_format = "`(` $condition `)` attr-dict ($args^ `:` type($args))?"
    traits = (ir_traits.Pure(), ir_traits.HasParent("scf.while"), ir_traits.Terminator())


class YieldOp(base.StandardOp, name="scf.yield"):
    """Ends a region with its results."""

    results_: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "The results.")
    assembly_format = "attr-dict ($results^ `:` type($results))?"
    traits = (
        ir_traits.Pure(),
        common_traits.ReturnLike(),
        ir_traits.HasParent("scf.execute_region", "scf.for", "scf.if", "scf.index_switch", "scf.while"),
    )


def yielded_types(region: Region, terminator: type[Operation] = YieldOp) -> tuple[Type, ...]:
    """Return the types of the operands of the first operation of the class `terminator` that ends a block of
    the region; an empty tuple if there is no such operation.
    """
    first = next(terminators(region, terminator), None)
    return () if first is None else first.operand_types


class ExecuteRegionOp(base.StandardOp, name="scf.execute_region"):
    """Runs a region of blocks once; the results are the values that it yields."""

    no_inline: bool = fields.flag_def("Keep the region; do not put its blocks in the place of the operation.")
    results_: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, YIELDED)
    region: Region = fields.region_def("The blocks.", single_block=False)
    traits = (ir_traits.RecursiveMemoryEffects(),)

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return yielded_types(regions[0])

    def verify_(self) -> None:
        if not self.region.blocks:
            raise ir_traits.VerifyError("region needs to have at least one block")
        if self.region.blocks[0].arguments:
            raise ir_traits.VerifyError("region cannot have any arguments")

    def verify_regions_(self) -> None:
        for terminator in terminators(self.region, YieldOp):
            check_edge(terminator, PARENT, terminator.operand_types, self.result_types)

    def print_custom(self, printer: text_printer.Printer) -> None:
        scf_syntax.print_execute_region(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        return scf_syntax.parse_execute_region(cls.op_kind, parser)


class ForOp(base.StandardOp, name="scf.for"):
    """Counts from `lowerBound` by `step` while below `upperBound`.

    The region takes the counter and the carried values and yields the values of the next iteration.  The comparison is
    signed unless `unsignedCmp`; the step must be positive.
    """

    lowerBound: Value = fields.operand_def(SIGNLESS_INTEGER_OR_INDEX, "The first value of the counter.")
    upperBound: Value = fields.operand_def(SIGNLESS_INTEGER_OR_INDEX, "The counter stays below it.")
    step: Value = fields.operand_def(SIGNLESS_INTEGER_OR_INDEX, "The step of the counter.")
    initArgs: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE, "The carried values of the first iteration."
    )
    unsignedCmp: bool = fields.flag_def("Compare as unsigned.")
    results_: tuple[Value, ...] = fields.variadic_result_def(
        ANY_TYPE, "The carried values after the last iteration."
    )
    region: Region = fields.region_def("One iteration.")
    header_stands_alone: ClassVar[bool] = True
    hides_argument_locations: ClassVar[bool] = True
    traits = (
        common_traits.AutomaticAllocationScope(),
        common_traits.same_type("lowerBound", "upperBound", "step"),
        YIELD_TERMINATOR,
        ir_traits.RecursiveMemoryEffects(),
    )
    concepts = (
        scf_control_flow.ForEdges,
        scf_control_flow.ScfLoopInterface,
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [value.type for value in operands[3:]]

    def verify_(self) -> None:
        if len(self.initArgs) != len(self.results):
            raise ir_traits.VerifyError("mismatch in number of loop-carried values and defined values")

    def verify_regions_(self) -> None:
        arguments = argument_types(self.region)
        if not arguments:
            raise ir_traits.VerifyError("expected induction variable as the first argument of the region")
        if arguments[0] is not self.lowerBound.type:
            raise ir_traits.VerifyError("expected induction variable to be same type as bounds and step")
        check_carried(
            self, [value.type for value in self.initArgs], arguments[1:], yielded_types(self.region)
        )
        for terminator in terminators(self.region, YieldOp):
            check_edge(terminator, region_words(0), terminator.operand_types, arguments[1:])

    def print_custom(self, printer: text_printer.Printer) -> None:
        scf_syntax.print_for(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        return scf_syntax.parse_for(cls.op_kind, parser)


def check_carried(
    loop: Operation, inits: Sequence[Type], arguments: Sequence[Type], yielded: Sequence[Type]
) -> None:
    """Raise `VerifyError` unless the initial values, region arguments, yielded values and results of a loop
    have the same types. Yielded values are not compared if `yielded` is empty.
    """
    if len(inits) != len(arguments):
        raise ir_traits.VerifyError(
            f"different number of inits and region iter_args: {len(inits)} != {len(arguments)}"
        )
    if yielded and len(yielded) != len(arguments):
        raise ir_traits.VerifyError(
            f"different number of region iter_args and yielded values: {len(arguments)} != {len(yielded)}"
        )
    _check_pairs("init", inits, "region iter_arg", arguments)
    _check_pairs("region iter_arg", arguments[: len(yielded)], "yielded value", yielded)
    _check_pairs("region iter_arg", arguments, "loop result", loop.result_types)


def _check_pairs(left: str, first: Sequence[Type], right: str, second: Sequence[Type]) -> None:
    for number, (a, b) in enumerate(zip(first, second, strict=False)):
        if a is not b:
            raise ir_traits.VerifyError(
                f"{number}-th {left} and {number}-th {right} have different type: '{a}' != '{b}'"
            )


class IfOp(base.StandardOp, name="scf.if"):
    """Runs the first region if the condition is true, else the second, which may be missing if there are no
    results. The results are the values that the region yields.
    """

    condition: Value = fields.operand_def(I1, "Chooses the first region if it is true.")
    results_: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, YIELDED)
    thenRegion: Region = fields.region_def("Runs when the condition is true.")
    elseRegion: Region = fields.optional_region_def("Runs when it is false; may be empty without results.")
    traits = (YIELD_TERMINATOR, ir_traits.RecursiveMemoryEffects(), common_traits.NoEntryBlockArguments())
    concepts = (scf_control_flow.IfEdges,)

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return yielded_types(regions[0])

    def verify_(self) -> None:
        if self.results and not self.elseRegion.blocks:
            raise ir_traits.VerifyError("must have an else block if defining values")

    def verify_regions_(self) -> None:
        for region in self.regions:
            for terminator in terminators(region, YieldOp):
                check_edge(terminator, PARENT, terminator.operand_types, self.result_types)

    def print_custom(self, printer: text_printer.Printer) -> None:
        scf_syntax.print_if(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        return scf_syntax.parse_if(cls.op_kind, parser)


class WhileOp(base.StandardOp, name="scf.while"):
    """Repeats two regions: the first ends in `condition`, which continues with the second region or leaves
    the loop.
    """

    inits: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE, "The arguments of the first region at first."
    )
    results_: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, "The values of the last `condition`.")
    before: Region = fields.region_def("Computes the condition.")
    after: Region = fields.region_def(
        "The rest of an iteration; yields the next arguments of the first region."
    )
    hides_argument_locations: ClassVar[tuple[int, ...]] = (0,)
    traits = (ir_traits.RecursiveMemoryEffects(), ir_traits.SingleBlock())
    concepts = (
        scf_control_flow.WhileEdges,
        scf_control_flow.ScfLoopInterface,
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return yielded_types(regions[0], ConditionOp)[1:]

    def verify_(self) -> None:
        for word, region, wanted in (("before", self.before, ConditionOp), ("after", self.after, YieldOp)):
            last = region.blocks[0].last
            if last is not None and not isinstance(last, wanted):
                raise ir_traits.VerifyError(
                    f"expects the '{word}' region to terminate with '{wanted.op_kind.name}'",
                    notes=(("terminator here", last.location),),
                )

    def verify_regions_(self) -> None:
        before, after = argument_types(self.before), argument_types(self.after)
        check_edge(None, region_words(0), self.operand_types, before)
        for terminator in terminators(self.before, ConditionOp):
            passed = terminator.operand_types[1:]
            check_edge(terminator, PARENT, passed, self.result_types)
            check_edge(terminator, region_words(1), passed, after)
        for terminator in terminators(self.after, YieldOp):
            check_edge(terminator, region_words(0), terminator.operand_types, before)

    def print_custom(self, printer: text_printer.Printer) -> None:
        scf_syntax.print_while(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        return scf_syntax.parse_while(cls.op_kind, parser)


class IndexSwitchOp(base.StandardOp, name="scf.index_switch"):
    """Runs the region whose case value equals the operand, or the default region if there is none. The
    results are the values that the region yields.
    """

    arg: Value = fields.operand_def(INDEX, "What chooses.")
    cases: tuple[int, ...] = fields.attr_def(DenseArrayKind(i64), "The case values, all different.")
    results_: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, YIELDED)
    defaultRegion: Region = fields.region_def("Runs when no case fits.")
    caseRegions: tuple[Region, ...] = fields.variadic_region_def("One region for each case.")
    assembly_format = (
        "$arg attr-dict (`->` type($results)^)? custom<SwitchCases>($cases, $caseRegions) `\\n` "
        "`` `default` $defaultRegion"
    )
    format_directives: ClassVar[dict[str, Any]] = syntax_parallel.SWITCH_DIRECTIVES
    traits = (
        ir_traits.RecursiveMemoryEffects(),
        ir_traits.SingleBlock(),
        ir_traits.ImplicitTerminator("scf.yield"),
    )
    concepts = (scf_control_flow.SwitchEdges,)

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return yielded_types(regions[0])

    def verify_(self) -> None:
        if len(self.cases) != len(self.caseRegions):
            raise ir_traits.VerifyError(
                f"has {len(self.caseRegions)} case regions but {len(self.cases)} case values"
            )
        seen: set[int] = set()
        for value in self.cases:
            if value in seen:
                raise ir_traits.VerifyError(f"has duplicate case value: {value}")
            seen.add(value)
        self._check_region("default region", self.defaultRegion)
        for number, region in enumerate(self.caseRegions):
            self._check_region(f"case region #{number}", region)

    def _check_region(self, word: str, region: Region) -> None:
        last: Any = region.blocks[0].last
        if last is None:
            return
        if not isinstance(last, YieldOp):
            raise ir_traits.VerifyError(f"expected region to end with scf.yield, but got {last.name}")
        if len(last.operands) != len(self.results):
            raise ir_traits.VerifyError(
                f"expected each region to return {len(self.results)} values, "
                f"but {word} returns {len(last.operands)}",
                notes=(("see yield operation here", last.location),),
            )
        for number, (given, wanted) in enumerate(zip(last.operand_types, self.result_types, strict=True)):
            if given is not wanted:
                raise ir_traits.VerifyError(
                    f"expected result #{number} of each region to be '{wanted}'",
                    notes=((f"{word} returns '{given}' here", last.location),),
                )


OPERATIONS = (ConditionOp, YieldOp, ExecuteRegionOp, ForOp, IfOp, WhileOp, IndexSwitchOp)
