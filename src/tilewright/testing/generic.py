"""Hypothesis strategies for the operations of any dialect, derived from their declarations alone.

Operands are block arguments of an unregistered wrapper operation, so nothing is needed but the declaration.
Generated operations may break rules that constraints and traits do not state; a dialect with such rules gives
its operations samplers of their own, as ``cuda_tile`` does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from hypothesis import strategies as st

from tilewright.ir import block as ir_block, builtin_types, context as ir_context
from tilewright.ir.attribute import Type
from tilewright.ir.declaration import constraint as declaration_constraint, kind as declaration_kind
from tilewright.ir.declaration.traits import HasParent, ImplicitTerminator, NoTerminator
from tilewright.ir.dialect import Dialect
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.testing.drawing import Draw, HypothesisDrawing, RandomChoices
from tilewright.testing.scene import Scene, Shape, TypeSampler, Unsupported

SCALARS: tuple[Type, ...] = (
    builtin_types.i32,
    builtin_types.i1,
    builtin_types.i8,
    builtin_types.i16,
    builtin_types.i64,
    builtin_types.IndexType(),
    builtin_types.f32,
    builtin_types.f16,
    builtin_types.bf16,
    builtin_types.f64,
)
WRAPPER = "test.wrapper"


def _shaped(element: Type) -> list[Type]:
    return [
        builtin_types.VectorType((4,), element),
        builtin_types.VectorType((2, 8), element),
        builtin_types.RankedTensorType((2, builtin_types.DYNAMIC), element),
        builtin_types.RankedTensorType((), element),
        builtin_types.MemRefType((4, 8), element),
        builtin_types.MemRefType((builtin_types.DYNAMIC,), element),
    ]


CANDIDATES: tuple[Type, ...] = (
    *SCALARS,
    *(
        type
        for element in (
            builtin_types.f32,
            builtin_types.i32,
            builtin_types.i1,
            builtin_types.f64,
            builtin_types.i64,
            builtin_types.f16,
        )
        for type in _shaped(element)
    ),
    *_shaped(builtin_types.IndexType())[2:],
    builtin_types.FunctionType((builtin_types.i32,), (builtin_types.f32,)),
)
"""Types that are tried for a constraint that does not name types."""


class GenericScene(Scene):
    """A scene whose values are block arguments; ``candidates`` are the types to try for constraints that do
    not name types.
    """

    def __init__(
        self, drawing: RandomChoices, block: ir_block.Block, candidates: Sequence[Type], version: Any = None
    ) -> None:
        super().__init__(drawing, block, version)
        self.candidates = tuple(candidates)

    def value(self, type: Type) -> Value:
        known = [argument for argument in self.block.arguments if argument.type is type]
        if known and self.boolean():
            return self.choose(known)
        return self.block.add_argument(type)

    def matching(
        self, constraint: declaration_constraint.Constraint, shape: Shape | None, element: Type | None
    ) -> Type:
        """Return a candidate that satisfies a constraint and has the shape `shape` and the element type
        `element`; None leaves them open. Raises `Unsupported` if there is none.
        """
        options = [
            type for type in self.candidates if constraint.matches(type) and _fits(type, shape, element)
        ]
        if not options:
            raise Unsupported(f"no candidate type satisfies the constraint '{constraint.description}'")
        return self.choose(options)

    type_samplers: ClassVar[Mapping[type[declaration_constraint.Constraint], TypeSampler]] = {}


def _fits(type: Type, shape: Shape | None, element: Type | None) -> bool:
    if not isinstance(type, builtin_types.ShapedType):
        return (shape is None or shape == ()) and (element is None or type is element)
    shaped: Any = type
    extents = getattr(shaped, "shape", None)
    return (shape is None or extents == shape) and (element is None or shaped.element_type is element)


def _one_of(
    scene: GenericScene, constraint: declaration_constraint.OneOf, shape: Shape | None, element: Type | None
) -> Type:
    fitting = [type for type in constraint.types if _fits(type, shape, element)]
    return scene.choose(fitting or constraint.types)


def _either(
    scene: GenericScene, constraint: declaration_constraint.Either, shape: Shape | None, element: Type | None
) -> Type:
    options = list(constraint.choices)
    while options:
        choice = scene.choose(options)
        try:
            return scene.type_for(choice, shape, element)
        except Unsupported:
            options.remove(choice)
    raise Unsupported(f"no candidate type satisfies the constraint '{constraint.description}'")


def _candidate(
    scene: GenericScene,
    constraint: declaration_constraint.Constraint,
    shape: Shape | None,
    element: Type | None,
) -> Type:
    return scene.matching(constraint, shape, element)


GenericScene.type_samplers = {
    declaration_constraint.OneOf: _one_of,
    declaration_constraint.Either: _either,
    declaration_constraint.AnyTypeConstraint: _candidate,
    declaration_constraint.IsClass: _candidate,
    declaration_constraint.Satisfies: _candidate,
    declaration_constraint.Constraint: _candidate,
}

RegionMaker = Callable[[GenericScene, declaration_kind.OperationKind], Mapping[str, ir_block.Region]]


def operations_of(
    kind: declaration_kind.OperationKind,
    *,
    candidates: Sequence[Type] = CANDIDATES,
    version: Any = None,
    context: ir_context.Context | None = None,
) -> st.SearchStrategy[Operation]:
    """Return a strategy for instances of a kind, each inside a wrapper operation whose block arguments are
    the operands. ``candidates`` are the types to try for constraints that do not name types, ``version``
    leaves out fields of later versions (None: none), and ``context`` supplies implicit terminators of
    regions. Raises `Unsupported` for a kind with successors, a required parent, or regions whose terminator
    the declaration does not name. Drawing raises `Unsupported` if no candidate satisfies a constraint, or if
    ``context`` does not have an implicit terminator.
    """
    _check(kind)
    regions = _regions(context)

    @st.composite
    def instances(draw: Draw) -> Operation:
        block = ir_block.Block()
        Operation.from_parts(_unregistered(context, WRAPPER), regions=[ir_block.Region([block])])
        scene = GenericScene(HypothesisDrawing(draw), block, candidates, version)
        return scene.build(kind.op_class, regions=regions(scene, kind))

    return instances()


def operations_of_dialect(dialect: Dialect, **options: Any) -> st.SearchStrategy[Operation]:
    """Return a strategy for instances of all kinds of a dialect that `operations_of` can make, each in a
    wrapper operation; ``options`` are options of `operations_of`.
    """
    strategies: list[st.SearchStrategy[Operation]] = []
    for op_class in dialect.operations:
        if unsupported_reason(op_class.op_kind) is None:
            strategies.append(operations_of(op_class.op_kind, **options))
    return st.one_of(strategies)


def unsupported_reason(kind: declaration_kind.OperationKind) -> str | None:
    """Return why `operations_of` does not support a kind, as a predicate such as "has successors"; None if it
    does.
    """
    if kind.successors:
        return "has successors"
    if kind.has_trait(HasParent):
        return "stands inside particular operations only"
    if kind.regions and not kind.has_trait(NoTerminator) and not kind.has_trait(ImplicitTerminator):
        return "has regions that end in an operation the declaration does not name"
    return None


def _check(kind: declaration_kind.OperationKind) -> None:
    reason = unsupported_reason(kind)
    if reason is not None:
        raise Unsupported(f"'{kind.name}' {reason}")


def _regions(context: ir_context.Context | None) -> RegionMaker:
    def make(scene: GenericScene, kind: declaration_kind.OperationKind) -> Mapping[str, ir_block.Region]:
        return {field.name: _region(context, kind) for field in kind.regions if not field.variadic}

    return make


def _region(context: ir_context.Context | None, kind: declaration_kind.OperationKind) -> ir_block.Region:
    block = ir_block.Block()
    implicit = kind.trait(ImplicitTerminator)
    if implicit is not None:
        terminator = context.kind(implicit.name) if context is not None else None
        if terminator is None:
            raise Unsupported(f"'{kind.name}' needs a context with its terminator '{implicit.name}'")
        block.append(Operation.from_parts(terminator))
    return ir_block.Region([block])


_WRAPPERS = ir_context.Context(allow_unregistered=True)


def _unregistered(context: ir_context.Context | None, name: str) -> declaration_kind.OperationKind:
    return (context or _WRAPPERS).unregistered_kind(name)
