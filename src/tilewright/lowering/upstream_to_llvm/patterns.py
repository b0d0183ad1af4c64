"""Conversion patterns to LLVM, defined by a table from classes of operations to functions that lower them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar

from tilewright.dialects.arith.attributes import FastMathFlagsAttr as ArithFlagsAttr, IntegerOverflowFlagsAttr
from tilewright.dialects.builtin.dialect import UnrealizedConversionCastOp
from tilewright.dialects.llvm import enums as llvm_enums, kinds as llvm_kinds
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.llvm.types import LLVMArrayType, LLVMFunctionType
from tilewright.ir import builder, builtin_attributes
from tilewright.ir.attribute import Attribute, SharedAttributes, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.declaration.fields import MISSING
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.declaration.traits import SymbolTable
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering import emitter as lowering_emitter, pattern as lowering_pattern
from tilewright.lowering.llvm_types.converter import LLVMOptions, LLVMTypeConverter
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.conversion.driver import ConversionConfig
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.conversion.target import ConversionTarget
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.rewrite.rewriter import Rewriter


def _fast_math(attribute: Any) -> Attribute:
    """Return the fast-math flags of `arith` as the attribute of `llvm`, whose bits differ. Any other
    attribute is returned unchanged.
    """
    if not isinstance(attribute, ArithFlagsAttr):
        return attribute
    flags = llvm_enums.FastMathFlags.NONE
    for flag in attribute.value:
        flags |= llvm_enums.FastMathFlags[flag.name or "NONE"]
    return llvm_enums.FastMathFlagsAttr(flags)


def _overflow(attribute: Any) -> Attribute:
    if not isinstance(attribute, IntegerOverflowFlagsAttr):
        return attribute
    return llvm_kinds.OVERFLOW.to_attribute(llvm_enums.IntegerOverflowFlags(attribute.value.value))


TRANSLATIONS: dict[str, tuple[str, Callable[[Any], Attribute]]] = {
    "fastmath": ("fastmathFlags", _fast_math),
    "overflowFlags": ("overflowFlags", _overflow),
}
"""For each name of an attribute: its name in ``llvm``, and the function that translates its value.

All other attributes are copied unchanged.
"""

LLVM_NAMES = {name for name, _ in TRANSLATIONS.values()}
"""The translated names. An attribute with such a name is only copied to operations that declare it."""


def translated(attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
    """Return the attributes of an operation for ``llvm``: attributes named in `TRANSLATIONS` are renamed and
    translated, all others are kept.
    """
    found: dict[str, Attribute] = {}
    for name, value in attributes.items():
        if name in TRANSLATIONS:
            name, change = TRANSLATIONS[name]
            value = change(value)
        found[name] = value
    return found


def fast_math(op: Operation) -> dict[str, Any]:
    """Return the fast-math flags of an operation of `arith` or `math`, as a keyword argument of an LLVM
    operation; an empty dictionary if it has none.
    """
    given = op.held_attributes.get("fastmath")
    if given is None:
        return {}
    attribute: Any = _fast_math(given)
    return {"fastmathFlags": attribute.value}


_Op = TypeVar("_Op", bound=Operation)

MAXIMUM_KNOWN = 256
"""The maximum number of shared dictionaries of attributes remembered for each kind of operation."""


@dataclass(slots=True)
class LoweringSite(Generic[_Op]):
    """An operation ``op`` that is being lowered: ``adaptor`` has its converted operands, ``types`` are the
    converted types of its results. `emit` inserts operations through ``rewriter``; ``converter`` is the type
    converter.
    """

    op: _Op
    adaptor: Any
    types: Sequence[Type]
    rewriter: ConversionRewriter
    converter: LLVMTypeConverter

    @property
    def emit(self) -> lowering_emitter.LlvmEmitter:
        """Return an emitter that inserts operations at the insertion point of ``rewriter``, with the source
        location of ``op``.
        """
        return lowering_emitter.LlvmEmitter(self.rewriter, self.op.lazy_location, self.converter.index_type)

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
        """Return the converted type of result `at`. It exists: rules run only if all results have one."""
        return self.types[at]


Rule = Callable[[LoweringSite[Any]], lowering_pattern.LoweringResult]
"""A function that returns the replacements of an operation's results, or the reason why the operation cannot
be lowered.
"""


class RulePattern(lowering_pattern.EmittingPattern[Operation, lowering_pattern.ConversionInserter]):
    """Lowers the operations of the class ``root`` by ``rule``, a function that gets a `LoweringSite` and
    returns the replacements, or a `NoMatch`. It does not match if a result has not exactly one converted
    type.
    """

    def __init__(self, root: type[Operation], rule: Rule, converter: LLVMTypeConverter) -> None:
        super().__init__(converter, root=root, debug_name=f"lower {root.op_kind.name}")
        self.rule = rule
        self.converter = converter

    def replacements(
        self, op: Operation, at: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> lowering_pattern.LoweringResult:
        return self.rule(LoweringSite(op, at, types, rewriter, self.converter))


def add_rules(
    patterns: RewritePatternSet, converter: LLVMTypeConverter, rules: Mapping[type[Operation], Rule]
) -> None:
    """Add a `RulePattern` to `patterns` for each class of operations and its rule in `rules`, in order."""
    patterns.add(*(RulePattern(root, rule, converter) for root, rule in rules.items()))


@dataclass(frozen=True, slots=True)
class OneToOne:
    """Lowers an operation to one operation of the class ``target`` with the same operands, the translated
    attributes, and the attributes ``further``. If the result is an array of vectors, there is one such
    operation for each vector.
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
    """Return the default attributes of operations of a kind, by the name in the IR; an attribute without a
    default is left out. The dictionary is shared and must not be changed.
    """
    return {
        f.ir_name: f.default for f in kind.attributes if f.default is not MISSING and f.default is not None
    }


def elementwise(
    emit: lowering_emitter.LlvmEmitter,
    operands: Sequence[Value],
    type: Type,
    make: Callable[[Sequence[Value], Type], Value],
) -> Value:
    """Return the result of `make`, called with the operands and `type`. If `type` is an array of vectors,
    `make` is called for each vector with the vectors at the same index of the operands, and the array of the
    results is returned; operands that are no arrays are used unchanged.
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
    """Yield the index paths of the vectors inside of nested arrays: ``(0, 0)``, ``(0, 1)``, ... A type that
    is no array has the empty path only.
    """
    counts: list[int] = []
    while isinstance(type, LLVMArrayType):
        counts.append(type.count)
        type = type.element_type
    return itertools.product(*map(range, counts))


@dataclass(frozen=True)
class ToLLVM(Pass):
    """The base of passes that convert operations to `llvm` by the patterns of `populate`; operations without
    a pattern stay. Raises `DiagnosticError` if a conversion fails; nothing is changed then.
    """

    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm",)

    def populate(self, patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
        """Add the patterns of the pass to ``patterns``; each subclass defines this method. ``converter`` is
        the type converter of the run, made with `llvm_options`.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say what it converts")

    def llvm_options(self) -> LLVMOptions:
        """Return the options of the type converter: the defaults, unless a subclass overrides this method."""
        return LLVMOptions()

    def run(self, op: Operation, state: PassState) -> None:
        converter = LLVMTypeConverter(state.context, self.llvm_options())
        patterns = RewritePatternSet(state.context)
        self.populate(patterns, converter)
        target = ConversionTarget().add_legal_dialect("llvm").add_legal(UnrealizedConversionCastOp)
        lowering_pattern.convert(op, state, target, patterns, ConversionConfig(type_converter=converter))


@dataclass(frozen=True)
class ToLLVMWithIndex(ToLLVM):
    """The base of passes with the option ``index-bitwidth``, the width of ``index`` in bits; 0 for the
    machine's (64).
    """

    index_bitwidth: int = 0

    def llvm_options(self) -> LLVMOptions:
        return LLVMOptions(self.index_bitwidth)


def enclosing_table(op: Operation) -> Operation:
    """Return the nearest operation around ``op`` that is a symbol table. If there is none, return the
    outermost operation around ``op``, or ``op`` itself if nothing is around it.
    """
    table = op
    for table in op.ancestors():
        if table.has_trait(SymbolTable):
            return table
    return table


def find_symbol(table: Operation, name: str) -> Operation | None:
    """Return the operation directly inside of a symbol table that defines the symbol `name`; None if there is
    none.
    """
    for op in table.regions[0].blocks[0]:
        attribute = op.held_attributes.get("sym_name")
        if isinstance(attribute, builtin_attributes.StringAttr) and attribute.value == name:
            return op
    return None


def free_name(table: Operation, stem: str) -> str:
    """Return the first of the names ``stem``, ``stem_0``, ``stem_1``, ... that no symbol of `table` has."""
    name, number = stem, 0
    while find_symbol(table, name) is not None:
        name, number = f"{stem}_{number}", number + 1
    return name


def add_symbol(rewriter: Rewriter, table: Operation, make: Callable[[], Operation]) -> Operation:
    """Insert the operation that `make` returns at the start of the symbol table `table`, and return it. Its
    name is not tested.
    """
    with rewriter.at(builder.InsertionPoint.at_start(table.regions[0].blocks[0])):
        return rewriter.insert(make())


def declare_function(rewriter: Rewriter, op: Operation, name: str, type: LLVMFunctionType) -> str:
    """Declare the function `name` of type `type` in the symbol table around ``op``, unless a symbol has this
    name; return the name. The type of an existing symbol is not compared.
    """
    table = enclosing_table(op)
    if find_symbol(table, name) is None:
        add_symbol(rewriter, table, lambda: LLVMFuncOp(sym_name=name, function_type=type, body=Region()))
    return name
