"""Modules of standard dialects in which a random instance of one operation is generated, from a seed or by
hypothesis.

Every operation stands in a module of its own. Where an operation needs nothing else, it stands in a function
that takes the values it uses; samplers of operations that need a pattern or a loop around them make that
first.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from tilewright.dialects.builtin.dialect import ModuleOp
from tilewright.dialects.func.ops import FuncOp, ReturnOp
from tilewright.ir import builtin_types, context as ir_context, verifier
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.declaration.fields import Arity
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.pdl.dialects.pdl import types as pdl_types
from tilewright.testing.drawing import RandomChoices
from tilewright.testing.generic import CANDIDATES, GenericScene
from tilewright.testing.scene import Unsupported

# The builders are called with values drawn at run time.
_FuncOp: Any = FuncOp
_ReturnOp: Any = ReturnOp
_ModuleOp: Any = ModuleOp

_Op = TypeVar("_Op", bound=Operation)

PDL_HANDLES: tuple[Type, ...] = (
    pdl_types.AttributeType(),
    pdl_types.OperationType(),
    pdl_types.TypeType(),
    pdl_types.ValueType(),
)
STANDARD_CANDIDATES: tuple[Type, ...] = (
    *CANDIDATES,
    builtin_types.IntegerType(4),
    builtin_types.FloatType("f8E4M3FN"),
    *(
        builtin_types.VectorType((4,), element)
        for element in (builtin_types.i8, builtin_types.i16, builtin_types.bf16, builtin_types.IndexType())
    ),
    *(
        builtin_types.VectorType((2, 4), element, (False, True))
        for element in (builtin_types.i32, builtin_types.i8, builtin_types.f32)
    ),
    *(builtin_types.UnrankedTensorType(element) for element in (builtin_types.i64, builtin_types.f32)),
    *PDL_HANDLES,
    *map(pdl_types.RangeType, PDL_HANDLES),
)
"""Types that the constraints of the standard dialects are tried with."""

ATTEMPTS = 200
"""The maximum number of attempts to draw an instance that breaks no rule."""
_CONTEXT = ir_context.Context(allow_unregistered=True)


class StandardScene(GenericScene):
    """A module under construction; values come from earlier operations or become arguments of the function."""

    def __init__(self, drawing: RandomChoices, candidates: Sequence[Type] = STANDARD_CANDIDATES) -> None:
        self.source = Block()
        super().__init__(drawing, self.source, candidates)
        self.module = _ModuleOp(bodyRegion=Region([Block()]))
        self.visible: list[Value] = []
        self.depth = 0
        self._symbols = 0
        self._body = Region([self.source])

    @staticmethod
    def unregistered(name: str, *arguments: Any, **named: Any) -> Operation:
        """Return a new operation called `name` of an unknown dialect, in no block; the other arguments are
        for `Operation.from_parts`.
        """
        return Operation.from_parts(_CONTEXT.unregistered_kind(name), *arguments, **named)

    def finish(self) -> ModuleOp:
        """Return the module, complete; the function is left out if there is nothing in it."""
        first = self._body.blocks[0]
        if first.last is None:
            return self.module
        if not first.last.kind.is_terminator:
            first.append(_ReturnOp([]))
        type = builtin_types.FunctionType(tuple(argument.type for argument in first.arguments), ())
        self.module.bodyRegion.blocks[0].append(_FuncOp("function", type, body=self._body))
        return self.module

    def add(self, op: _Op) -> _Op:
        super().add(op)
        self.visible.extend(op.results)
        return op

    def value(self, type: Type) -> Value:
        known = [value for value in self.visible if value.type is type]
        if known and self.boolean():
            return self.choose(known)
        argument = self.source.add_argument(type)
        self.visible.insert(0, argument)
        return argument

    def values(self, low: int = 0, high: int = 2) -> list[Value]:
        """Draw between `low` and `high` values of any types."""
        return [self.value(self.choose(self.candidates)) for _ in range(self.integer(low, high))]

    def types(self, low: int = 0, high: int = 2) -> list[Type]:
        """Draw between `low` and `high` types."""
        return [self.choose(self.candidates) for _ in range(self.integer(low, high))]

    def symbol(self) -> str:
        """Return a symbol name that is not taken."""
        self._symbols += 1
        return f"symbol{self._symbols}"

    @contextmanager
    def inside(self, block: Block, *, isolated: bool = False) -> Generator[Block, None, None]:
        """Within the ``with`` block, add operations to `block`, where values from outside are visible too.
        With ``isolated`` they are not, and a value that cannot be made becomes a new argument of this block.
        """
        outer = self.block, self.source, self.visible
        self.block = block
        self.visible = [*block.arguments] if isolated else [*self.visible, *block.arguments]
        if isolated:
            self.source = block
        self.depth += 1
        yield block
        self.depth -= 1
        new = [a for a in self.source.arguments if a not in outer[2]] if not isolated else []
        self.block, self.source, self.visible = outer
        self.visible[:0] = new

    def at_module_level(self) -> Any:
        """Within the ``with`` block, add operations directly to the module."""
        return self.inside(self.module.bodyRegion.blocks[0], isolated=True)

    def region(self, types: Sequence[Type], end: Callable[[Block], Any]) -> Region:
        """Return a region of one block with arguments of ``types`` and some random operations; ``end`` adds
        the terminator.
        """
        block = Block(types)
        with self.inside(block):
            self.use()
            end(block)
        return Region([block])

    def use(self) -> None:
        """Sometimes add an operation of an unknown dialect that uses and defines values."""
        if self.boolean():
            self.add(self.unregistered("test.use", self.values(), self.types()))

    def target(self, types: Sequence[Type] = ()) -> Block:
        """Return a new block of the current region that takes ``types``, and ends with an operation of an
        unknown dialect.

        Raises `Unsupported` if the current block is in no region.
        """
        region = self.block.parent
        if region is None:
            raise Unsupported("the current block is in no region")
        block = Block(types)
        region.append(block)
        block.append(self.unregistered("test.end"))
        return block


Sampler = Callable[[StandardScene], Any]
"""A function that adds one valid instance of an operation at the insertion point."""


def declared(
    scene: StandardScene, op_class: type[Operation], fixed: Mapping[str, Mapping[str, Any]] | None = None
) -> Operation:
    """Add an instance that is drawn from the declaration, and return it; ``fixed`` has the fields that are
    not drawn, by the names of the parameters of `Scene.build`.

    Result types are inferred if the class can; successors are new blocks. Raises `Unsupported` for a class
    with regions unless ``fixed`` has them.
    """
    kind = op_class.op_kind
    fixed = dict(fixed or {})
    if kind.regions and "regions" not in fixed:
        raise Unsupported(f"'{kind.name}' has regions")
    fixed.setdefault("successors", {})
    successors = {f.name: scene.target() for f in kind.successors if f.arity is Arity.ONE}
    return _with_inferred_results(
        scene.build(op_class, **{**fixed, "successors": {**successors, **fixed["successors"]}})
    )


def _with_inferred_results(op: _Op) -> _Op:
    try:
        types = list(type(op).infer_result_types(op.operands, op.attributes, op.regions))
    except (ValueError, IndexError):
        return op
    for result, inferred in zip(op.results, types, strict=False):
        result.type = inferred
    return op


def draw_module(
    drawing: RandomChoices, op_class: type[Operation], sampler: Sampler | None, candidates: Sequence[Type]
) -> ModuleOp:
    """Return a valid module with an instance of an operation class.

    Without a sampler the instance is drawn from the declaration until all rules hold; raises `Unsupported` if that
    does not come about.
    """
    if sampler is not None:
        scene = StandardScene(drawing, candidates)
        sampler(scene)
        return scene.finish()
    reason = ""
    for _ in range(ATTEMPTS):
        scene = StandardScene(drawing, candidates)
        try:
            declared(scene, op_class)
        except Unsupported as error:
            reason = str(error)
            continue
        errors = verifier.verify(scene.finish())
        if not errors:
            return scene.module
        reason = errors[0].message
    raise Unsupported(f"the declaration of '{op_class.op_kind.name}' gives no valid instance: {reason}")
