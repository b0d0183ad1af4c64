"""The order in which a kernel executes its steps, as bars of a timeline.

The plan determines an order but no times: the length of a bar is the number of steps inside of it. The
timeline omits memory, since every buffer slot lives from the begin of the kernel to its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from tilewright.ir.attribute import Location
from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.targets.cpu.plan.model import KernelPlan, NestStep, SingleStep, Step
from tilewright.targets.cpu.plan.printing import Data, as_data, is_plain, step_lines


@dataclass(frozen=True, slots=True)
class StepSpan:
    """A step, or several scalar steps, as a bar from position ``begin`` to ``end``, exclusive, counted in
    steps; ``depth`` is the number of enclosing steps.

    ``kind`` is ``nest``, ``product``, ``loop``, ``check`` or ``single``; ``title`` is a short name, and
    ``words`` are the lines of the plan about the step.
    """

    kind: str
    title: str
    words: str
    depth: int
    begin: int
    end: int
    location: Location


def schedule(plans: Sequence[KernelPlan], module: Operation) -> list[StepSpan]:
    """Return the bars of all kernels of `module` in order; the bars of a kernel begin where the last bar of
    the preceding kernel ends. A bar precedes the bars inside of it.
    """
    found: list[StepSpan] = []
    for plan, data in zip(plans, as_data(plans, module), strict=True):
        builder = _Builder({block.block: block.steps for block in plan.blocks}, found)
        builder.block(plan.blocks[0].steps, data["steps"], 0)
    return found


class _Builder:
    """Adds the bars of a kernel to ``found``, from the steps of its plan and their descriptions."""

    def __init__(self, steps: dict[Block, tuple[Step, ...]], found: list[StepSpan]) -> None:
        self.steps = steps
        self.found = found
        self.position = max((bar.end for bar in found), default=0)

    def block(self, steps: Sequence[Step], data: Sequence[Data], depth: int) -> None:
        """Add the bars of `steps`, whose descriptions are `data`, inside of `depth` enclosing steps;
        consecutive scalar steps share a bar.
        """
        for plain, group in groupby(zip(steps, data, strict=True), key=lambda pair: is_plain(pair[1])):
            pairs = list(group)
            if plain:
                self.scalars(pairs, depth)
            else:
                for step, described in pairs:
                    self.step(step, described, depth)

    def scalars(self, pairs: Sequence[tuple[Step, Data]], depth: int) -> None:
        """Add one bar for consecutive steps that compute scalars, given with their descriptions. It is one
        position long.
        """
        words = "\n".join(described["op"] for _, described in pairs)
        count = len(pairs)
        title = f"{count} operations" if count > 1 else pairs[0][1]["op"]
        self.add("single", title, words, depth, self.position, _location(pairs[0][0]))

    def step(self, step: Step, data: Data, depth: int) -> None:
        """Add the bar of `step`, whose description is `data`, and then the bars of the steps in its regions,
        which are inside of it.
        """
        begin, at = self.position, len(self.found)
        if isinstance(step, SingleStep):
            blocks = [block for region in step.op.regions for block in region.blocks if block in self.steps]
            for block, inner in zip(blocks, data.get("regions", ()), strict=True):
                self.block(self.steps[block], inner, depth + 1)
        inside = self.found[at:]
        del self.found[at:]
        words = "\n".join(step_lines({key: value for key, value in data.items() if key != "regions"}))
        title = words.partition("\n")[0].partition(":")[0]
        self.add(_kind(data), title, words, depth, begin, _location(step))
        self.found += inside

    def add(self, kind: str, title: str, words: str, depth: int, begin: int, location: Location) -> None:
        """Add a bar with these properties from position `begin` to the current position, which is first moved
        to ``begin + 1`` if it is before that.
        """
        self.position = max(self.position, begin + 1)
        self.found.append(StepSpan(kind, title, words, depth, begin, self.position, location))


def _kind(data: Data) -> str:
    if "regions" in data:
        return "loop"
    return "product" if "product" in data else data["step"]


def _location(step: Step) -> Location:
    return step.roots[0].op.location if isinstance(step, NestStep) else step.op.location
