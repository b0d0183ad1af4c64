"""Types that an assembly format leaves out: found from constraints, type variables and the class's own rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tilewright.ir.attribute import Type
from tilewright.ir.block import Region
from tilewright.ir.declaration.constraint import OneOf, TypeVariable
from tilewright.ir.declaration.fields import Arity, OperandField
from tilewright.ir.declaration.traits import Matching
from tilewright.ir.text.hooks import hook
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.declaration.kind import OperationKind
    from tilewright.ir.text.format.assembly_format import AssemblyFormat
    from tilewright.ir.text.format.parsing import FormatParsing

OperandTyping = Callable[["FormatParsing"], list[Type]]
ResultTyping = Callable[["FormatParsing", Sequence[Value], Sequence[Region]], Sequence[Type]]


def operand_typing(format: AssemblyFormat) -> OperandTyping:
    """Return the function that computes a type for each operand, in order, from the types in the text and the
    rules of the class. It raises `ParseError` if a type does not follow from them.
    """
    kind = format.kind
    infer = hook(kind.op_class, "infer_operand_types")
    rows = [(field.name, _sources(kind, field)) for field in kind.operands]
    only_result = kind.results[0].name if len(kind.results) == 1 else None

    def types_of(parsing: FormatParsing) -> list[Type]:
        if parsing.all_operand_types is not None:
            return parsing.all_operand_types
        given = parsing.types
        known = {name.removeprefix("result "): types for name, types in given.items()}
        if parsing.all_result_types is not None and only_result is not None:
            known.setdefault(only_result, parsing.all_result_types)
        inferred: dict[str, Sequence[Type]] = infer(parsing, known) if infer is not None else {}
        types: list[Type] = []
        for name, sources in rows:
            stated = inferred[name] if name in inferred else given.get(name)
            if stated is not None:
                types.extend(stated)
            elif count := len(parsing.uses.get(name, ())):
                types.extend([_found(parsing, name, sources, known)] * count)
        return types

    return types_of


def _sources(kind: OperationKind, field: OperandField) -> list[str | Type]:
    """Return the sources of an operand's type: the only type that its constraint allows, or the names of the
    fields with the same type; empty if it is known by neither.
    """
    constraint = field.constraint
    sources: list[str | Type] = []
    if isinstance(constraint, TypeVariable):
        sources.extend([f.name for f in (*kind.operands, *kind.results) if f.constraint is constraint])
    if isinstance(constraint, OneOf) and len(constraint.types) == 1:
        return [constraint.types[0]]
    for trait in kind.traits:
        if isinstance(trait, Matching) and trait.words == "same type" and field.name in trait.fields:
            sources.extend(trait.fields)
    return sources


def _found(
    parsing: FormatParsing, name: str, sources: Sequence[str | Type], known: Mapping[str, Sequence[Type]]
) -> Type:
    for source in sources:
        if isinstance(source, Type):
            return source
        if types := known.get(source):
            return types[0]
    raise parsing.parser.error(f"the type of operand '{name}' cannot be inferred", parsing.start)


def result_typing(format: AssemblyFormat) -> ResultTyping:
    """Return the function that computes a type for each result, in order: as the text spells it, or inferred.
    It raises `ParseError` if a type cannot be inferred.
    """
    fields, infer = format.kind.results, format.kind.op_class.infer_result_types
    keys = [f"result {field.name}" for field in fields]
    may_be_none = all(field.arity is not Arity.ONE for field in fields)

    def types_of(
        parsing: FormatParsing, operands: Sequence[Value], regions: Sequence[Region]
    ) -> Sequence[Type]:
        if parsing.all_result_types is not None:
            return parsing.all_result_types
        given = [parsing.types.get(key) for key in keys]
        if None not in given:
            return [type for types in given for type in types or ()]
        if parsing.skipped_result_types and may_be_none:
            return []  # the format names the types in an optional group that is not there
        try:
            inferred = list(infer(operands, parsing.attributes, regions))
        except ValueError as problem:
            raise parsing.parser.error(str(problem), parsing.start) from problem
        return _merged(given, inferred)

    return types_of


def _merged(given: Sequence[Any], inferred: list[Type]) -> Sequence[Type]:
    """Return the types that the text spells, with the inferred types for fields that it does not spell; the
    inferred types if they are not one for each field.
    """
    if len(inferred) != len(given):
        return inferred
    types: list[Type] = []
    for stated, type in zip(given, inferred, strict=True):
        types.extend([type] if stated is None else stated)
    return types
