"""The resources that a kernel needs of the GPU, as the assembler reports them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_KERNEL = re.compile(r"Compiling entry function '(?P<name>.+)' for '")
_PROPERTIES = re.compile(r"Function properties for '?(?P<name>[^\s':]+)")
_STACK = re.compile(
    r"(?P<stack>\d+) bytes stack frame, (?P<stores>\d+) bytes spill stores, (?P<loads>\d+) bytes spill loads"
)
_USED = re.compile(r"info\s*: Used (?P<registers>\d+) registers(?P<rest>.*)")
_BARRIERS = re.compile(r"used (\d+) barriers")
_SHARED = re.compile(r"(\d+)(?:\+\d+)? bytes smem")
_CONSTANT = re.compile(r"(\d+)(?:\+\d+)? bytes cmem\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Resources:
    """The resources of a kernel.

    Registers are per thread; ``stack``, ``spill_stores`` and ``spill_loads`` are bytes per thread (spills
    count instructions in the code, not executions); ``shared`` is the static shared memory of a block in
    bytes. ``constant`` has pairs of bank and bytes, ``barriers`` is the number of a block's 16 barriers in
    use.
    """

    kernel: str
    registers: int = 0
    stack: int = 0
    spill_stores: int = 0
    spill_loads: int = 0
    shared: int = 0
    constant: tuple[tuple[int, int], ...] = ()
    barriers: int = 0

    def __str__(self) -> str:
        return (
            f"{self.kernel}: {self.registers} registers, {self.stack} bytes of stack, "
            f"{self.spill_stores} bytes of spill stores, {self.spill_loads} bytes of spill loads, "
            f"{self.shared} bytes of shared memory, {self.barriers} barriers"
        )


def resources_of(talk: str) -> tuple[Resources, ...]:
    """Return the resources of each kernel from the output of an assembler with `-v`, in the order in which it
    names the kernels. Resources that it does not mention are 0.
    """
    found: dict[str, Resources] = {}
    kernel = function = ""
    for line in talk.splitlines():
        if (match := _KERNEL.search(line)) is not None:
            kernel = match["name"]
            found[kernel] = Resources(kernel)
        elif (match := _PROPERTIES.search(line)) is not None:
            function = match["name"]
        elif (match := _STACK.search(line)) is not None and function in found:
            stack, stores, loads = map(int, match.groups())
            found[function] = replace(found[function], stack=stack, spill_stores=stores, spill_loads=loads)
        elif (match := _USED.search(line)) is not None and kernel in found:
            found[kernel] = _used(found[kernel], int(match["registers"]), match["rest"])
    return tuple(found.values())


def _used(resources: Resources, registers: int, rest: str) -> Resources:
    """Return `resources` with `registers` and with the numbers in `rest`, the remainder of the line `Used N
    registers` in the assembler's output. A resource that the line does not mention is 0.
    """
    barriers, shared = _BARRIERS.search(rest), _SHARED.search(rest)
    return replace(
        resources,
        registers=registers,
        barriers=int(barriers[1]) if barriers else 0,
        shared=int(shared[1]) if shared else 0,
        constant=tuple(sorted((int(bank), int(size)) for size, bank in _CONSTANT.findall(rest))),
    )
