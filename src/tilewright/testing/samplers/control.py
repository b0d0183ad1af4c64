"""Samplers of operations with regions and of their terminators: control flow, reductions, kernels, globals.

Every loop ends after a few iterations. `statement` is the source of random operations inside bodies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile import enums as cuda_tile_enums, version as cuda_tile_version
from tilewright.dialects.cuda_tile.attributes import BoundedAttr, DivByAttr, SameElementsAttr
from tilewright.dialects.cuda_tile.ops import control, integer as integers, tile as tile_ops
from tilewright.dialects.cuda_tile.ops.memory import LoadPtrTkoOp
from tilewright.dialects.cuda_tile.types import (
    FLOATS,
    INTEGERS,
    TOKEN,
    PointerType,
    TileType,
)
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import (
    ArrayAttr,
    DenseElementsAttr,
    DictionaryAttr,
    StringAttr,
    dense,
)
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.testing import tile_types
from tilewright.testing.attributes import STRINGS, draw_elements, draw_integer
from tilewright.testing.samplers import arithmetic, memory
from tilewright.testing.tile_scene import TileScene, construct

MAXIMUM_DEPTH = 2
BOOLEAN = TileType((), builtin_types.i1)
COUNTER = TileType((), builtin_types.i32)


def statement(scene: TileScene) -> None:
    """Add one random operation that is valid at the end of the current block."""
    from tilewright.testing.samplers.table import body_operations, sample

    sample(scene, scene.choose(body_operations(scene)))


def _statements(scene: TileScene, most: int = 2) -> None:
    if scene.depth <= MAXIMUM_DEPTH:
        for _ in range(scene.integer(0, most)):
            statement(scene)


def _carried(scene: TileScene) -> list[Type]:
    """Draw the types of the values that a loop carries; tiles of pointers are more frequent than elsewhere."""
    return [
        TileType(tile_types.draw_shape(scene), tile_types.draw_pointer(scene))
        if scene.drawing.chance(4)
        else tile_types.draw_carried(scene)
        for _ in range(scene.integer(0, 2))
    ]


def _handed_on(scene: TileScene, arguments: Sequence[Value]) -> list[Value]:
    """Return a value for each iteration argument of the next iteration: the present one plus a number, or any
    other value of its type.
    """
    return [
        _advanced(scene, value) if scene.drawing.chance(3) else scene.value(value.type) for value in arguments
    ]


def _load_through(scene: TileScene, pointers: Sequence[Value]) -> None:
    """Add loads through some of `pointers` that are tiles of pointers; none in the body of a `reduce` or
    `scan`.
    """
    if scene.pure:
        return
    for value in pointers:
        pointee = _pointee(value.type)
        if pointee is not None and pointee is not builtin_types.f4E2M1FN and scene.boolean():
            loaded = [TileType(_shape(value.type), pointee), TOKEN]
            scene.create(
                LoadPtrTkoOp, cuda_tile_enums.MemoryOrderingSemantics.WEAK, source=value, result_types=loaded
            )


def _pointee(kind: Type) -> Type | None:
    """Return the pointee of the pointers in the tile type `kind`; None for every other type."""
    element = kind.element_type if isinstance(kind, TileType) else None
    return element.pointee if isinstance(element, PointerType) else None


def _shape(kind: Type) -> tuple[int, ...]:
    return kind.shape if isinstance(kind, TileType) else ()


def _advanced(scene: TileScene, value: Value) -> Value:
    """Return a tile of integers or pointers plus a random number, the same for all elements or one for each;
    for another type any value of this type.
    """
    kind, pointee = value.type, _pointee(value.type)
    if pointee is not None:
        width = 2 if pointee is builtin_types.f4E2M1FN else 1
        steps = TileType(_shape(kind), scene.choose((builtin_types.i32, builtin_types.i64, builtin_types.i8)))
        numbers = [width * scene.integer(0, 2) for _ in range(steps.element_count if scene.boolean() else 1)]
        return scene.create(tile_ops.OffsetOp, value, scene.constant(steps, dense(steps, numbers))).result
    if isinstance(kind, TileType) and isinstance(kind.element_type, builtin_types.IntegerType):
        return scene.create(integers.AddIOp, value, scene.value(kind)).result
    return scene.value(kind)


def _values(scene: TileScene, types: Sequence[Type]) -> list[Value]:
    return [scene.value(type) for type in types]


# loops ------------------------------------------------------------------------------------------------------------


def count(scene: TileScene) -> control.ForOp:
    """Add a `for` with at most three iterations, and return it; sometimes a branch continues early."""
    element = scene.choose(INTEGERS if scene.has(cuda_tile_version.V13_2) else INTEGERS[1:])
    unsigned = element is builtin_types.i1 or (scene.has(cuda_tile_version.V13_2) and scene.boolean())
    lower, iterations = scene.integer(0, 1), scene.integer(0, 3)
    step = scene.integer(1, 1 if element is builtin_types.i1 else 2)
    upper = min(lower + iterations * step, 1 if element is builtin_types.i1 else 100)
    bounds = {
        name: scene.scalar(element, value, value)
        for name, value in (("lower_bound", lower), ("upper_bound", upper), ("step", step))
    }
    types = _carried(scene)
    initial = _values(scene, types)
    returnable, scene.returnable = scene.returnable, False
    with scene.nested([TileType((), element), *types]) as block:
        _load_through(scene, block.arguments)
        _statements(scene)
        if scene.drawing.chance(4):
            _early_continue(scene, types)
        scene.create(control.ContinueOp, _handed_on(scene, block.arguments[1:]))
    scene.returnable = returnable
    made = scene.build(
        control.ForOp,
        {"result_values": types},
        {**bounds, "init_values": initial},
        {"unsigned_cmp": unsigned},
        {"body": Region([block])},
    )
    _load_through(scene, made.results)
    return made


def _early_continue(scene: TileScene, types: Sequence[Type]) -> control.ContinueOp:
    """Add a branch ``if c { continue } else { yield }`` with drawn values, and return its `continue`, which
    passes values of `types`.
    """
    condition = scene.value(BOOLEAN)
    with scene.nested() as then:
        leaving = scene.create(control.ContinueOp, _values(scene, types))
    _branch(scene, condition, then, _yielding(scene, ()))
    return leaving


def _yielding(scene: TileScene, types: Sequence[Type]) -> Block:
    with scene.nested() as block:
        _statements(scene)
        scene.create(control.YieldOp, _values(scene, types))
    return block


def _branch(
    scene: TileScene, condition: Value, then: Block, other: Block | None, types: Sequence[Type] = ()
) -> control.IfOp:
    return scene.build(
        control.IfOp,
        {"results": list(types)},
        {"condition": condition},
        regions={"then_region": Region([then]), "else_region": Region([other] if other is not None else [])},
    )


def repeat(scene: TileScene) -> control.LoopOp:
    """Add a `loop` that ends at once, after a counted number of iterations, or by returning from the kernel;
    return it.
    """
    ways = (_loop_once, _loop_counted, _loop_returning)
    return scene.choose(ways if scene.returnable else ways[:2])(scene)


def _loop(
    scene: TileScene, block: Block, initial: Sequence[Value], results: Sequence[Type]
) -> control.LoopOp:
    return scene.build(
        control.LoopOp,
        {"result_values": list(results)},
        {"init_values": initial},
        regions={"body": Region([block])},
    )


def _loop_once(scene: TileScene) -> control.LoopOp:
    types, results = _carried(scene), _carried(scene)
    initial = _values(scene, types)
    with scene.nested(types) as block:
        _statements(scene)
        scene.create(control.BreakOp, _values(scene, results))
    return _loop(scene, block, initial, results)


def _loop_counted(scene: TileScene) -> control.LoopOp:
    types, results = [COUNTER, *_carried(scene)], _carried(scene)
    initial = [scene.scalar(builtin_types.i32, 0, 1), *_values(scene, types[1:])]
    with scene.nested(types) as block:
        _load_through(scene, block.arguments)
        _statements(scene)
        following = scene.create(
            integers.AddIOp, block.arguments[0], scene.scalar(builtin_types.i32, 1, 1)
        ).result
        again = scene.create(
            integers.CmpIOp,
            cuda_tile_enums.ComparisonPredicate.LESS_THAN,
            following,
            scene.scalar(builtin_types.i32, 2, 3),
            cuda_tile_enums.Signedness.SIGNED,
            result_types=[BOOLEAN],
        ).result
        with scene.nested() as then:
            scene.create(control.ContinueOp, [following, *_handed_on(scene, block.arguments[1:])])
        with scene.nested() as other:
            scene.create(control.BreakOp, _values(scene, results))
        _branch(scene, again, then, other)
        scene.create(control.ContinueOp, [following, *_values(scene, types[1:])])
    return _loop(scene, block, initial, results)


def _loop_returning(scene: TileScene) -> control.LoopOp:
    with scene.nested() as block:
        _statements(scene)
        scene.create(control.ReturnOp)
    return _loop(scene, block, (), ())


def choose_branch(scene: TileScene) -> control.IfOp:
    """Add an `if` with or without results and an else branch, and return it; sometimes a branch returns."""
    types = _carried(scene)
    condition = scene.value(BOOLEAN)
    then = _yielding(scene, types)
    if types or scene.boolean():
        returns = scene.returnable and scene.drawing.chance(6)
        other = _returning(scene) if returns else _yielding(scene, types)
    else:
        other = None
    made = _branch(scene, condition, then, other, types)
    _load_through(scene, made.results)
    return made


def _returning(scene: TileScene) -> Block:
    with scene.nested() as block:
        scene.create(control.ReturnOp)
    return block


# terminators ------------------------------------------------------------------------------------------------------


def yielded(scene: TileScene) -> Operation:
    """Add an `if`, a `reduce` or a `scan`, and return the `yield` at the end of its first region."""
    from tilewright.testing.samplers.fold import reduce, scan

    outer = scene.choose((choose_branch, reduce, scan))(scene)
    terminator = outer.regions[0].block.last
    assert terminator is not None
    return terminator


def continued(scene: TileScene) -> Operation:
    """Add a `for`, and return a `continue` in it: at the end of the iteration, or early in a branch."""
    types = _carried(scene)
    if scene.boolean():
        terminator = count(scene).body.block.last
        assert terminator is not None
        return terminator
    with scene.nested([COUNTER, *types]) as block:
        leaving = _early_continue(scene, types)
        scene.create(control.ContinueOp, _values(scene, types))
    one = scene.scalar(builtin_types.i32, 1, 1)
    values = {"lower_bound": one, "upper_bound": one, "step": one, "init_values": _values(scene, types)}
    scene.build(control.ForOp, {"result_values": types}, values, regions={"body": Region([block])})
    return leaving


def broken(scene: TileScene) -> Operation:
    """Add a `loop`, and return the `break` in it, which is directly in the loop or in a branch."""
    loop = scene.choose((_loop_once, _loop_counted))(scene)
    return next(op for op in loop.walk() if isinstance(op, control.BreakOp) and _loop_of(op) is loop)


def _loop_of(op: Operation) -> Operation | None:
    return next((outer for outer in op.ancestors() if isinstance(outer, control.LoopOp)), None)


def returned(scene: TileScene) -> Operation:
    """Add a `return` at the end of the kernel, or inside of a new branch or loop, and return it."""
    place = scene.integer(0, 2)
    if place == 0:
        return scene.create(control.ReturnOp)
    if place == 1:
        terminator = _loop_returning(scene).body.block.last
    else:
        branch = _branch(scene, scene.value(BOOLEAN), _returning(scene), None)
        terminator = branch.then_region.block.last
    assert terminator is not None
    return terminator


# kernels and globals ----------------------------------------------------------------------------------------------


def module(scene: TileScene) -> Operation:
    """Give the scene's module a drawn name, a producer at random, and up to two globals; return the module."""
    scene.module.sym_name = scene.choose(("kernels", "m", "needs quotes"))
    if scene.has(cuda_tile_version.V13_3) and scene.boolean():
        scene.module.producer = scene.choose(STRINGS)
    for _ in range(scene.integer(0, 2)):
        define_global(scene)
    return scene.module


def entry(scene: TileScene) -> Operation:
    """Complete the scene's entry: draw its name, up to three more values of rank 0 (from the pool, or new
    parameters or constants), attributes of parameters, and hints; return the entry.
    """
    for _ in range(scene.integer(0, 3)):
        scene.value(_parameter_type(scene))
    kernel = scene.entry
    kernel.sym_name = scene.choose(("{}", "naïve kernel {}", "_{}$1")).format(kernel.sym_name)
    drawn = memory.hints(scene, memory.ENTRY_HINTS)
    kernel.optimization_hints = drawn if drawn is not None and drawn.hints.entries else None
    if scene.has(cuda_tile_version.V13_5) and scene.boolean():
        attributes = (DictionaryAttr(()), DictionaryAttr((("test.note", StringAttr("x")),)))
        names = [scene.choose(attributes) for _ in scene.entry_block.arguments]
        kernel.attributes["arg_attrs"] = ArrayAttr(tuple(names))
    return kernel


def _parameter_type(scene: TileScene) -> TileType:
    known = tile_types.available((*INTEGERS, *FLOATS), scene.version)
    element = scene.choose([element for element in known if element is not builtin_types.f4E2M1FN])
    return TileType((), PointerType(element) if scene.boolean() else element)


def define_global(scene: TileScene) -> control.GlobalOp:
    """Add a global at the start of the scene's module, rank-1 data of any element type, and return it."""
    element = scene.choose(tile_types.available((*INTEGERS, *FLOATS), scene.version))
    shape = tile_types.draw_shape(scene, 1, even=element is builtin_types.f4E2M1FN)
    number = sum(isinstance(op, control.GlobalOp) for op in scene.module_block)
    modern = scene.has(cuda_tile_version.V13_3)
    name = scene.choose((f"g{number}", f"needs quotes {number}"))
    variable = construct(
        control.GlobalOp,
        sym_name=name,
        value=draw_elements(scene, TileType(shape, element)),
        alignment=scene.choose((0, 16, 128)),
        constant=modern and scene.boolean(),
        symbol_visibility=scene.choose(tuple(cuda_tile_enums.SymbolVisibility))
        if modern
        else cuda_tile_enums.SymbolVisibility.PUBLIC,
    )
    scene.module_block.prepend(variable)
    return variable


def address_of_global(scene: TileScene) -> Operation:
    """Add a `get_global` of a global in the same module, which may be a new one, and return it."""
    known = [op for op in scene.module_block if isinstance(op, control.GlobalOp)]
    variable = scene.choose(known) if known and scene.boolean() else define_global(scene)
    result = TileType((), PointerType(variable.value.element_type))
    name = {"global_name": variable.sym_name}
    return scene.build(control.GetGlobalOp, {"result": result}, attributes=name)


# assertions, promises, printing -----------------------------------------------------------------------------------


def assume(scene: TileScene) -> Operation:
    """Add an assumption about numbers, pointers or tensor views, which is true, and return it."""
    return scene.choose((_bounded, _divisible, _same_elements, _aligned))(scene)


def _assume(scene: TileScene, predicate: Attribute, value: Value) -> Operation:
    return scene.build(control.AssumeOp, values={"value": value}, attributes={"predicate": predicate})


def _bounded(scene: TileScene) -> Operation:
    element: Any = scene.choose(INTEGERS[1:])
    drawn = sorted(draw_integer(scene, element.width) for _ in range(2))
    value = scene.integer(*drawn)
    tile = TileType(tile_types.draw_shape(scene), element)
    lower, upper = (None if scene.drawing.chance(3) else bound for bound in drawn)
    return _assume(scene, BoundedAttr(lower, upper), scene.constant(tile, dense(tile, [value])))


def _divisible(scene: TileScene) -> Operation:
    """Add a true `div_by` assumption, about a tile of zeros or about groups of elements that count up from
    zero, and return it.
    """
    tile = tile_types.draw_tile(scene, INTEGERS[1:])
    divisor = 1 << scene.integer(0, 62)
    if not tile.shape or scene.boolean():
        return _assume(scene, DivByAttr(divisor), scene.constant(tile, dense(tile, [0])))
    along = scene.integer(0, len(tile.shape) - 1)
    every = scene.integer(1, tile.shape[along])
    inner = builtin_types.element_count(tile.shape[along + 1 :])
    numbers = [number // inner % tile.shape[along] % every for number in range(tile.element_count)]
    return _assume(scene, DivByAttr(divisor, every, along), scene.constant(tile, dense(tile, numbers)))


def _same_elements(scene: TileScene) -> Operation:
    tile = tile_types.draw_tile(scene, INTEGERS)
    runs = tuple(scene.integer(1, extent) for extent in tile.shape)
    return _assume(
        scene, SameElementsAttr(runs), scene.constant(tile, draw_elements(scene, tile, full=False))
    )


def _aligned(scene: TileScene) -> Operation:
    """Add the assumption that pointers or tensor views are divisible by 1, which is always true, and return
    it.
    """
    if scene.boolean():
        return _assume(scene, DivByAttr(1), scene.value(tile_types.draw_tensor_view(scene)))
    element = PointerType(scene.choose(INTEGERS))
    return _assume(scene, DivByAttr(1), scene.value(TileType(tile_types.draw_shape(scene), element)))


def print_tiles(scene: TileScene) -> Operation:
    """Add a print with one conversion per tile, among text and percent signs, and return it."""
    arguments = [tile_types.draw_tile(scene, (*INTEGERS, *FLOATS)) for _ in range(scene.integer(0, 2))]
    pieces = [_piece(scene, tile.element_type) for tile in arguments]
    text = (
        scene.choose(("", "100%% ", "x = ", "tab\tand ☃ "))
        + "".join(pieces)
        + scene.choose(("", "\n", " %%"))
    )
    values: dict[str, Any] = {}
    if not scene.has(cuda_tile_version.V13_2):
        values["token"] = None
    elif scene.boolean():
        values["token"] = scene.value(TOKEN)
    return scene.build(control.PrintTkoOp, {"args": arguments}, values, {"format": text})


def _piece(scene: TileScene, element: Type) -> str:
    if isinstance(element, builtin_types.FloatType):
        return scene.choose(("%f ", "%10.3f;", "%e,", "%g "))
    return scene.choose(("%d ", "%5i;", "%u,", "%x "))


def check(scene: TileScene) -> Operation:
    """Add an assertion that is true most of the time, so that kernels continue, and return it."""
    tile = tile_types.draw_tile(scene, (builtin_types.i1,))
    data: DenseElementsAttr | None = None if scene.drawing.chance(4) else dense(tile, [1])
    condition = scene.constant(tile, data)
    return scene.build(
        control.AssertOp, values={"condition": condition}, attributes={"message": scene.choose(STRINGS)}
    )


SAMPLERS: dict[type[Operation], arithmetic.Sampler] = {
    control.ModuleOp: module,
    control.EntryOp: entry,
    control.GlobalOp: define_global,
    control.GetGlobalOp: address_of_global,
    control.ForOp: count,
    control.LoopOp: repeat,
    control.IfOp: choose_branch,
    control.YieldOp: yielded,
    control.ContinueOp: continued,
    control.BreakOp: broken,
    control.ReturnOp: returned,
    control.AssertOp: check,
    control.AssumeOp: assume,
    control.PrintTkoOp: print_tiles,
}
"""The samplers of operations with rules that are not in their declarations."""
