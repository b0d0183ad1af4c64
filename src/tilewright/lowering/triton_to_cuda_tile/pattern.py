"""The base of the patterns of this conversion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.pattern import EmittingPattern, LoweringResult
from tilewright.lowering.triton_to_cuda_tile.emit import CudaTileEmitter
from tilewright.lowering.triton_to_cuda_tile.type_conversion import TritonTypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.pattern import NoMatch

_Op = TypeVar("_Op", bound=Operation)


@dataclass(frozen=True, slots=True)
class TritonLoweringOptions:
    """The options of the pass that patterns need. ``rounds_to_tf32``: products of f32 with the input
    precision `tf32` round their factors to it.
    """

    rounds_to_tf32: bool = False


@dataclass(frozen=True, slots=True)
class TritonLowering:
    """The context of the patterns: the type converter and the options of the pass."""

    converter: TritonTypeConverter
    choices: TritonLoweringOptions = TritonLoweringOptions()


class TritonPattern(EmittingPattern[_Op, CudaTileEmitter]):
    """The base of patterns that convert an operation whose operands and results each become one value."""

    def __init__(self, lowering: TritonLowering, **named: Any) -> None:
        super().__init__(lowering.converter, **named)
        self.lowering = lowering

    def emitter(self, op: _Op, rewriter: ConversionRewriter) -> CudaTileEmitter:
        return CudaTileEmitter(rewriter, op.lazy_location)


class SpreadPattern(TritonPattern[_Op]):
    """The base of patterns for operations whose operands and results may each become several values, as
    descriptors do.

    ``lower`` gets a tuple of values for each operand, and the types of the values for all results in one
    sequence; it returns values of these types.
    """

    one_to_n = True

    def match_and_rewrite(self, op: _Op, adaptor: Adaptor, rewriter: ConversionRewriter) -> NoMatch | None:
        parts = [self.lowering.converter.converted(type) for type in op.result_types]
        known = [part for part in parts if part is not None]
        assert len(known) == len(parts), "other types were refused"
        types = [type for part in known for type in part]
        result = self.replacements(op, adaptor, types, rewriter)
        if result is None or isinstance(result, NoMatch):
            return result
        values = result.results if isinstance(result, Operation) else result
        rewriter.replace(op, consecutive_groups(values, [len(part) for part in known]))
        return None


def consecutive_groups(values: Any, counts: Sequence[int]) -> list[tuple[Value, ...]]:
    """Return `values` divided into consecutive groups of the lengths `counts`, whose sum is the number of
    values.
    """
    groups: list[tuple[Value, ...]] = []
    start = 0
    for count in counts:
        groups.append(tuple(values[start : start + count]))
        start += count
    return groups


def flat(groups: Sequence[Sequence[Value]]) -> list[Value]:
    """Return the values of several groups in one list."""
    return [value for group in groups for value in group]


Formula = Callable[..., Value]
"""A function ``(emit, *operands) -> value`` that emits the operations that replace one operation."""


class FormulaPattern(TritonPattern[Operation]):
    """Converts an elementwise operation by a function that emits its replacement."""

    def __init__(self, lowering: TritonLowering, source: type[Operation], formula: Formula) -> None:
        super().__init__(lowering, root=source, debug_name=f"{source.__name__} by formula")
        self.formula = formula

    def lower(
        self, op: Operation, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        return self.formula(emit, *at.operands)
