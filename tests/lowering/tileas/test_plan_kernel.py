"""The number of warps of a block: what a thread holds, what it may hold, and what the kernel asks for."""

from __future__ import annotations

import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import kernel, load, store, view
from tilewright import Module
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import Severity
from tilewright.lowering.tileas.kernel_plan.plan_kernel import PlanKernel
from tilewright.passes.manager import PassManager

BEFORE = "nv-tileas-lower-packed-accesses,nv-tileas-lower-view-accesses,canonicalize,cse"


def product(
    m: int, n: int, k: int, *, hints: str = "", extra: str = "", element: str = "f16", sums: int = 1
) -> str:
    """A loop of products; `extra` is computed from its sum, and stored. Several sums take the same factors."""
    (x, left), (y, right) = view("x", (m, 4 * k), (m, k), element), view("y", (4 * k, n), (k, n), element)
    z, whole = view("z", (m, n), (m, n), "f32")
    total, names = f"tile<{m}x{n}xf32>", [f"s{at}" for at in range(sums)]
    begins = ", ".join(f"%a{at} = %begin" for at in range(sums))
    types = ", ".join([total] * sums)
    body = "".join(f"%{name} = assume div_by<16>, %{name}0 : tile<ptr<{element}>>\n" for name in "xy")
    body += x + y + z + f"%four = constant <i32: 4> : tile<i32>\n%begin = constant <f32: 0.0> : {total}\n"
    body += (
        f"%{names[0]}{f':{sums}' if sums > 1 else ''} = for %c in (%zero to %four, step %one) : tile<i32> "
    )
    body += f"iter_values({begins}) -> ({types}) {{\n"
    body += load("p", "x", left, "%zero, %c", f"tile<{m}x{k}x{element}>")
    body += load("q", "y", right, "%c, %zero", f"tile<{k}x{n}x{element}>")
    for at in range(sums):
        body += f"%m{at} = mmaf %p, %q, %a{at} : tile<{m}x{k}x{element}>, tile<{k}x{n}x{element}>, {total}\n"
    body += f"continue {', '.join(f'%m{at}' for at in range(sums))} : {types}\n}}\n" + extra
    if sums > 1:
        body += f"%w = addf %s0#0, %s0#1 : {total}\n"
    body += store("w" if sums > 1 else "s0", "z", whole, "%zero, %zero", total)
    parameters = f"%x0: tile<ptr<{element}>>, %y0: tile<ptr<{element}>>, %z: tile<ptr<f32>>"
    return kernel(parameters, body).replace(") {\n    %zero", f") {hints} {{\n    %zero", 1)


def hint(words: str) -> str:
    """Hints of a kernel."""
    return f"optimization_hints = <sm_80 = {{{words}}}>"


def explained(text: str, chip: str = "sm_80") -> str:
    """The remark about the kernel of a module."""
    module = Module.parse(str(tilewright.compile(text, target=chip).asm["tileas"]))
    context = Context(())
    tilewright.PassManager.parse(f"builtin.module({BEFORE})").run(module)
    with context.diagnostics.collect() as found:
        PassManager(context).add(PlanKernel(explain=True)).run(module.operation)
    (remark,) = [one.message for one in found if one.severity is Severity.REMARK]
    return remark


def warps(text: str, chip: str = "sm_80") -> int:
    """The warps of a kernel."""
    words = explained(text, chip).split()
    return int(words[words.index("warps:") - 1])


@pytest.mark.parametrize(
    ("shape", "wanted"),
    [((64, 64, 32), 4), ((128, 128, 64), 4), ((128, 256, 64), 8), ((256, 128, 64), 8), ((256, 256, 32), 32)],
)
def test_a_thread_has_registers_for_its_part_of_the_sums(shape: tuple[int, int, int], wanted: int) -> None:
    assert warps(product(*shape)) == wanted


def test_sums_that_live_together_count_together() -> None:
    assert warps(product(128, 128, 32)) == 4
    assert warps(product(128, 128, 32, sums=2)) == 8


def test_factors_without_asynchronous_copies_are_held() -> None:
    text = product(128, 128, 128)
    assert explained(text, "sm_80") == "a block has 4 warps: 4 warps: 200 of 255 registers"
    assert warps(text, "sm_75") == 8


def test_occupancy_leaves_fewer_registers() -> None:
    assert warps(product(128, 128, 32, hints=hint("occupancy = 2"))) == 4
    assert warps(product(128, 128, 32, hints=hint("occupancy = 3"))) == 8


def test_the_kernel_decides() -> None:
    text = product(64, 64, 32, hints=hint("num_worker_warps_per_cta = 16"))
    assert explained(text) == "a block has 16 warps: the kernel asks for them"


def test_without_a_product_the_largest_tile_decides() -> None:
    x, cut = view("x", (16384,), (16384,), "f32")
    body = x + load("a", "x", cut, "%zero", "tile<16384xf32>")
    body += "%b = absf %a : tile<16384xf32>\n" + store("b", "x", cut, "%zero", "tile<16384xf32>")
    assert (
        explained(kernel("%x: tile<ptr<f32>>", body))
        == "a block has 8 warps: a thread holds 64 of the elements of the largest tile"
    )
