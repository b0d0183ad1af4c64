"""The room for loads that run ahead: which of them a ring has if memory is short, and how many registers the others have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from types import SimpleNamespace
from typing import Any

import pytest

from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import compiled, kernel, load, store, view
from tilewright import Module
from tilewright.dialects.common.chips import CHIPS, KIB
from tilewright.dialects.nv_tileaa.attributes import KernelSpecAttr
from tilewright.dialects.nv_tileaa.ops.program import FuncOp
from tilewright.lowering.memory_order.tokens import TokenAnalysis
from tilewright.lowering.target_facts import kernel_around
from tilewright.lowering.tileas.kernel_plan.plan_kernel import FOR_ADDRESSES
from tilewright.lowering.tileas.kernel_plan.register_pressure import RegisterPressure
from tilewright.targets.nvptx.pipelines.carried_loads import RegisterBudget
from tilewright.targets.nvptx.pipelines.loops import CopyWidths, EarlyLoad, LoopPlan, candidates, plan_of
from tilewright.targets.nvptx.pipelines.shared_memory_budget import bytes_beside
from tilewright.targets.nvptx.pipelines.stages import bytes_of_stage, staged_plans

CHIP = CHIPS["sm_80"]
TILES = {"x": (32, 32, "f16"), "y": (32, 64, "f16"), "t": (32, 64, "f16"), "u": (32, 64, "f32")}
"""The tiles that a loop loads: the factors of a product, of 2 and 4 KiB, and two other tiles, of 4 and 8 KiB."""
SUM = "tile<32x64xf32>"
UNASKED: Any = None
"""The schedules of loops, which are not asked for if the number of stages is given."""


def text() -> str:
    """A loop that adds a product and two other tiles to a sum."""
    body, loads = "", ""
    for name, (rows, columns, element) in TILES.items():
        made, cut = view(name, (rows, 16 * columns), (rows, columns), element)
        body += f"%{name} = assume div_by<16>, %{name}0 : tile<ptr<{element}>>\n{made}"
        loads += load(f"l{name}", name, cut, "%zero, %c", f"tile<{rows}x{columns}x{element}>")
    made, whole = view("z", (32, 64), (32, 64), "f32")
    body += f"{made}%begin = constant <f32: 0.0> : {SUM}\n"
    body += f"%sum = for %c in (%zero to %n, step %one) : tile<i32> iter_values(%s = %begin) -> ({SUM}) {{\n"
    body += f"{loads}%m = mmaf %lx, %ly, %s : tile<32x32xf16>, tile<32x64xf16>, {SUM}\n"
    body += f"%a = ftof %lt : tile<32x64xf16> -> {SUM}\n%d = addf %a, %lu : {SUM}\n"
    body += f"%e = addf %m, %d : {SUM}\ncontinue %e : {SUM}\n}}\n"
    pointers = ", ".join(f"%{name}0: tile<ptr<{element}>>" for name, (*_, element) in TILES.items())
    return kernel(
        f"{pointers}, %z: tile<ptr<f32>>, %n: tile<i32>", body + store("sum", "z", whole, "%zero, %zero", SUM)
    )


@cache
def module() -> Module:
    return Module.parse(str(compiled(text(), "sim:sm_80").asm["layouts"]))


def plan() -> LoopPlan:
    """The plan of the loop, with all of its loads."""
    root = module().operation
    (loop,) = candidates(root)
    return plan_of(loop, CHIP, CopyWidths.of(root), TokenAnalysis())


def worth(loads: Sequence[EarlyLoad]) -> tuple[int, int]:
    """The bytes of factors of products, and of all tiles: more of the first count, and then of the second."""
    return sum(one.tile.bytes for one in loads if one.path), sum(one.tile.bytes for one in loads)


def fitting(whole: LoopPlan, memory: int) -> Iterator[Sequence[EarlyLoad]]:
    """The choices of half of the bytes or more, of which so many bytes of shared memory hold two stages."""
    for count in range(1, len(whole.loads) + 1):
        for some in combinations(whole.loads, count):
            left = memory - bytes_beside(whole.loop, {op for one in some for op in one.path})
            size = bytes_of_stage(whole.only(some))
            if 2 * size >= bytes_of_stage(whole) and 2 * size <= left:
                yield some


def test_the_loads_of_a_ring_are_the_best_that_shared_memory_has_room_for() -> None:
    whole, found = plan(), list[int]()
    assert [one.tile.bytes // KIB for one in whole.loads] == [2, 4, 4, 8]
    assert [bool(one.path) for one in whole.loads] == [True, True, False, False]
    for memory in range(16 * KIB, 40 * KIB, KIB):
        chip: Any = SimpleNamespace(shared_memory=memory)
        (staged,) = staged_plans(kernel_around(whole.loop), [whole], chip, UNASKED, forced=2)
        best = max(map(worth, fitting(whole, memory)), default=(0, 0))
        assert worth(staged.plan.loads) == best, f"{memory} bytes"
        found.append(bytes_of_stage(staged.plan) // KIB)
    assert list(dict.fromkeys(found)) == [0, 10, 14, 18]


WARPS, BLOCKS = (1, 4, 8, 16, 32), range(5)


@pytest.mark.parametrize("occupancy", [0, 1, 2, 3])
def test_registers_of_later_tiles_are_all_that_the_blocks_leave(occupancy: int) -> None:
    """A thread has as many registers as so many blocks can have at once, and no instruction names more than 255."""
    root = module().operation.clone()
    kernel = next(op for op in root.walk() if isinstance(op, FuncOp))
    pressure = RegisterPressure.of(kernel, CHIP)
    for warps, blocks in product(WARPS, BLOCKS):
        kernel.kernel_spec = KernelSpecAttr(num_warps=warps, occupancy=occupancy)
        used = RegisterBudget(kernel, CHIP, blocks).left + pressure.maximum(warps) + FOR_ADDRESSES
        threads = 32 * warps * (max(occupancy, blocks) or 1)
        assert used * threads <= 1 << 16
        assert used <= 255
        assert used == 255 or (used + 1) * threads > 1 << 16, (warps, blocks)
