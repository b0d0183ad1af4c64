"""Samplers of the operations of ``builtin``, ``func``, ``cf`` and ``scf`` that have regions, successors or symbols."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from tilewright.dialects.builtin.dialect import ModuleOp
from tilewright.dialects.cf.ops import BranchOp, CondBranchOp, SwitchOp
from tilewright.dialects.func.ops import CallIndirectOp, CallOp, ConstantOp, FuncOp, ReturnOp
from tilewright.dialects.scf import ops_loop as scf, ops_parallel as scf_parallel
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import UNIT, DictionaryAttr, dense
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.testing.drawing import Draw, HypothesisDrawing, SeededDrawing
from tilewright.testing.standard import pdl
from tilewright.testing.standard.scene import STANDARD_CANDIDATES, Sampler, StandardScene, draw_module

# The builders are called with values drawn at run time.
_FuncOp: Any = FuncOp
_ReturnOp: Any = ReturnOp
_BranchOp: Any = BranchOp

MAXIMUM_DEPTH = 3


def nested_module(scene: StandardScene) -> None:
    """Add a module, with a function in it, to the scene's module."""
    contents = Block()
    with scene.at_module_level():
        with scene.inside(contents):
            function(scene)
        scene.add(
            ModuleOp(
                sym_name=scene.choose((None, scene.symbol())),
                sym_visibility=scene.choose((None, "private", "nested", "public")),
                bodyRegion=Region([contents]),
                attributes={"test.note": UNIT} if scene.boolean() else {},
            )
        )


# functions --------------------------------------------------------------------------------------------------------


def function(scene: StandardScene) -> FuncOp:
    """Add a function, defined or only declared, and return it."""
    if scene.drawing.chance(4):
        return declaration(scene, scene.types(), scene.types())
    body = Block(scene.types())
    region = Region([body])
    with scene.inside(body, isolated=True):
        statements(scene)
        returned = scene.values()
        if scene.boolean():
            body = _continued(scene, region, [value.type for value in returned], returned)
            returned = list(body.arguments)
        scene.block = body
        scene.add(_ReturnOp(returned))
    inputs = tuple(argument.type for argument in region.blocks[0].arguments)
    return scene.add(
        _FuncOp(
            scene.symbol(),
            builtin_types.FunctionType(inputs, tuple(value.type for value in returned)),
            sym_visibility=scene.choose((None, "private", "nested", "public")),
            arg_attrs=_dictionaries(scene, len(inputs)),
            res_attrs=_dictionaries(scene, len(returned)),
            no_inline=scene.boolean(),
            body=region,
        )
    )


def _continued(scene: StandardScene, region: Region, types: Sequence[Type], values: Sequence[Value]) -> Block:
    """Add a second block with arguments of `types` to a region, and a branch to it with `values`; return the
    block.
    """
    block = Block(types)
    region.append(block)
    scene.add(_BranchOp(values, dest=block))
    return block


def _dictionaries(scene: StandardScene, count: int) -> list[DictionaryAttr] | None:
    """Draw attributes of arguments or results; None for no attributes at all, since custom forms do not
    distinguish empty ones.
    """
    noted = [scene.boolean() for _ in range(count)]
    if not any(noted):
        return None
    return [DictionaryAttr((("test.note", UNIT),) if note else ()) for note in noted]


def declaration(scene: StandardScene, inputs: Sequence[Type], results: Sequence[Type]) -> FuncOp:
    """Add a private function without a body, with a new name and parameters and results of these types, and
    return it.
    """
    type = builtin_types.FunctionType(tuple(inputs), tuple(results))
    return scene.add(_FuncOp(scene.symbol(), type, sym_visibility="private", body=Region()))


def module_function(scene: StandardScene) -> FuncOp:
    """Add a drawn function, defined or only declared, to the module, whatever the place of the scene, and
    return it.
    """
    with scene.at_module_level():
        return function(scene)


def _callee(scene: StandardScene) -> FuncOp:
    with scene.at_module_level():
        return declaration(scene, scene.types(), scene.types())


def call(scene: StandardScene) -> Operation:
    """Add a declaration of a function to the module, and a call of it; return the call."""
    callee = _callee(scene)
    signature = callee.function_type
    operands = [scene.value(type) for type in signature.inputs]
    return scene.create(
        CallOp,
        callee.sym_name,
        operands,
        arg_attrs=_dictionaries(scene, len(operands)),
        res_attrs=_dictionaries(scene, len(signature.results)),
        no_inline=scene.boolean(),
        result_types=signature.results,
    )


def call_indirect(scene: StandardScene) -> Operation:
    """Add an indirect call of a function that is a value, and return it."""
    signature = builtin_types.FunctionType(tuple(scene.types()), tuple(scene.types()))
    operands = [scene.value(type) for type in signature.inputs]
    return scene.create(CallIndirectOp, scene.value(signature), operands)


def function_constant(scene: StandardScene) -> Operation:
    """Add a declaration of a function to the module, and a `func.constant` that refers to it; return the
    constant.
    """
    callee = _callee(scene)
    return scene.create(ConstantOp, callee.sym_name, result_types=[callee.function_type])


# branches ---------------------------------------------------------------------------------------------------------


def _types(values: Sequence[Value]) -> list[Type]:
    return [value.type for value in values]


def branch(scene: StandardScene) -> Operation:
    """Add a `cf.br` to a new block with arguments, and return it."""
    values = scene.values()
    return scene.create(BranchOp, values, dest=scene.target(_types(values)))


def conditional_branch(scene: StandardScene) -> Operation:
    """Add a `cf.cond_br` to two new blocks, or twice to the same block, and return it."""
    first, second = scene.values(), scene.values()
    target = scene.target(_types(first))
    same = scene.drawing.chance(4)
    return scene.create(
        CondBranchOp,
        scene.value(builtin_types.i1),
        first,
        first if same else second,
        branch_weights=scene.choose((None, (1, 2), (0, 100))),
        trueDest=target,
        falseDest=target if same else scene.target(_types(second)),
    )


def switch(scene: StandardScene) -> Operation:
    """Add a `cf.switch` to new blocks, a default and up to three cases, and return it."""
    flag = scene.choose((builtin_types.i32, builtin_types.i8, builtin_types.i64, builtin_types.i1))
    groups = [scene.values() for _ in range(scene.integer(0, 3))]
    default = scene.values()
    numbers = list(range(-1, len(groups) - 1))
    values = dense(builtin_types.VectorType((len(groups),), flag), numbers) if groups else None
    return scene.create(
        SwitchOp,
        scene.value(flag),
        default,
        [value for group in groups for value in group],
        case_values=values,
        case_operand_segments=[len(group) for group in groups],
        defaultDestination=scene.target(_types(default)),
        caseDestinations=[scene.target(_types(group)) for group in groups],
    )


# structured control flow ------------------------------------------------------------------------------------------


def _yield(scene: StandardScene, types: Sequence[Type]) -> Operation:
    return scene.create(scf.YieldOp, [scene.value(type) for type in types])


def _yielding(scene: StandardScene, arguments: Sequence[Type], types: Sequence[Type]) -> Region:
    """Return a region with arguments of the types `arguments`, which has some random operations and yields
    values of ``types``.
    """

    def end(block: Block) -> None:
        statements(scene)
        _yield(scene, types)

    return scene.region(arguments, end)


def for_loop(scene: StandardScene) -> Operation:
    """Add an `scf.for` that carries up to two values, and return it."""
    counter = scene.choose(
        (builtin_types.IndexType(), builtin_types.i32, builtin_types.i64, builtin_types.i8)
    )
    bounds = [scene.value(counter) for _ in range(3)]
    inits = scene.values()
    body = _yielding(scene, [counter, *_types(inits)], _types(inits))
    return scene.create(scf.ForOp, *bounds, inits, unsignedCmp=scene.boolean(), region=body)


def if_then(scene: StandardScene) -> Operation:
    """Add an `scf.if`, with or without results, and with or without an else region; return it."""
    types = scene.types()
    then = _yielding(scene, (), types)
    otherwise = _yielding(scene, (), types) if types or scene.boolean() else Region()
    return scene.create(
        scf.IfOp, scene.value(builtin_types.i1), thenRegion=then, elseRegion=otherwise, result_types=types
    )


def while_loop(scene: StandardScene) -> Operation:
    """Add an `scf.while` whose condition passes on values of drawn types, independent of the types of its
    arguments; return it.
    """
    inits, passed = scene.values(), scene.types()

    def condition(block: Block) -> None:
        scene.create(scf.ConditionOp, scene.value(builtin_types.i1), [scene.value(type) for type in passed])

    before = scene.region(_types(inits), condition)
    after = _yielding(scene, passed, _types(inits))
    return scene.create(scf.WhileOp, inits, before=before, after=after, result_types=passed)


def execute_region(scene: StandardScene) -> Operation:
    """Add an `scf.execute_region` with a region of one block or two, and return it."""
    types, first = scene.types(), Block()
    region = Region([first])
    with scene.inside(first):
        statements(scene)
        if scene.boolean():
            scene.block = _continued(scene, region, (), ())
        _yield(scene, types)
    return scene.create(scf.ExecuteRegionOp, no_inline=scene.boolean(), region=region, result_types=types)


def index_switch(scene: StandardScene) -> Operation:
    """Add an `scf.index_switch` with a default region and up to four cases, and return it."""
    types = scene.types()
    cases = scene.drawing.subset((-1, 0, 1, 1 << 40))
    return scene.create(
        scf.IndexSwitchOp,
        scene.value(builtin_types.index),
        cases,
        defaultRegion=_yielding(scene, (), types),
        caseRegions=[_yielding(scene, (), types) for _ in cases],
        result_types=types,
    )


def parallel(scene: StandardScene) -> Operation:
    """Add an `scf.parallel` with one to three dimensions and up to two reductions, and return it."""
    rank, inits = scene.integer(1, 3), scene.values()
    bounds = [[scene.value(builtin_types.index) for _ in range(rank)] for _ in range(3)]

    def reduce(block: Block) -> None:
        values = [scene.value(type) for type in _types(inits)]
        reductions = [scene.region([v.type, v.type], _reduction(scene, v.type)) for v in values]
        scene.create(scf_parallel.ReduceOp, values, reductions=reductions)

    body = scene.region([builtin_types.index] * rank, reduce)
    return scene.create(scf_parallel.ParallelOp, *bounds, inits, region=body, result_types=_types(inits))


def _reduction(scene: StandardScene, type: Type) -> Any:
    return lambda block: scene.create(scf_parallel.ReduceReturnOp, scene.value(type))  # pyright: ignore


def forall(scene: StandardScene) -> Operation:
    """Add an `scf.forall`, whose bounds are constants or operands, and return it."""
    rank = scene.integer(1, 3)
    static: list[list[int]] = [
        [scene.choose((1, 4, builtin_types.DYNAMIC)) for _ in range(rank)] for _ in range(3)
    ]
    dynamic = [
        [scene.value(builtin_types.index) for bound in group if bound == builtin_types.DYNAMIC]
        for group in static
    ]
    shapes = (
        builtin_types.RankedTensorType((4,), builtin_types.f32),
        builtin_types.RankedTensorType((2, builtin_types.DYNAMIC), builtin_types.i16),
    )
    outputs = [scene.value(scene.choose(shapes)) for _ in range(scene.integer(0, 2))]

    def end(block: Block) -> None:
        statements(scene)
        scene.create(scf_parallel.InParallelOp, region=Region([Block()]))

    body = scene.region([*[builtin_types.index] * rank, *_types(outputs)], end)
    return scene.create(
        scf_parallel.ForallOp, *dynamic, *static, outputs, region=body, result_types=_types(outputs)
    )


NESTED: tuple[Sampler, ...] = (for_loop, if_then, while_loop, execute_region, index_switch, parallel, forall)


def statements(scene: StandardScene) -> None:
    """Add some random operations, among them loops and branches up to the depth `MAXIMUM_DEPTH`; possibly
    none.
    """
    if scene.depth < MAXIMUM_DEPTH and scene.drawing.chance(3):
        scene.choose(NESTED)(scene)
    scene.use()


SAMPLERS: dict[type[Operation], Sampler] = {
    ModuleOp: nested_module,
    FuncOp: module_function,
    CallOp: call,
    CallIndirectOp: call_indirect,
    ConstantOp: function_constant,
    BranchOp: branch,
    CondBranchOp: conditional_branch,
    SwitchOp: switch,
    scf.ForOp: for_loop,
    scf.IfOp: if_then,
    scf.WhileOp: while_loop,
    scf.ExecuteRegionOp: execute_region,
    scf.IndexSwitchOp: index_switch,
    scf_parallel.ParallelOp: parallel,
    scf_parallel.ForallOp: forall,
    # those that stand in others come with them
    ReturnOp: module_function,
    scf.YieldOp: for_loop,
    scf.ConditionOp: while_loop,
    scf_parallel.ReduceOp: parallel,
    scf_parallel.ReduceReturnOp: parallel,
    scf_parallel.InParallelOp: forall,
}
"""The samplers of operations that cannot be drawn from the declaration alone."""


MODULE_SAMPLERS: dict[type[Operation], Sampler] = {**SAMPLERS, **pdl.SAMPLERS}
"""Samplers of operations whose declaration is not enough; all others are drawn from it."""


def sample_module(
    op_class: type[Operation], seed: str = "", *, candidates: Sequence[Type] = STANDARD_CANDIDATES
) -> ModuleOp:
    """Return a valid module with an instance of an operation class; always the same for a seed.

    ``candidates`` are the types that constraints are tried with.  Raises `Unsupported` where the declaration does
    not say enough and there is no sampler.
    """
    drawing = SeededDrawing(f"{op_class.op_kind.name}/{seed}")
    return draw_module(drawing, op_class, MODULE_SAMPLERS.get(op_class), candidates)


def modules_of(
    op_class: type[Operation], *, candidates: Sequence[Type] = STANDARD_CANDIDATES
) -> st.SearchStrategy[ModuleOp]:
    """Return a strategy for valid modules with an instance of an operation class. ``candidates`` are the
    types that constraints are tried with. Drawing raises `Unsupported` where the declaration does not say
    enough and there is no sampler.
    """

    @st.composite
    def instances(draw: Draw) -> ModuleOp:
        return draw_module(HypothesisDrawing(draw), op_class, MODULE_SAMPLERS.get(op_class), candidates)

    return instances()
