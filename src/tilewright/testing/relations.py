"""Finds, from an operation's traits and type variables, which operands and results share a type, shape, rank
or element type.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from tilewright.dialects.common import traits as standard
from tilewright.ir.declaration import kind as declaration_kind, traits as ir_traits
from tilewright.ir.declaration.constraint import Constraint, TypeVariable
from tilewright.ir.declaration.fields import OperandField, ResultField

ValueField = OperandField | ResultField
Groups = dict[str, str]
"""Maps the name of a field to the name of its group."""


@dataclass(slots=True)
class Relations:
    """Groups of fields that share a type, a shape, a rank, an element type: each maps the name of a field to
    the name of its group.
    """

    type: Groups
    shape: Groups
    rank: Groups
    element: Groups


@cache
def relations(kind: declaration_kind.OperationKind) -> Relations:
    """Return the relations that a kind's type variables and traits state."""
    operands, results = [f.name for f in kind.operands], [f.name for f in kind.results]
    names = [*operands, *results]
    found = Relations(*({name: name for name in names} for _ in range(4)))
    for same in _same_types(kind):
        for groups in (found.type, found.shape, found.element):
            _merge(groups, same)
    if any(
        map(
            kind.has_trait,
            (
                ir_traits.Elementwise,
                ir_traits.SameOperandsAndResultShape,
                standard.SameOperandsAndResultShape,
            ),
        )
    ):
        _merge(found.shape, names)
    if kind.has_trait(ir_traits.SameOperandsShape):
        _merge(found.shape, operands)
    if kind.has_trait(ir_traits.SameOperandsAndResultElementType):
        _merge(found.element, names)
    for trait in kind.traits:
        if isinstance(trait, ir_traits.Matching) and not isinstance(trait, ir_traits.SameTypes):
            _merge(_groups(found, trait), trait.fields)
    return found


def _same_types(kind: declaration_kind.OperationKind) -> list[tuple[str, ...]]:
    fields: list[ValueField] = [*kind.operands, *kind.results]
    variables = dict.fromkeys(f.constraint for f in fields if isinstance(f.constraint, TypeVariable))
    shared = [tuple(f.name for f in fields if f.constraint is variable) for variable in variables]
    if kind.has_trait(standard.SameOperandsAndResultType):
        shared.append(tuple(f.name for f in fields))
    if kind.has_trait(standard.SameTypeOperands):
        shared.append(tuple(f.name for f in kind.operands))
    return shared + [trait.fields for trait in kind.traits if isinstance(trait, ir_traits.SameTypes)]


def _groups(found: Relations, trait: ir_traits.Matching) -> Groups:
    if "element type" in trait.words:
        return found.element
    return found.rank if "rank" in trait.words else found.shape


def _merge(groups: Groups, names: Iterable[str]) -> None:
    joined = {groups[name] for name in names if name in groups}
    if not joined:
        return
    representative = min(joined)
    for name, group in groups.items():
        if group in joined:
            groups[name] = representative


def unwrapped(constraint: Constraint) -> Constraint:
    """Return the constraint of a type variable; another constraint unchanged."""
    return constraint.bound if isinstance(constraint, TypeVariable) else constraint
