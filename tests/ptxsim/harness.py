"""A kernel round a few lines of PTX: operands come from arrays, and a result goes into one."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.ptx.types import TYPES
from tilewright.ptxsim import launch

HEAD = ".version 8.7\n.target sm_90\n.address_size 64\n"


def run(body: str, types: str, *inputs: Any, block: int | None = None, seed: int = 0) -> Any:
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
            f"{HEAD}.entry k({parameters})\n{{",
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
