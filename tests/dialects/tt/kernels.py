"""Kernels in Triton whose IR, as its wheel prints it, lies in `data`: between them they use all of the dialect.

The module imports Triton, so nothing imports it where Triton is absent.  Run as a program, it writes the data anew.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import triton
import triton.language as tl
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import ASTSource, make_backend
from triton.language.extra import libdevice

DATA = Path(__file__).parent / "data"
F32, I32 = "*fp32", "*i32"


@triton.jit
def matmul(a, b, c, m, n, k, stride_a, stride_b, stride_c, SIZE: tl.constexpr):
    rows = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    columns = tl.program_id(1) * SIZE + tl.arange(0, SIZE)
    inner = tl.arange(0, SIZE)
    a_ptrs = a + rows[:, None] * stride_a + inner[None, :]
    b_ptrs = b + inner[:, None] * stride_b + columns[None, :]
    sum = tl.zeros((SIZE, SIZE), dtype=tl.float32)
    for step in tl.range(0, k, SIZE, num_stages=2):
        left = tl.load(a_ptrs, mask=inner[None, :] < k - step, other=0.0)
        right = tl.load(b_ptrs, mask=inner[:, None] < k - step, other=0.0, eviction_policy="evict_last")
        sum = tl.dot(left, right, sum, input_precision="tf32x3")
        a_ptrs += SIZE
        b_ptrs += SIZE * stride_b
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c + rows[:, None] * stride_c + columns[None, :], sum.to(tl.float16), mask=inside)


@triton.jit
def softmax(x, y, stride, n, SIZE: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.max_contiguous(tl.multiple_of(tl.arange(0, SIZE), SIZE), SIZE)
    tl.assume(stride > 0)
    values = tl.load(x + row * stride + columns, mask=columns < n, other=-float("inf"), cache_modifier=".cg")
    exponents = tl.exp(values - tl.max(values, axis=0))
    tl.store(y + row * stride + columns, exponents / tl.sum(exponents, axis=0), mask=columns < n)


@triton.jit
def _pair(first, number, second, other):
    return tl.maximum(first, second), number + other


@triton.jit
def combine(x, numbers, out, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    values, counts = tl.load(x + at), tl.load(numbers + at)
    highest, total = tl.reduce((values, counts), 0, _pair)
    running, sums = tl.associative_scan((values, counts), 0, _pair, reverse=True)
    tl.store(out + at, running + sums + highest + total)
    tl.store(numbers + at, tl.argmax(values, axis=0))


@triton.jit
def locked(lock, x, flags, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    while tl.atomic_cas(lock, 0, 1, sem="acquire") == 1:
        pass
    value = tl.load(x + at, volatile=True)
    tl.atomic_add(x + at, value, mask=at < 7, sem="relaxed", scope="cta")
    tl.atomic_max(flags + at, at)
    tl.atomic_xchg(lock, 0, sem="release")
    tl.debug_barrier()


@triton.jit
def shapes(x, out, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    values = tl.load(x + at)
    pairs = tl.reshape(values, (SIZE // 2, 2))
    low, high = tl.split(pairs)
    joined = tl.join(high, low)
    turned = tl.trans(joined)
    picked = tl.gather(values, at ^ 1, axis=0)
    counts = tl.histogram(at, SIZE, mask=at < 5)
    both = tl.cat(low, high, can_reorder=True)
    bits = values.to(tl.int32, bitcast=True)
    tl.store(out + at, tl.reshape(turned, (SIZE,), can_reorder=True) + picked + counts + both + bits)
    tl.store(out + at, tl.umulhi(at.to(tl.uint32), at.to(tl.uint32)))


@triton.jit(noinline=True)
def _helper(x, n):
    if n > 3:
        return x
    return x * 2 + n


@triton.jit
def calls(x, n, SIZE: tl.constexpr):
    if n == 0:
        return
    at = tl.arange(0, SIZE)
    tl.device_print("value", tl.load(x + at), n)
    tl.device_assert(n < 100, "too many")
    tl.store(x + at, _helper(tl.load(x), n))


@triton.jit
def floats(x, y, out, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    a, b = tl.load(x + at), tl.load(y + at)
    value = tl.math.div_rn(tl.sqrt_rn(a), b) + tl.fdiv(a, b) + tl.fma(a, b, a)
    value = tl.clamp(value, -1.0, 1.0) + tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL)
    value += libdevice.tanh(a) + tl.erf(b) + tl.math.rsqrt(a) + tl.floor(b)
    half = value.to(tl.float8e5, fp_downcast_rounding="rtne")
    tl.store(out + at, half.to(tl.float32) + tl.where(a > b, a, b))


@triton.jit
def assembly(x, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    value = tl.inline_asm_elementwise(
        "mov.b32 $0, $1;", "=r,r", [tl.load(x + at)], dtype=tl.int32, is_pure=True, pack=1
    )
    tl.store(x + at, value)


@triton.jit
def descriptors(x, y, m, n, SIZE: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [m, n], [n, 1], [SIZE, SIZE], padding_option="nan")
    target = tl.make_tensor_descriptor(y, [m, n], [n, 1], [SIZE, SIZE])
    row = tl.program_id(0) * SIZE
    for column in range(0, n, SIZE):
        block = source.load([row, column])
        target.store([row, column], block)
        target.atomic_add([row, column], block)


@triton.jit
def scaled(a, a_scale, b, b_scale, out, SIZE: tl.constexpr):
    rows, groups = tl.arange(0, SIZE), tl.arange(0, SIZE // 32)
    square = rows[:, None] * SIZE + rows[None, :]
    scales = rows[:, None] * (SIZE // 32) + groups[None, :]
    left, right = tl.load(a + square), tl.load(b + square)
    product = tl.dot_scaled(
        left, tl.load(a_scale + scales), "e5m2", right, tl.load(b_scale + scales), "e5m2", fast_math=True
    )
    tl.store(out + square, product)


Row = tuple[Any, dict[str, str], dict[str, int]]
KERNELS: dict[str, Row] = {
    "matmul": (
        matmul,
        {"a": "*fp16", "b": "*fp16", "c": "*fp16"}
        | dict.fromkeys(("m", "n", "k", "stride_a", "stride_b", "stride_c"), "i32"),
        {"SIZE": 16},
    ),
    "softmax": (softmax, {"x": F32, "y": F32, "stride": "i32", "n": "i32"}, {"SIZE": 64}),
    "combine": (combine, {"x": F32, "numbers": I32, "out": F32}, {"SIZE": 16}),
    "locked": (locked, {"lock": I32, "x": F32, "flags": I32}, {"SIZE": 16}),
    "shapes": (shapes, {"x": F32, "out": F32}, {"SIZE": 16}),
    "calls": (calls, {"x": F32, "n": "i32"}, {"SIZE": 16}),
    "floats": (floats, {"x": F32, "y": F32, "out": F32}, {"SIZE": 16}),
    "assembly": (assembly, {"x": I32}, {"SIZE": 16}),
    "descriptors": (descriptors, {"x": "*fp16", "y": "*fp16", "m": "i32", "n": "i32"}, {"SIZE": 16}),
    "scaled": (
        scaled,
        {"a": "*fp8e5", "a_scale": "*u8", "b": "*fp8e5", "b_scale": "*u8", "out": F32},
        {"SIZE": 64},
    ),
}
"""By name, a kernel, the types of its arguments and its constants."""


def module_of(name: str) -> tuple[Any, Any]:
    """The module that Triton's front end makes of a kernel, and the context that keeps it alive."""
    kernel, signature, constants = KERNELS[name]
    attributes = {(0,): [["tt.divisibility", 16]]}
    source = ASTSource(kernel, signature | dict.fromkeys(constants, "constexpr"), constants, attributes)
    backend = make_backend(GPUTarget("cuda", 90, 32))
    options = backend.parse_options({})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    functions = backend.get_codegen_implementation(options)
    module = source.make_ir(GPUTarget("cuda", 90, 32), options, functions, backend.get_module_map(), context)
    return module, context


def texts(name: str) -> tuple[str, str]:
    """The module of a kernel as Triton prints it, with locations and without; places of files are shortened.

    The text with locations is read and printed once more: text has no place for the locations of a loop's arguments.
    """
    module, context = module_of(name)
    located = re.sub(r'loc\("[^"]*/([^"/]+\.py)"', r'loc("\1"', str(module))
    located = str(parsed(located, context))
    return _named(located), _named(module.str_nodebug())


def _named(text: str) -> str:
    """A text in which functions are called after this file, however it is run, and not after `__name__`."""
    return text.replace(f"@{__name__}.", "@kernels.").rstrip() + "\n"


def parsed(text: str, context: Any) -> Any:
    """The module that Triton reads from a text.  Raises RuntimeError if the text or the module is wrong."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        return ir.parse_mlir_module(file.name, context)


def write_all() -> None:
    """Write the data anew."""
    for name in KERNELS:
        located, plain = texts(name)
        (DATA / f"{name}.located.mlir").write_text(located, encoding="utf-8")
        (DATA / f"{name}.mlir").write_text(plain, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(write_all())
