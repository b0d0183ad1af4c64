"""A kernel round a few lines of PTX: operands come from arrays, and a result goes into one."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.ptx.value_types import TYPES
from tilewright.ptxsim import launch

HEAD = ".version 8.7\n.target sm_90\n.address_size 64\n"


def run(
    body: str, types: str, *inputs: Any, block: int | None = None, seed: int = 0, sm: str = "sm_90a"
) -> Any:
    """The results of ``body``, which reads ``%a`` to ``%d`` and writes ``%r``, for each thread.

    ``types`` are those of the operands and, behind an arrow, of the result: ``s32 s32 -> s32``.  ``%t`` is the
    thread's number, ``%p`` and ``%q`` are predicates, ``%w0`` to ``%w7`` words.
    """
    before, _, after = types.partition(" -> ")
    names = list(zip("abcd", before.split(), strict=False))
    arrays = [np.ascontiguousarray(value) for value in inputs]
    count = block or len(arrays[0])
    bits = TYPES[after].bits
    result = np.zeros(count, f"u{bits // 8}")
    registers = [f".reg .b{TYPES[kind].bits} %{name};" for name, kind in names]
    loads = [
        f"ld.param.b64 %x, [in{at}]; mad.wide.u32 %x, %t, {TYPES[kind].bits // 8}, %x; "
        f"ld.global.b{TYPES[kind].bits} %{name}, [%x];"
        for at, (name, kind) in enumerate(names)
    ]
    parameters = ", ".join(
        f".param .u64 {name}" for name in (*(f"in{at}" for at in range(len(names))), "out")
    )
    text = "\n".join(
        [
            f"{HEAD.replace('sm_90', sm)}.entry k({parameters})\n{{",
            f".reg .b{bits} %r; .reg .b32 %t; .reg .b32 %w<8>; .reg .b64 %x; .reg .pred %p, %q;",
            *registers,
            "mov.u32 %t, %tid.x;",
            *loads,
            body,
            f"ld.param.b64 %x, [out]; mad.wide.u32 %x, %t, {bits // 8}, %x; st.global.b{bits} [%x], %r;",
            "ret;\n}",
        ]
    )
    launch(text, "k", (1,), (count,), [*arrays, result], seed=seed)
    return result


def run_lanes(body: str, inputs: dict[str, Any], results: int, *, width: int = 32, seed: int = 0) -> Any:
    """The registers ``%r0...`` of each thread after ``body``, as threads x registers.

    Each input is an array of threads x registers; ``%a0...`` are the registers of input ``a``, and ``{a}`` in the
    body stands for all of them.  ``%t`` is the thread's number, ``%x`` and ``%w0`` to ``%w7`` are free, ``%p`` and
    ``%q`` are predicates.
    """
    arrays = {name: np.ascontiguousarray(value) for name, value in inputs.items()}
    threads = len(next(iter(arrays.values())))
    result = np.zeros((threads, results), f"u{width // 8}")
    lines = list[str]()
    names = dict[str, str]()
    for name, array in arrays.items():
        bits = array.dtype.itemsize * 8
        count = array.shape[1]
        names[name] = _listed(name, count)
        lines.append(f".reg .b{bits} %{name}<{count}>;")
        lines.append(f"ld.param.b64 %x, [{name}_in]; mad.wide.u32 %x, %t, {count * bits // 8}, %x;")
        lines += [f"ld.global.b{bits} %{name}{at}, [%x+{at * bits // 8}];" for at in range(count)]
    stores = [f"st.global.b{width} [%x+{at * width // 8}], %r{at};" for at in range(results)]
    parameters = ", ".join(f".param .u64 {name}" for name in (*(f"{one}_in" for one in arrays), "out"))
    filled = body
    for name, text in {**names, "r": _listed("r", results)}.items():
        filled = filled.replace("{" + name + "}", text)
    text = "\n".join(
        [
            HEAD.replace("sm_90", "sm_120a"),
            f".entry k({parameters})\n{{",
            f".reg .b{width} %r<{results}>; .reg .b32 %t; .reg .b32 %w<8>; .reg .b64 %x; .reg .pred %p, %q;",
            "mov.u32 %t, %tid.x;",
            *lines,
            filled,
            f"ld.param.b64 %x, [out]; mad.wide.u32 %x, %t, {results * width // 8}, %x;",
            *stores,
            "ret;\n}",
        ]
    )
    launch(text, "k", (1,), (threads,), [*arrays.values(), result], seed=seed)
    return result


def _listed(name: str, count: int) -> str:
    return "{" + ", ".join(f"%{name}{at}" for at in range(count)) + "}"
