"""Conversion patterns to LLVM as data: for each class of operation the function that lowers it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, TypeVar

from tilewright.dialects.llvm.types import LLVMArrayType
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.attribute_storage import SharedAttributes
from tilewright.ir.block import Block, Region
from tilewright.ir.declaration.fields import MISSING
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.emitter import LlvmEmitter
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.pattern import Answer, ConversionInserter, EmittingPattern
from tilewright.lowering.upstream_to_llvm.attributes import LLVM_NAMES, translated
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.pattern_set import RewritePatternSet

_Op = TypeVar("_Op", bound=Operation)

MAXIMUM_KNOWN = 256
"""The maximum number of shared dictionaries of attributes remembered for each kind of operation."""


@dataclass(slots=True)
class LoweringSite(Generic[_Op]):
    """An operation that is being lowered.

    ``adaptor`` has its converted operands, ``types`` are the converted types of its results, ``emit`` inserts
    operations.
    """

    op: _Op
    adaptor: Any
    types: Sequence[Type]
    rewriter: ConversionRewriter
    converter: LLVMTypeConverter

    @property
    def emit(self) -> LlvmEmitter:
        """Return an emitter that inserts operations at the location of this operation."""
        return LlvmEmitter(self.rewriter, self.op.lazy_location, self.converter.index_type)

    @property
    def block(self) -> Block:
        """Return the block of the operation."""
        block = self.op.parent
        assert block is not None, "operations that are lowered stand in blocks"
        return block

    @property
    def region(self) -> Region:
        """Return the region that contains the operation's block."""
        region = self.block.parent
        assert region is not None, "blocks of operations that are lowered stand in regions"
        return region

    def result_type(self, at: int = 0) -> Type:
        """Return the converted type of a result; rules run only if all results have one."""
        return self.types[at]


Rule = Callable[[LoweringSite[Any]], Answer]
"""Returns the replacements of the results, or the reason for a refusal."""


class RulePattern(EmittingPattern[Operation, ConversionInserter]):
    """A rule, rooted at the operations of a class."""

    def __init__(self, root: type[Operation], rule: Rule, converter: LLVMTypeConverter) -> None:
        super().__init__(converter, root=root, debug_name=f"lower {root.op_kind.name}")
        self.rule = rule
        self.converter = converter

    def answer(
        self, op: Operation, at: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> Answer:
        return self.rule(LoweringSite(op, at, types, rewriter, self.converter))


def add_rules(
    patterns: RewritePatternSet, converter: LLVMTypeConverter, rules: Mapping[type[Operation], Rule]
) -> None:
    """Add one pattern for each rule, in order."""
    patterns.add(*(RulePattern(root, rule, converter) for root, rule in rules.items()))


@dataclass(frozen=True, slots=True)
class OneToOne:
    """Lowers an operation to one operation of another kind with the same operands, translated attributes, and
    further attributes.
    """

    target: type[Operation]
    further: tuple[tuple[str, Attribute], ...] = ()
    _known: dict[SharedAttributes, SharedAttributes] = field(
        default_factory=dict[SharedAttributes, SharedAttributes], repr=False, compare=False
    )
    """Converted attributes, by dictionaries that many operations share."""

    def __call__(self, site: LoweringSite[Any]) -> Value:
        kind: OperationKind = self.target.op_kind
        op, type, operands = site.op, site.types[0], site.adaptor.operands
        attributes = self._attributes(op.held_attributes)
        if not isinstance(type, LLVMArrayType):  # `LlvmEmitter.plain`, unrolled
            made = Operation.from_parts(kind, operands, (type,), attributes, location=op.lazy_location)
            return site.rewriter.insert(made).results[0]
        emit = site.emit

        def make(operands: Sequence[Value], type: Type) -> Value:
            return emit.plain(kind, operands, (type,), attributes).results[0]

        return elementwise(emit, operands, type, make)

    def _attributes(self, held: Mapping[str, Attribute]) -> SharedAttributes:
        if type(held) is not SharedAttributes:
            return self._translated(held)
        known = self._known.get(held)
        if known is None:
            if len(self._known) == MAXIMUM_KNOWN:
                self._known.clear()
            known = self._known[held] = self._translated(held)
        return known

    def _translated(self, held: Mapping[str, Attribute]) -> SharedAttributes:
        kind: OperationKind = self.target.op_kind
        declared = kind.attributes_by_ir_name
        given = translated(held)
        kept = {name: a for name, a in given.items() if name in declared or name not in LLVM_NAMES}
        return SharedAttributes({**defaults(kind), **kept, **dict(self.further)})


@cache
def defaults(kind: OperationKind) -> dict[str, Attribute]:
    """Return the default attributes of operations of a kind.

    The dictionary is shared and must not be changed.
    """
    return {
        f.ir_name: f.default for f in kind.attributes if f.default is not MISSING and f.default is not None
    }


def elementwise(
    emit: LlvmEmitter,
    operands: Sequence[Value],
    type: Type,
    make: Callable[[Sequence[Value], Type], Value],
) -> Value:
    """Apply an operation to values, or to each of the vectors in arrays of vectors; other operands are used
    unchanged.
    """
    if not isinstance(type, LLVMArrayType):
        return make(operands, type)
    built = emit.poison(type)
    for path in paths(type):
        parts = [emit.extract(o, *path) if isinstance(o.type, LLVMArrayType) else o for o in operands]
        built = emit.insert_into(built, make(parts, vector_of(type)), *path)
    return built


def vector_of(type: Type) -> Type:
    """Return the vector type inside of nested array types, or the type itself."""
    while isinstance(type, LLVMArrayType):
        type = type.element_type
    return type


def paths(type: Type) -> Iterator[tuple[int, ...]]:
    """Yield the index paths of the vectors inside nested arrays."""
    counts: list[int] = []
    while isinstance(type, LLVMArrayType):
        counts.append(type.count)
        type = type.element_type
    return itertools.product(*map(range, counts))
