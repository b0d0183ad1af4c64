"""Types that an assembly format leaves out: found from constraints, type variables and the class's own rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tilewright.ir.attribute import Type
from tilewright.ir.block import Region
from tilewright.ir.constraint import OneOf, TypeVariable
from tilewright.ir.declaration import Arity
from tilewright.ir.text.hooks import OperandUse, hook
from tilewright.ir.traits import Matching
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text.assembly_format import FormatParsing


def known_types(parsing: FormatParsing) -> dict[str, list[Type]]:
    """Types by field name that the text gave; results under their own name."""
    return {name.removeprefix("result "): types for name, types in parsing.types.items()}


def resolve_operand_types(parsing: FormatParsing, uses: Sequence[OperandUse]) -> list[Type]:
    """One type for each operand, in order."""
    if parsing.all_operand_types is not None:
        return parsing.all_operand_types
    kind = parsing.format.kind
    known = known_types(parsing)
    if parsing.all_result_types is not None and len(kind.results) == 1:
        known.setdefault(kind.results[0].name, parsing.all_result_types)
    infer = hook(kind.op_class, "infer_operand_types")
    inferred: dict[str, Sequence[Type]] = infer(parsing, known) if infer is not None else {}
    variables = _bound_variables(parsing, known)
    types: list[Type] = []
    for field in kind.operands:
        count = len(parsing.uses.get(field.name, ()))
        if field.name in inferred:
            types.extend(inferred[field.name])
        elif f"{field.name}" in parsing.types:
            types.extend(parsing.types[field.name])
        else:
            types.extend([_single_type(parsing, field, known, variables)] * count if count else [])
    return types


def _bound_variables(parsing: FormatParsing, known: dict[str, list[Type]]) -> dict[TypeVariable, Type]:
    kind = parsing.format.kind
    bound: dict[TypeVariable, Type] = {}
    for field in (*kind.operands, *kind.results):
        if isinstance(field.constraint, TypeVariable) and known.get(field.name):
            bound.setdefault(field.constraint, known[field.name][0])
    return bound


def _single_type(
    parsing: FormatParsing, field: Any, known: dict[str, list[Type]], variables: dict[TypeVariable, Type]
) -> Type:
    constraint = field.constraint
    if isinstance(constraint, TypeVariable) and constraint in variables:
        return variables[constraint]
    if isinstance(constraint, OneOf) and len(constraint.types) == 1:
        return constraint.types[0]
    for trait in parsing.format.kind.traits:
        if isinstance(trait, Matching) and trait.words == "same type" and field.name in trait.fields:
            for name in trait.fields:
                if known.get(name):
                    return known[name][0]
    raise parsing.parser.error(f"the type of operand '{field.name}' cannot be inferred", parsing.start)


def resolve_result_types(
    parsing: FormatParsing, operands: Sequence[Value], regions: Sequence[Region]
) -> Sequence[Type]:
    """One type for each result, in order."""
    if parsing.all_result_types is not None:
        return parsing.all_result_types
    kind = parsing.format.kind
    given = [parsing.types.get(f"result {field.name}") for field in kind.results]
    if all(types is not None for types in given):
        return [type for types in given if types is not None for type in types]
    if parsing.skipped_result_types and all(field.arity is not Arity.ONE for field in kind.results):
        return []  # the format names the types in an optional group that is not there
    try:
        inferred = list(kind.op_class.infer_result_types(operands, parsing.attributes, regions))
    except ValueError as problem:
        raise parsing.parser.error(str(problem), parsing.start) from problem
    types: list[Type] = []
    for field, stated in zip(kind.results, given, strict=True):
        if stated is not None:
            types.extend(stated)
        elif len(inferred) == len(kind.results):
            types.append(inferred[kind.results.index(field)])
        else:
            return inferred
    return types
