"""The programs that are measured, of any number of operations: `FAMILIES` as generic text that every subject reads,
`OWN_FAMILIES` as text that only this project is asked to read."""

from __future__ import annotations

from collections.abc import Iterator

_LOOP_OPS = 18
"""Operations of one loop of the ``mixed`` family, the loop itself and its terminator included."""


def fold(count: int) -> str:
    """Chains of integer constants and additions: ``count`` operations, one function around them."""
    return _function("", "", _chain(count))


def mixed(count: int) -> str:
    """Loops with loads, stores, float and integer arithmetic and comparisons: about ``count`` operations."""
    types = "memref<128xf32>, index, index, index"
    header = "  ^bb0(%m: memref<128xf32>, %from: index, %to: index, %step: index):\n"
    lines = ['    %seed = "arith.constant"() <{value = 7 : i32}> : () -> i32']
    for number in range(max(1, count // _LOOP_OPS)):
        lines.extend(_loop(number))
    return _function(types, header, iter(lines))


def _function(types: str, header: str, body: Iterator[str]) -> str:
    signature = f'function_type = ({types}) -> (), sym_name = "main"'
    lines = "\n".join(body)
    return (
        f'"builtin.module"() ({{\n  "func.func"() <{{{signature}}}> ({{\n{header}{lines}\n'
        '    "func.return"() : () -> ()\n  }) : () -> ()\n}) : () -> ()\n'
    )


def _chain(count: int) -> Iterator[str]:
    addition = "<{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32"
    yield '    %0 = "arith.constant"() <{value = 0 : i32}> : () -> i32'
    last = 0
    for number in range(1, count, 2):
        yield f'    %{number} = "arith.constant"() <{{value = {number % 100} : i32}}> : () -> i32'
        yield f'    %{number + 1} = "arith.addi"(%{last}, %{number}) {addition}'
        last = number + 1


def _loop(number: int) -> Iterator[str]:
    def v(name: str) -> str:
        return f"%{name}{number}"

    math = "<{fastmath = #arith.fastmath<none>}>"
    floats, integers = "(f32, f32) -> f32", "(i32, i32) -> i32"
    flags = "<{overflowFlags = #arith.overflow<none>}>"
    yield '    "scf.for"(%from, %to, %step) ({'
    yield f"    ^bb0({v('i')}: index):"
    body = [
        f'{v("c")} = "arith.constant"() <{{value = {number % 64}.5 : f32}}> : () -> f32',
        f'{v("k")} = "arith.constant"() <{{value = {number % 100} : i32}}> : () -> i32',
        f'{v("a")} = "memref.load"(%m, {v("i")}) : (memref<128xf32>, index) -> f32',
        f'{v("b")} = "arith.mulf"({v("a")}, {v("c")}) {math} : {floats}',
        f'{v("d")} = "arith.addf"({v("b")}, {v("a")}) {math} : {floats}',
        f'{v("e")} = "math.exp"({v("d")}) {math} : (f32) -> f32',
        f'{v("f")} = "arith.divf"({v("e")}, {v("c")}) {math} : {floats}',
        f'{v("g")} = "arith.index_cast"({v("i")}) : (index) -> i32',
        f'{v("h")} = "arith.addi"({v("g")}, %seed) {flags} : {integers}',
        f'{v("j")} = "arith.muli"({v("h")}, {v("k")}) {flags} : {integers}',
        f'{v("l")} = "arith.subi"({v("j")}, {v("g")}) {flags} : {integers}',
        f'{v("n")} = "arith.cmpi"({v("l")}, {v("k")}) <{{predicate = 2 : i64}}> : (i32, i32) -> i1',
        f'{v("o")} = "arith.select"({v("n")}, {v("f")}, {v("d")}) : (i1, f32, f32) -> f32',
        f'{v("p")} = "math.sqrt"({v("o")}) {math} : (f32) -> f32',
        f'{v("q")} = "arith.maximumf"({v("p")}, {v("a")}) {math} : {floats}',
        f'"memref.store"({v("q")}, %m, {v("i")}) : (f32, memref<128xf32>, index) -> ()',
        '"scf.yield"() : () -> ()',
    ]
    for line in body:
        yield f"      {line}"
    yield "    }) : (index, index, index) -> ()"


FAMILIES = {"fold": fold, "mixed": mixed}


def llvm(count: int) -> str:
    """A function of constants, arithmetic, comparisons and memory accesses: about ``count`` operations."""
    lines: list[str] = []
    for number in range(max(1, count // 6)):
        lines += [
            f"%c{number} = llvm.mlir.constant({number % 100} : i32) : i32",
            f"%a{number} = llvm.add %x, %c{number} : i32",
            f"%b{number} = llvm.mul %a{number}, %x overflow<nsw> : i32",
            f'%d{number} = llvm.icmp "slt" %b{number}, %c{number} : i32',
            f"%e{number} = llvm.select %d{number}, %a{number}, %b{number} : i1, i32",
            f"llvm.store %e{number}, %p : i32, !llvm.ptr",
        ]
    body = "\n".join([*lines, "llvm.return"])
    return f"module {{\nllvm.func @main(%x: i32, %p: !llvm.ptr) {{\n{body}\n}}\n}}\n"


def cuda_tile(count: int) -> str:
    """A kernel whose loops compute on tiles: about ``count`` operations."""
    tile, floats = "tile<128xi32>", "tile<128xf32>"
    lines: list[str] = []
    for number in range(max(1, count // 8)):
        lines += [
            "for %i in (%from to %to, step %step) : tile<i32> {",
            f"%c = constant <i32: {number % 100}> : {tile}",
            f"%j = iota : {tile}",
            f"%a = addi %j, %c : {tile}",
            f"%b = itof %a signed : {tile} -> {floats}",
            f"%d = mulf %b, %b : {floats}",
            f"%e = exp %d : {floats}",
            f"%f = cmpi less_than %a, %j, signed : {tile} -> tile<128xi1>",
            "}",
        ]
    body = "\n".join([*lines, "return"])
    return f"cuda_tile.module @m {{\nentry @k(%from: tile<i32>, %to: tile<i32>, %step: tile<i32>) {{\n{body}\n}}\n}}\n"


OWN_FAMILIES = {**FAMILIES, "llvm": llvm, "cuda_tile": cuda_tile}
