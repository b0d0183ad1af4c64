"""A scene: the block that new operations are added to, and the random choices that complete them.

`Scene.build` completes an operation from its declaration: whatever the caller does not fix (types,
attributes, optional operands, numbers of variadic ones) is drawn so that every constraint and type relation
holds. Samplers of single operations fix what other rules require before they call it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from tilewright.ir.attribute import Type
from tilewright.ir.block import Block
from tilewright.ir.declaration.constraint import Constraint
from tilewright.ir.declaration.fields import Arity, AttributeField, OperandField
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.testing.attributes import draw_attribute
from tilewright.testing.drawing import RandomChoices, Unsupported as Unsupported
from tilewright.testing.relations import ValueField, relations, unwrapped

_Op = TypeVar("_Op", bound=Operation)
Shape = tuple[int, ...]
TypeSampler = Callable[[Any, Any, Shape | None, Type | None], Type]
"""A function ``(scene, constraint, shape, element type)`` that returns a type for a constraint; a shape or
element type of None leaves it open.
"""

MAXIMUM_VARIADIC = 3


class Scene:
    """A block that new operations are added to. Subclasses define `value`, which returns a value of a type,
    and `type_samplers`, which choose types for constraints.
    """

    type_samplers: ClassVar[Mapping[type[Constraint], TypeSampler]] = {}

    def __init__(self, drawing: RandomChoices, block: Block, version: Any = None) -> None:
        self.drawing = drawing
        self.block = block
        self.version = version

    # hooks of subclasses -----------------------------------------------------------------------------------------

    def value(self, type: Type) -> Value:
        """Return a value of a type that can be used at the end of the block."""
        raise NotImplementedError

    def has(self, since: Any) -> bool:
        """Return whether the scene's version has a feature introduced in `since`; true if one of the two is
        None.
        """
        return since is None or self.version is None or since <= self.version

    # drawing ------------------------------------------------------------------------------------------------------

    def choose(self, options: Sequence[Any]) -> Any:
        """Draw one of several options."""
        return self.drawing.choose(options)

    def boolean(self) -> bool:
        """Draw false or true."""
        return self.drawing.boolean()

    def integer(self, low: int, high: int) -> int:
        """Return a number from ``low`` to ``high``, both included."""
        return self.drawing.integer(low, high)

    def type_for(
        self, constraint: Constraint, shape: Shape | None = None, element: Type | None = None
    ) -> Type:
        """Return a type that satisfies a constraint, of the given shape and element type where they are
        given. Raises `Unsupported` for an unknown constraint.
        """
        inner = unwrapped(constraint)
        for constraint_class in type(inner).__mro__:
            sampler = self.type_samplers.get(constraint_class)
            if sampler is not None:
                return sampler(self, inner, shape, element)
        raise Unsupported(f"no types are known for the constraint '{constraint.description}'")

    # building -----------------------------------------------------------------------------------------------------

    def build(
        self,
        op_class: type[_Op],
        types: Mapping[str, Type | Sequence[Type]] | None = None,
        values: Mapping[str, Any] | None = None,
        attributes: Mapping[str, Any] | None = None,
        regions: Mapping[str, Any] | None = None,
        successors: Mapping[str, Any] | None = None,
    ) -> _Op:
        """Make an operation at the end of the block; fields that are not given are drawn.

        Keys are field names.  ``values`` fixes operands (a value, a sequence for variadic fields, None for an absent
        optional one), ``types`` the types of operands and results, ``attributes`` Python values of attributes (None:
        absent).  Regions and successors are never drawn: by default they are empty and absent.
        """
        kind = op_class.op_kind
        given = dict(values or {})
        chosen = _TypeChooser(self, kind).complete(types or {}, given)
        arguments: dict[str, Any] = {
            f.python_name: self._attribute(f, attributes or {}) for f in kind.attributes
        }
        for operand in kind.operands:
            arguments[operand.python_name] = self._operand(operand, chosen[operand.name], given)
        for region in kind.regions:
            arguments[region.python_name] = (regions or {}).get(region.name, () if region.variadic else None)
        for successor in kind.successors:
            arguments[successor.python_name] = (successors or {}).get(successor.name, ())
        groups = [chosen[result.name] for result in kind.results]
        flat = groups if kind.segmented_results else [type for group in groups for type in group]
        return self.create(op_class, **arguments, result_types=flat)

    def create(self, op_class: Callable[..., _Op], *arguments: Any, **named: Any) -> _Op:
        """Make an operation by calling `op_class` with the arguments, without drawing, add it at the end of
        the block, and return it.
        """
        return self.add(op_class(*arguments, **named))

    def add(self, op: _Op) -> _Op:
        """Append an operation to the block, and return it."""
        self.block.append(op)
        return op

    def _attribute(self, field: AttributeField, given: Mapping[str, Any]) -> Any:
        if field.name in given:
            return given[field.name]
        if not self.has(field.since) or (field.optional and self.boolean()):
            return None
        if field.default is None and self.boolean():
            return None
        return draw_attribute(self, field.kind)

    def _operand(self, field: OperandField, types: Sequence[Type], given: Mapping[str, Any]) -> Any:
        if field.name in given:
            return given[field.name]
        values = [self.value(type) for type in types]
        if field.arity is Arity.VARIADIC:
            return values
        return values[0] if values else None


class _TypeChooser:
    """Chooses the types of one operation, field by field, by the relations in the declaration."""

    def __init__(self, scene: Scene, kind: OperationKind) -> None:
        self.scene = scene
        self.fields: list[ValueField] = [*kind.operands, *kind.results]
        self.relations = relations(kind)
        self.types: dict[str, list[Type]] = {}
        self.shapes: dict[str, Shape] = {}
        self.ranks: dict[str, Shape] = {}
        self.elements: dict[str, Type] = {}
        self.chosen: dict[str, list[Type]] = {}

    def complete(
        self, types: Mapping[str, Type | Sequence[Type]], values: Mapping[str, Any]
    ) -> dict[str, list[Type]]:
        for field in self.fields:
            if field.name in values:
                self._fix(field, [value.type for value in _as_list(values[field.name])])
            elif field.name in types:
                self._fix(field, _as_list(types[field.name]))
        for field in self.fields:
            if field.name not in self.chosen:
                self._fix(field, self._draw(field))
        return self.chosen

    def _fix(self, field: ValueField, types: list[Type]) -> None:
        name, groups = field.name, self.relations
        self.chosen[name] = types
        self.types.setdefault(groups.type[name], types)
        if not types:
            return
        shape, element = getattr(types[0], "shape", None), getattr(types[0], "element_type", None)
        if shape is not None:
            self.shapes.setdefault(groups.shape[name], shape)
            self.ranks.setdefault(groups.rank[name], shape)
        if element is not None:
            self.elements.setdefault(groups.element[name], element)

    def _draw(self, field: ValueField) -> list[Type]:
        known = self.types.get(self.relations.type[field.name])
        if known is not None and (field.arity is Arity.ONE or self._is_shared_group(field)):
            return known[:1] if field.arity is Arity.ONE else known
        if field.arity is Arity.ONE:
            return [self._one(field)]
        if not self.scene.has(field.since):
            return []
        count = self.scene.integer(0, 1 if field.arity is Arity.OPTIONAL else MAXIMUM_VARIADIC)
        return [self._one(field) for _ in range(count)]

    def _is_shared_group(self, field: ValueField) -> bool:
        """Return whether a variadic field shares its list of types with another variadic one."""
        group = self.relations.type[field.name]
        return any(
            other is not field and other.arity is Arity.VARIADIC and self.relations.type[other.name] == group
            for other in self.fields
        )

    def _one(self, field: ValueField) -> Type:
        """Return a type for the field. Fields that must have the same rank get the same shape."""
        groups, name = self.relations, field.name
        known = self.types.get(groups.type[name])
        if known:
            return known[0]
        shape = self.shapes.get(groups.shape[name], self.ranks.get(groups.rank[name]))
        return self.scene.type_for(field.constraint, shape, self.elements.get(groups.element[name]))


def _as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]  # pyright: ignore[reportUnknownArgumentType]
