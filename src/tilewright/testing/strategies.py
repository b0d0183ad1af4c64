"""Hypothesis strategies of valid Tile IR: single operations and whole modules, derived from the declarations."""

from __future__ import annotations

from hypothesis import strategies as st

from tilewright.dialects.cuda_tile.base import TileOp
from tilewright.dialects.cuda_tile.ops.control import ModuleOp
from tilewright.dialects.cuda_tile.version import LATEST, Version
from tilewright.ir.operation import Operation
from tilewright.testing import tile_scene, tile_types
from tilewright.testing.drawing import Draw, HypothesisDrawing, RandomChoices, SeededDrawing
from tilewright.testing.samplers import control as samplers_control, table as samplers_table


def operations(op_class: type[TileOp], version: Version = LATEST) -> st.SearchStrategy[Operation]:
    """Return a strategy for valid instances of an operation class in a bytecode version.

    Each instance stands in the kernel of a valid module of its own (`enclosing_module`); its operands are
    kernel parameters, constants, or results of operations made for the purpose. Raises `ValueError` for a
    class that the version lacks.
    """
    if op_class.since > version:
        raise ValueError(f"'{op_class.op_kind.name}' came with version {op_class.since}, after {version}")

    @st.composite
    def instances(draw: Draw) -> Operation:
        return _operation(HypothesisDrawing(draw), op_class, version)

    return instances()


def sample_operations(
    op_class: type[TileOp], count: int, version: Version = LATEST, *, seed: str = ""
) -> list[Operation]:
    """Return ``count`` valid instances of an operation class in a bytecode version, each in the kernel of a
    module of its own. ``seed`` determines them.
    """
    name = op_class.op_kind.name
    return [_operation(SeededDrawing(f"{seed}/{name}/{n}"), op_class, version) for n in range(count)]


def sample_modules(
    count: int,
    version: Version = LATEST,
    *,
    seed: str = "",
    statements: int = 6,
    largest: int = tile_types.MAXIMUM_ELEMENTS,
) -> list[ModuleOp]:
    """Return ``count`` valid modules with one or two kernels of up to ``statements`` random operations each
    (more inside of branches and loops), and with tiles of at most ``largest`` elements. ``seed`` determines
    them.
    """
    made = (
        sample_module(n, version, seed=seed, statements=statements, largest=largest) for n in range(count)
    )
    return list(made)


def sample_module(
    number: int,
    version: Version = LATEST,
    *,
    seed: str = "",
    statements: int = 6,
    largest: int = tile_types.MAXIMUM_ELEMENTS,
    past_edges: bool = False,
) -> ModuleOp:
    """Return module `number`, from 0, of the list that `sample_modules` returns for the same arguments: up to
    ``statements`` drawn statements in each of one or two kernels, with tiles of at most ``largest`` elements.
    With ``past_edges`` the indices of tiles may be out of range (see `TileScene`).
    """
    drawing = SeededDrawing(f"{seed}/module/{number}")
    scene = tile_scene.TileScene(drawing, version, largest=largest, past_edges=past_edges)
    return _module(scene, statements, 2)


def modules(
    version: Version = LATEST, *, statements: int = 6, entries: int = 2
) -> st.SearchStrategy[ModuleOp]:
    """Return a strategy for valid modules: globals, and up to ``entries`` kernels of up to ``statements``
    random operations each. Operations prefer values made by earlier ones; branches, loops, reductions and
    scans nest two deep.
    """

    @st.composite
    def instances(draw: Draw) -> ModuleOp:
        return _module(tile_scene.TileScene(HypothesisDrawing(draw), version), statements, entries)

    return instances()


def enclosing_module(op: Operation) -> ModuleOp:
    """Return the module in which a generated operation stands."""
    if isinstance(op, ModuleOp):
        return op
    return next(outer for outer in op.ancestors() if isinstance(outer, ModuleOp))


def _operation(drawing: RandomChoices, op_class: type[TileOp], version: Version) -> Operation:
    scene = tile_scene.TileScene(drawing, version)
    op = samplers_table.sample(scene, op_class)
    scene.finish_entry()
    return op


def _module(scene: tile_scene.TileScene, statements: int, entries: int) -> ModuleOp:
    samplers_control.module(scene)
    for number in range(scene.integer(1, entries)):
        if number:
            scene.next_entry()
        for _ in range(scene.integer(1, statements)):
            samplers_control.statement(scene)
        samplers_control.entry(scene)
    scene.finish_entry()
    return scene.module
