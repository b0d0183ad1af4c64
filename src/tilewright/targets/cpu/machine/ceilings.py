"""Measure the limits of the machine: arithmetic in registers, and streams through memory.

The loops are written in LLVM IR, so that they measure the limit itself: as many independent chains of one
instruction as hide its latency, or loads and stores of whole vectors, with and without non-temporal stores. A
limit is the best of its repeats, not their median.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from tilewright.runtime.llvm import llvm

CHAINS = 16
UNROLL = 8
"""How many vectors an iteration of a stream handles."""
STREAM = 1 << 24
"""How many elements an array in memory has: 64 MiB, far more than a share of the last-level cache."""
_LEAST = 1 << 10
"""The number of elements of an array that is only passed to a loop: the loop does not iterate over it."""
FMA, READ = "f32 FMA", "DRAM, read"
"""The names of the two limits of a roofline: arithmetic and memory."""
IN_CACHE = (("L1", 1 << 12), ("L2", 1 << 16))
_PAGE = 4096
Function = Callable[..., Any]
Rate = Callable[[], float]
"""A function that runs a loop several times and returns its best rate, in 10**9 operations or bytes a second.
"""


@dataclass(frozen=True)
class DotInstruction:
    """An instruction that adds dot products of ``products`` narrow numbers to each lane of an ``i32`` or
    ``f32`` accumulator. ``feature`` is LLVM's name of the processor feature that it needs, ``intrinsic`` the
    name of LLVM's function. ``accumulator`` is the LLVM type of a lane of the accumulator, which has
    ``lanes`` lanes; ``operand`` is the LLVM type of a factor.
    """

    feature: str
    intrinsic: str
    accumulator: str
    operand: str
    lanes: int
    products: int
    """How many products one lane of the accumulator adds."""


DOTS = {
    "bf16 dot": DotInstruction(
        "avx512bf16", "llvm.x86.avx512bf16.dpbf16ps.512", "float", "<32 x bfloat>", 16, 2
    ),
    "int8 dot": DotInstruction("avx512vnni", "llvm.x86.avx512.vpdpbusd.512", "i32", "<64 x i8>", 16, 4),
}


@dataclass(frozen=True)
class Ceiling:
    """A measured limit of the machine: its name, its rate by the number of threads, and the unit of the rate."""

    name: str
    rates: dict[int, float]
    unit: str


class Machine:
    """Compiles functions in LLVM IR for this processor, and keeps their code in memory. `features` says which
    features it has, by LLVM's names, and `lanes` is the number of f32 lanes of its vectors.
    """

    def __init__(self) -> None:
        self._llvm = llvm()
        self.features: dict[str, bool] = dict(self._llvm.get_host_cpu_features())
        self.lanes = 16 if self.features.get("avx512f") else 8 if self.features.get("avx2") else 4
        self._engines: list[Any] = []

    def function(self, text: str, *arguments: Any) -> Function:
        """Compile the function ``f``, which returns nothing, of an LLVM IR module, and return it as a
        function with arguments of the `ctypes` types `arguments`. Its code lives as long as this object.
        """
        binding = self._llvm
        flags = binding.get_host_cpu_features().flatten()
        found = binding.Target.from_default_triple()
        machine = found.create_target_machine(cpu=binding.get_host_cpu_name(), features=flags, opt=2)
        module = binding.parse_assembly(text)
        module.verify()
        engine = binding.create_mcjit_compiler(module, machine)
        engine.finalize_object()
        self._engines.append(engine)
        return ctypes.CFUNCTYPE(None, *arguments)(engine.get_function_address("f"))


# --- arithmetic


def _chains(vector: str, step: Callable[[str, str], str], declaration: str) -> str:
    """Return LLVM IR of a function ``f(in, out, count)``: `count` iterations over ``CHAINS`` independent
    chains of vectors of the type `vector`. ``step`` returns the instruction for (operand, accumulator), and
    `declaration` declares its intrinsic.
    """
    numbers = range(CHAINS)
    phis = "\n".join(f"  %a{n} = phi {vector} [ %s, %entry ], [ %b{n}, %loop ]" for n in numbers)
    steps = "\n".join(f"  %b{n} = {step('%x', f'%a{n}')}" for n in numbers)
    stores = "\n".join(
        f"  %p{n} = getelementptr {vector}, ptr %out, i64 {n}\n  store {vector} %b{n}, ptr %p{n}, align 4"
        for n in numbers
    )
    return f"""
{declaration}
define void @f(ptr %in, ptr %out, i64 %count) "prefer-vector-width"="512" {{
entry:
  %s = load {vector}, ptr %out, align 4
  %x = load {_operand(declaration, vector)}, ptr %in, align 4
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
{phis}
{steps}
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %loop, label %done
done:
{stores}
  ret void
}}
"""


def _operand(declaration: str, vector: str) -> str:
    """Return the LLVM type of the operands: for a dot product in `declaration` from its table, else `vector`."""
    return next((dot.operand for dot in DOTS.values() if dot.intrinsic in declaration), vector)


def _fma_text(lanes: int) -> str:
    vector = f"<{lanes} x float>"
    name = f"@llvm.fma.v{lanes}f32"
    return _chains(
        vector,
        lambda x, a: f"call {vector} {name}({vector} {x}, {vector} {x}, {vector} {a})",
        f"declare {vector} {name}({vector}, {vector}, {vector})",
    )


def _dot_text(dot: DotInstruction) -> str:
    vector, operand, name = f"<{dot.lanes} x {dot.accumulator}>", dot.operand, f"@{dot.intrinsic}"
    return _chains(
        vector,
        lambda x, a: f"call {vector} {name}({vector} {a}, {operand} {x}, {operand} {x})",
        f"declare {vector} {name}({vector}, {operand}, {operand})",
    )


def arithmetic(machine: Machine, repeats: int) -> Iterator[tuple[str, Callable[[], Rate], str]]:
    """Yield the limits of arithmetic: multiply-adds, and each dot product that this processor has.

    Each is a name, a function that compiles the loop and returns its `Rate`, and the unit of the rate.
    ``repeats`` is the number of runs whose best one counts.
    """
    fma = partial(_arithmetic_rate, machine, _fma_text(machine.lanes), 2 * machine.lanes, repeats)
    yield FMA, fma, "GFLOP/s"
    for name, dot in DOTS.items():
        if machine.features.get(dot.feature):
            work = 2 * dot.lanes * dot.products
            yield name, partial(_arithmetic_rate, machine, _dot_text(dot), work, repeats), "GOP/s"


def _arithmetic_rate(machine: Machine, text: str, work: int, repeats: int) -> Rate:
    call = machine.function(text, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    count = 1 << 20

    def rate() -> float:
        operand, out = np.zeros(64, np.float32), np.zeros(CHAINS * 16, np.float32)
        best = _best(lambda: call(operand.ctypes.data, out.ctypes.data, count), repeats)
        return CHAINS * count * work / best / 1e9

    return rate


# --- memory


def _stream_text(lanes: int, loads: int, stores: bool, temporal: bool) -> str:
    """Return LLVM IR of a function ``f(a, b, out, count, times)``, which repeats a loop over `count`
    elements: ``out = a + b``, ``out = a``, or a sum of ``a`` whose bits are stored once at the end. `loads`
    is the number of arrays read; without `temporal`, stores bypass the caches.
    """
    vector = f"<{lanes} x float>"
    hint = "" if temporal else ", !nontemporal !0"
    body: list[str] = []
    values: list[str] = []
    for n in range(UNROLL):
        at = f"  %o{n} = add i64 %i, {n * lanes}\n"
        for name in "ab"[:loads]:
            at += f"  %{name}p{n} = getelementptr float, ptr %{name}, i64 %o{n}\n"
            at += f"  %{name}{n} = load {vector}, ptr %{name}p{n}, align {lanes * 4}\n"
        values.append(f"%a{n}")
        if loads == 2:
            at += f"  %v{n} = fadd {vector} %a{n}, %b{n}\n"
            values[-1] = f"%v{n}"
        if stores:
            at += f"  %q{n} = getelementptr float, ptr %out, i64 %o{n}\n"
            at += f"  store {vector} {values[-1]}, ptr %q{n}, align {lanes * 4}{hint}\n"
        else:
            at += f"  %t{n} = fadd {vector} %s{n}, {values[-1]}\n"
        body.append(at)
    phis = "" if stores else _sums(vector)
    kept = () if stores else range(UNROLL)
    end = "".join(f"  store {vector} %t{n}, ptr %out, align {lanes * 4}\n" for n in kept)
    fence = "" if temporal else "  fence seq_cst\n"
    return f"""
define void @f(ptr %a, ptr %b, ptr %out, i64 %count, i64 %times) {{
entry:
  br label %again
again:
  %time = phi i64 [ 0, %entry ], [ %later, %end ]
  br label %loop
loop:
  %i = phi i64 [ 0, %again ], [ %next, %loop ]
{phis}{"".join(body)}
  %next = add i64 %i, {UNROLL * lanes}
  %more = icmp ult i64 %next, %count
  br i1 %more, label %loop, label %end
end:
{end}  %later = add i64 %time, 1
  %repeat = icmp ult i64 %later, %times
  br i1 %repeat, label %again, label %done
done:
{fence}  ret void
}}
!0 = !{{i32 1}}
"""


def _sums(vector: str) -> str:
    return "".join(
        f"  %s{n} = phi {vector} [ zeroinitializer, %again ], [ %t{n}, %loop ]\n" for n in range(UNROLL)
    )


STREAMS: dict[str, tuple[int, bool, bool]] = {
    "DRAM, c = a + b": (2, True, True),
    "DRAM, c = a + b, non-temporal stores": (2, True, False),
    "DRAM, copy": (1, True, True),
    "DRAM, copy, non-temporal stores": (1, True, False),
    READ: (1, False, True),
}
"""For each stream: the number of arrays read, whether an array is written, and whether through the caches."""


def streams(machine: Machine, repeats: int) -> Iterator[tuple[str, Callable[[], Rate], str]]:
    """Yield the limits of memory: streams through DRAM, and reads from each cache.

    Each is a name, a function that compiles the loop and returns its `Rate`, and the unit of the rate.
    ``repeats`` is the number of runs whose best one counts.
    """
    for name, row in STREAMS.items():
        yield name, partial(_stream_rate, machine, row, STREAM, repeats), "GB/s"
    for level, count in IN_CACHE:
        yield f"{level}, read", partial(_stream_rate, machine, STREAMS[READ], count, repeats), "GB/s"


def _stream(machine: Machine, loads: int, stores: bool, temporal: bool) -> Function:
    text = _stream_text(machine.lanes, loads, stores, temporal)
    return machine.function(text, *[ctypes.c_void_p] * 3, *[ctypes.c_int64] * 2)


def _stream_rate(machine: Machine, row: tuple[int, bool, bool], count: int, repeats: int) -> Rate:
    loads, stores, temporal = row
    call = _stream(machine, loads, stores, temporal)
    times = max(1, (1 << 22) // count)

    def rate() -> float:
        used = [_zeros(count) if is_used else _zeros(_LEAST) for is_used in (True, loads == 2, stores)]
        addresses = [array.ctypes.data for array in used]

        best = _best(lambda: call(*addresses, count, times), repeats)
        return (loads + stores) * 4 * count * times / best / 1e9

    return rate


def _zeros(count: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return an array of `count` zeros that begins at a page. NumPy aligns arrays arbitrarily, which changes
    their speed.
    """
    memory = np.zeros(4 * count + _PAGE, np.uint8)
    start = -memory.ctypes.data % _PAGE
    found = memory[start : start + 4 * count].view(np.float32)
    found.fill(0)
    return found


# --- measuring


def _best(call: Callable[[], Any], repeats: int) -> float:
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def together(rate: Callable[[], float], processors: Sequence[int]) -> float:
    """Call `rate` in one thread for each of `processors` at once, and return the sum of the results. Each
    thread runs on its processor where the system supports affinity.
    """
    rates = [0.0] * len(processors)
    barrier = threading.Barrier(len(processors))

    def run(at: int) -> None:
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, [processors[at]])
        barrier.wait()
        rates[at] = rate()

    threads = [threading.Thread(target=run, args=(at,)) for at in range(len(processors))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(rates)


def ceilings(
    processors: Sequence[Sequence[int]], repeats: int = 7, names: Container[str] | None = None
) -> list[Ceiling]:
    """Measure and return the limits called `names` (default: all). ``processors`` has a list of processor
    numbers for each measurement, all of different lengths: one thread runs on each of them. ``repeats`` is
    the number of runs whose best one counts.
    """
    machine = Machine()
    found: list[Ceiling] = []
    for name, make, unit in (*arithmetic(machine, repeats), *streams(machine, repeats)):
        if names is None or name in names:
            rate = make()
            rates = {len(chosen): together(rate, chosen) for chosen in processors}
            found.append(Ceiling(name, rates, unit))
    return found
