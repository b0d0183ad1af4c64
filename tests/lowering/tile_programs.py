"""Programs of `nv_tileaa`, as text: kernels whose way through the cascade tests look at."""

from __future__ import annotations

from collections.abc import Sequence

POINTER = "!nv_tileaa.ptr<f32, 1>"
TOKEN = "!nv_tileaa.mem_token"
WEAK = "mem_semantic = #nv_tileaa.mem_semantic<weak>"
SPEC = "kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>"


def kernel(name: str, arguments: str, body: str) -> str:
    """A kernel; ``arguments`` are written ``%a: type; %b: type``."""
    parts = [part.strip() for part in arguments.split(";") if part.strip()]
    types = ", ".join(part.partition(": ")[2] for part in parts)
    head = f"^bb0({', '.join(parts)}):\n" if parts else ""
    return (
        f'"nv_tileaa.func"() <{{function_type = ({types}) -> (), sym_name = "{name}", {SPEC}}}> ({{\n{head}'
        f'{body}\n"nv_tileaa.return"() : () -> ()\n}}) : () -> ()\n'
    )


def tensor(shape: Sequence[int], element: str = "f32") -> str:
    """A tile type."""
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def matrix(rank: int) -> str:
    """A row-major memory object of unknown extents."""
    strides = ", ".join(["?"] * (rank - 1) + ["1"])
    return f"!nv_tileaa.memref<{'?x' * rank}f32, strides = [{strides}]>"


def view_type(tile: Sequence[int]) -> str:
    """The type of a view of a matrix."""
    return f"!nv_tileaa.tiled_view<{matrix(len(tile))}, {list(tile)}>"


def view(
    name: str, pointer: str, sizes: Sequence[str], tile: Sequence[int], strides: Sequence[str] | None = None
) -> str:
    """A matrix cut into tiles; all strides but the last are given for more than two dimensions."""
    rank = len(tile)
    numbers = [*sizes, *(sizes[1:] if strides is None else strides)]
    groups = ", ".join(f"array<i64: {at}>" for at in range(rank))
    memory = matrix(rank)
    return f"""
%{name}_m = "nv_tileaa.make_memref"({", ".join([pointer, *numbers])})
  <{{operandSegmentSizes = array<i32: 1, 0, {rank}, {rank - 1}>}}>
  : ({", ".join([POINTER, *["i32"] * len(numbers)])}) -> {memory}
%{name} = "nv_tileaa.block_tile"(%{name}_m)
  <{{dimGroups = [{groups}], tileSizes = array<i64: {", ".join(map(str, tile))}>}}> : ({memory}) -> {view_type(tile)}
"""


def load(name: str, source: str, tile: Sequence[int], at: Sequence[str]) -> str:
    """A tile of a view: ``%name#0``, padded with zeros."""
    outside = ", ".join(["false"] * len(tile))
    return f"""
%{name}:2 = "nv_tileaa.tiled_load"({", ".join([source, *at, "%t"])})
  <{{operandSegmentSizes = array<i32: 1, {len(at)}, 1>, {WEAK},
    in_bounds = array<i1: {outside}>, padding_value = #nv_tileaa.padding_value<zero>}}>
  : ({", ".join([view_type(tile), *["i32"] * len(at), TOKEN])}) -> ({tensor(tile)}, {TOKEN})
"""


def store(target: str, value: str, tile: Sequence[int], at: Sequence[str]) -> str:
    """A tile into a view."""
    return f"""
%done{value.strip("%").partition("#")[0]} = "nv_tileaa.tiled_store"({", ".join([target, value, *at, "%t"])})
  <{{operandSegmentSizes = array<i32: 1, 1, {len(at)}, 1>, {WEAK}}}>
  : ({", ".join([view_type(tile), tensor(tile), *["i32"] * len(at), TOKEN])}) -> {TOKEN}
"""


def along_rows(name: str, value: str, shape: Sequence[int], combine: str) -> str:
    """What the elements of each row are together, for every element of the row: ``%name``."""
    rows = shape[0]
    return f"""
%{name}_r = "nv_tileaa.reduce"({value}) <{{axis = 1 : i32}}> ({{
^bb0(%p: f32, %q: f32):
  %s = {combine} : {"f32" if combine.startswith("arith") else "(f32, f32) -> f32"}
  "nv_tileaa.yield"(%s) : (f32) -> ()
}}) : ({tensor(shape)}) -> {tensor([rows])}
%{name}_e = "nv_tileaa.expand_dims"(%{name}_r) <{{axis = 1 : i32}}> : ({tensor([rows])}) -> {tensor([rows, 1])}
%{name} = "nv_tileaa.broadcast"(%{name}_e) : ({tensor([rows, 1])}) -> {tensor(shape)}
"""


START = f"""
%i = "nv_tileaa.get_program_id"() <{{axis = 0 : i32}}> : () -> i32
%j = "nv_tileaa.get_program_id"() <{{axis = 1 : i32}}> : () -> i32
%z = arith.constant 0 : i32
%t = "nv_tileaa.create_mem_token"() : () -> {TOKEN}
"""
ROUNDED = "rounding_mode = #nv_tileaa.rounding_mode<nearest_even>"


def binary(name: str, operation: str, left: str, right: str, shape: Sequence[int]) -> str:
    """A sum or the like, rounded to nearest."""
    tile = tensor(shape)
    return (
        f'%{name} = "nv_tileaa.{operation}"({left}, {right}) <{{{ROUNDED}}}> : ({tile}, {tile}) -> {tile}\n'
    )


ROWS = (2, 256)


def softmax() -> str:
    """Rows of up to 256 elements; the padding counts as zeros."""
    body = START + view("va", "%a", ["%n", "%m"], ROWS) + view("vc", "%c", ["%n", "%m"], ROWS)
    body += load("x", "%va", ROWS, ["%i", "%z"]) + along_rows("most", "%x#0", ROWS, "arith.maximumf %p, %q")
    body += binary("d", "subf", "%x#0", "%most", ROWS)
    body += f"%e = math.exp %d : {tensor(ROWS)}\n"
    body += along_rows("sum", "%e", ROWS, f'"nv_tileaa.addf"(%p, %q) <{{{ROUNDED}}}>')
    body += binary("o", "divf", "%e", "%sum", ROWS) + store("%vc", "%o", ROWS, ["%i", "%z"])
    return kernel("softmax", f"%a: {POINTER}; %c: {POINTER}; %n: i32; %m: i32", body)


def layer_norm() -> str:
    """Rows of 256 elements, moved to mean 0 and variance 1, then scaled and shifted element by element."""
    tile, row = tensor(ROWS), tensor(ROWS[1:])
    body = START + view("va", "%a", ["%n", "%m"], ROWS) + view("vc", "%c", ["%n", "%m"], ROWS)
    body += view("vw", "%w", ["%m"], ROWS[1:]) + view("vb", "%b", ["%m"], ROWS[1:])
    body += load("x", "%va", ROWS, ["%i", "%z"])
    body += load("wr", "%vw", ROWS[1:], ["%z"]) + load("br", "%vb", ROWS[1:], ["%z"])
    add = f'"nv_tileaa.addf"(%p, %q) <{{{ROUNDED}}}>'
    body += f'%count = "nv_tileaa.splat"() <{{value = 256.0 : f32}}> : () -> {tile}\n'
    body += f'%small = "nv_tileaa.splat"() <{{value = 1.0e-5 : f32}}> : () -> {tile}\n'
    body += along_rows("sum", "%x#0", ROWS, add) + binary("mean", "divf", "%sum", "%count", ROWS)
    body += binary("d", "subf", "%x#0", "%mean", ROWS) + binary("dd", "mulf", "%d", "%d", ROWS)
    body += along_rows("sq", "%dd", ROWS, add) + binary("var", "divf", "%sq", "%count", ROWS)
    body += binary("shifted", "addf", "%var", "%small", ROWS)
    body += f'%r = "nv_tileaa.rsqrt"(%shifted) : ({tile}) -> {tile}\n' + binary("y", "mulf", "%d", "%r", ROWS)
    for name in ("w", "b"):
        flat = tensor([1, ROWS[1]])
        body += f'%{name}1 = "nv_tileaa.view"(%{name}r#0) : ({row}) -> {flat}\n'
        body += f'%{name}2 = "nv_tileaa.broadcast"(%{name}1) : ({flat}) -> {tile}\n'
    body += f'%o = "nv_tileaa.fma"(%y, %w2, %b2) <{{{ROUNDED}}}> : ({tile}, {tile}, {tile}) -> {tile}\n'
    body += store("%vc", "%o", ROWS, ["%i", "%z"])
    pointers = "; ".join(f"%{name}: {POINTER}" for name in ("a", "w", "b", "c"))
    return kernel("layer_norm", f"{pointers}; %n: i32; %m: i32", body)


PRODUCT = (32, 64, 16)
"""Rows, columns and depth of a tile of a product."""


def matmul(precision: str = "") -> str:
    """The product of two matrices whose depth is a multiple of 16; the right-hand one is stored turned."""
    m, n, k = PRODUCT
    body = START + view("va", "%a", ["%n", "%n"], (m, k)) + view("vb", "%b", ["%n", "%n"], (n, k))
    body += view("vc", "%c", ["%n", "%n"], (m, n))
    body += f'%zero = "nv_tileaa.splat"() <{{value = 0.0 : f32}}> : () -> {tensor((m, n))}\n'
    body += f"%one = arith.constant 1 : i32\n%depth = arith.constant {k} : i32\n"
    body += "%rounds = arith.divsi %n, %depth : i32\n"
    body += (
        f"%r = scf.for %k = %z to %rounds step %one iter_args(%acc = %zero) -> ({tensor((m, n))}) : i32 {{"
    )
    body += load("x", "%va", (m, k), ["%i", "%k"]) + load("y", "%vb", (n, k), ["%j", "%k"])
    body += '%u = "nv_tileaa.permute"(%y#0) <{permutation = array<i64: 1, 0>}> '
    body += f": ({tensor((n, k))}) -> {tensor((k, n))}\n"
    body += f'%p = "nv_tileaa.dot"(%x#0, %u, %acc) <{{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>{precision}}}> '
    body += f": ({tensor((m, k))}, {tensor((k, n))}, {tensor((m, n))}) -> {tensor((m, n))}\n"
    body += f"scf.yield %p : {tensor((m, n))}\n}}\n" + store("%vc", "%r", (m, n), ["%i", "%j"])
    return kernel("matmul", f"%a: {POINTER}; %b: {POINTER}; %c: {POINTER}; %n: i32", body)


def shuffled() -> str:
    """A tile of 4 x 8 through views, a permutation, slices and a concatenation, into one of 8 x 8."""
    small, large = (4, 8), (8, 8)
    body = START + view("va", "%a", ["%n", "%m"], small) + view("vc", "%c", ["%m", "%m"], large)
    body += load("x", "%va", small, ["%z", "%z"])
    body += f'%r = "nv_tileaa.view"(%x#0) : ({tensor(small)}) -> {tensor((8, 4))}\n'
    body += f'%p = "nv_tileaa.permute"(%r) <{{permutation = array<i64: 1, 0>}}> : ({tensor((8, 4))}) -> {tensor(small)}\n'
    body += f'%w = "nv_tileaa.cat"(%x#0, %p) <{{axis = 0 : i32}}> : ({tensor(small)}, {tensor(small)}) -> {tensor(large)}\n'
    body += f'%s = "nv_tileaa.extract_slice"(%w, %one, %z) <{{sizes = array<i64: 4, 8>}}> : ({tensor(large)}, i32, i32) -> {tensor(small)}\n'
    body += f'%v = "nv_tileaa.cat"(%s, %p) <{{axis = 0 : i32}}> : ({tensor(small)}, {tensor(small)}) -> {tensor(large)}\n'
    body += store("%vc", "%v", large, ["%z", "%z"])
    return kernel(
        "shuffled",
        f"%a: {POINTER}; %c: {POINTER}; %n: i32; %m: i32",
        "%one = arith.constant 1 : i32\n" + body,
    )


PROGRAMS = {"softmax": softmax, "layer_norm": layer_norm, "matmul": matmul, "shuffled": shuffled}
