"""Real-writer samples of module, entry, globals, control flow, printing and debug information."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any

from tests.support.real.real_kernel import Kernel, Types, vendor
from tests.support.real.real_ops_arith import INTEGERS
from tests.support.real.real_sample import Sample, one_op

Body = Callable[..., None]


def _end(op: str, *values: Any) -> Body:
    """A body that only ends, with the spelled or given operands."""
    return lambda kernel, *_: kernel.op(op, operands=values)


def _pass_on(op: str, skip: int = 0) -> Body:
    """A body that ends with its own block arguments (but the first ``skip``)."""
    return lambda kernel, *arguments: kernel.op(op, operands=arguments[skip:])


def _nothing(kernel: Kernel) -> None:
    """An empty body."""


def _for(
    name: str,
    index: str = "i32",
    carried: Sequence[str] = (),
    unsigned: bool = False,
    body: Body | None = None,
    op: str = "for",
) -> Sample:
    def build(kernel: Kernel) -> None:
        kernel.op(
            "for",
            regions=[([index, *carried], body or _pass_on("continue", 1))],
            result_types=carried,
            lowerBound=index,
            upperBound=index,
            step=index,
            initValues=carried,
            unsignedCmp=unsigned,
        )

    return Sample(op, name, build, (13, 2) if unsigned else (13, 1))


def _loop(
    name: str, body: Body, inits: Sequence[str] = (), results: Sequence[str] = (), op: str = "loop"
) -> Sample:
    def build(kernel: Kernel) -> None:
        kernel.op("loop", regions=[(inits, body)], result_types=results, initValues=inits)

    return Sample(op, name, build)


def _if(name: str, then: Body, other: Body | None, results: Sequence[str] = (), op: str = "if") -> Sample:
    """An ``if``; without ``other`` the else region has no blocks."""

    def build(kernel: Kernel) -> None:
        branch(kernel, then, other, results)

    return Sample(op, name, build)


def branch(kernel: Kernel, then: Body, other: Body | None, results: Sequence[str] = ()) -> None:
    """Emits an ``if`` on a constant; the vendor's builder writes one block per region only, so an absent else
    is spelled by hand as a region of no blocks."""
    if other is not None:
        kernel.op("if", regions=[((), then), ((), other)], result_types=results, condition="i1")
        return
    condition = kernel.value("i1")
    nested = vendor("encodings").encode_IfOp(kernel.code, [kernel.types[r] for r in results], condition)
    with nested.new_block([]):
        then(kernel)
    kernel.code.buf.append(0)
    kernel.code._make_value_tuple(len(results))


def _break_or_continue(kernel: Kernel, *arguments: Any) -> None:
    branch(kernel, _end("break", *arguments), _end("continue", *arguments))
    kernel.op("continue", operands=arguments)


def _continue_in_if(kernel: Kernel, *arguments: Any) -> None:
    branch(kernel, _end("continue", *arguments[1:]), _end("yield"))
    kernel.op("continue", operands=arguments[1:])


def _loops() -> list[Sample]:
    tile = ("4x8xf32",)
    samples = [_for("plain")]
    samples += [_for(t, index=t) for t in INTEGERS]
    samples += [
        _for("carried", carried=tile),
        _for("carried-three", carried=("f32", "token", "4xptr<f32>")),
        _for("unsigned", unsigned=True),
        _for("unsigned-carried", index="i64", carried=tile, unsigned=True),
        _for("nested", body=lambda k, *a: (_inner(k), k.op("continue"))[1]),
        _loop("break", _end("break")),
        _loop("continue", _end("continue")),
        _loop("inits", _pass_on("continue"), inits=("f32", "i32")),
        _loop("results", _pass_on("break"), inits=tile, results=tile),
        _loop("results-only", _end("break", "i32", "f32"), results=("i32", "f32")),
        _loop("differs", _end("break", "i32"), inits=("f32",), results=("i32",)),
        _loop("if", _break_or_continue, inits=("f32",), results=("f32",)),
        _loop("return", _end("return")),
        _loop("plain", _end("break"), op="break"),
        _loop("values", _pass_on("break"), inits=tile, results=tile, op="break"),
        _loop("in-if", _break_or_continue, inits=("f32",), results=("f32",), op="break"),
        _for("for", op="continue"),
        _for("for-values", carried=tile, op="continue"),
        _for("in-if", carried=("f32",), body=_continue_in_if, op="continue"),
        _loop("loop", _pass_on("continue"), inits=("f32",), op="continue"),
    ]
    return samples


def _inner(kernel: Kernel) -> None:
    kernel.op("for", regions=[(("i32",), _end("continue"))], lowerBound="i32", upperBound="i32", step="i32")


def _branches() -> list[Sample]:
    return [
        _if("plain", _end("yield"), _end("yield")),
        _if("no-else", _end("yield"), None),
        _if("result", _end("yield", "f32"), _end("yield", "f32"), ("f32",)),
        _if("results", _end("yield", "f32", "4xi32"), _end("yield", "f32", "4xi32"), ("f32", "4xi32")),
        _if("return", _end("return"), _end("yield")),
        _if("return-no-else", _end("return"), None),
        _if("yield-or-return", _end("yield", "i32"), _end("return"), ("i32",)),
        _if("plain", _end("yield"), _end("yield"), op="yield"),
        _if("values", _end("yield", "f32"), _end("yield", "f32"), ("f32",), op="yield"),
        Sample("return", "plain", _nothing),
        _if("in-if", _end("return"), _end("return"), op="return"),
        _loop("in-loop", _end("return"), op="return"),
    ]


def _debug(table: Any) -> Any:
    file = table.file("kernel.py", "/home/user")
    unit = table.compile_unit(file)
    program = table.subprogram(file, 10, "kernel", "k", unit, 11)
    return table.loc(program, "kernel.py", 10, 1)


def _with_locations(kernel: Kernel) -> None:
    table = kernel.writer.debug_attr_table
    file = table.file("kernel.py", "/home/user")
    program = table.subprogram(file, 10, "kernel", "k", table.compile_unit(file), 11)
    block = table.lexical_block(program, file, 12, 3)
    inner, outer = table.loc(block, "kernel.py", 12, 5), table.loc(program, "kernel.py", 13, 7)
    with kernel.code.debug_attr(inner):
        kernel.value("f32")
    with kernel.code.debug_attr(table.call_site(inner, outer)):
        kernel.op(
            "for", regions=[(("i32",), _end("continue"))], lowerBound="i32", upperBound="i32", step="i32"
        )


def _entries() -> list[Sample]:
    hints = vendor("attribute").EntryHints
    every = ("i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "tf32", "f8E4M3FN", "f8E5M2")
    return [
        Sample("module", "one-entry", _nothing),
        Sample("entry", "empty", _nothing),
        Sample("entry", "arguments", _nothing, arguments=every),
        Sample("entry", "arguments-f8E8M0FNU", _nothing, (13, 2), arguments=("f8E8M0FNU",)),
        Sample("entry", "arguments-fnv8E5M3FNU", _nothing, (13, 4), arguments=("fnv8E5M3FNU",)),
        Sample("entry", "pointers", _nothing, arguments=tuple(f"ptr<{t}>" for t in every)),
        Sample("entry", "ptr-none", _nothing, (13, 4), arguments=("ptr<f32,none>",)),
        Sample(
            "entry", "ptr-multicast", _nothing, (13, 5), arguments=("ptr<f32,unicast>", "ptr<f32,multicast>")
        ),
        Sample("entry", "hints", _nothing, hints={"sm_90": hints(num_cta_in_cga=2, occupancy=4)}),
        Sample(
            "entry",
            "hints-two",
            _nothing,
            hints={"sm_100": hints(num_worker_warps_per_cta=8), "default": hints(occupancy=1)},
        ),
        Sample("entry", "debug-info", _with_locations, debug=_debug),
    ]


def _global(
    name: str,
    spec: str,
    data: bytes,
    since: tuple[int, int] = (13, 1),
    op: str = "global",
    build: Callable[[Kernel], Any] = _nothing,
    **options: Any,
) -> Sample:
    def define(section: Any, types: Types) -> None:
        section.define_global("g", types[spec], data, **options)

    return Sample(op, name, build, since, global_values=define)


def _globals() -> list[Sample]:
    private = vendor("encodings").SymbolVisibility.Private
    words = struct.pack("<2i", 1, 2)
    samples = [
        _global("plain", "2xi32", words),
        _global("aligned", "2xi32", words, alignment=16),
        _global("constant", "2xi32", words, (13, 3), constant=True),
        _global("private", "2xi32", words, (13, 3), symbol_visibility=private),
        _global(
            "private-constant-aligned",
            "4xf32",
            bytes(4),
            (13, 3),
            symbol_visibility=private,
            constant=True,
            alignment=64,
        ),
    ]
    samples += [
        _global(t, f"8x{t}", bytes(size))
        for t, size in {
            "i1": 1,
            "i8": 8,
            "i16": 16,
            "i64": 64,
            "f16": 16,
            "bf16": 16,
            "f64": 64,
            "f8E5M2": 8,
            "tf32": 24,
        }.items()
    ]
    for t, size in {"i32": 4, "f32": 4, "f16": 2, "i1": 1}.items():

        def fetch(kernel: Kernel, element: str = t) -> None:
            kernel.op("get_global", result_type=f"ptr<{element}>", name="g")

        samples.append(_global(t, f"8x{t}", bytes(size), op="get_global", build=fetch))
    return samples


def _print(name: str, text: str, arguments: Sequence[str], token: bool = False) -> Sample:
    def build(kernel: Kernel) -> None:
        result = "token" if kernel.version >= (13, 2) else None
        args = [kernel.value(a) for a in arguments]
        before = kernel.value("token") if token else None
        vendor("encodings").encode_PrintTkoOp(kernel.code, kernel.types[result], args, before, text)

    return Sample("print_tko", name, build, (13, 2) if token else (13, 1))


def _three(op: str, prefix: str) -> Sample:
    """An op with one i32 result per grid dimension."""
    results: dict[str, Any] = {f"{prefix}_{dimension}_type": "i32" for dimension in "xyz"}
    return one_op(op, "plain", **results)


def _output() -> list[Sample]:
    return [
        _print("plain", "hello\n", ()),
        _print("values", "x=%d y=%f %%\n", ("i32", "4x8xf32")),
        _print("escapes", 'tab\t"quoted" back\\slash \u00e9\n', ()),
        _print("pointer", "%p", ("ptr<f32>",)),
        _print("token", "hello", (), token=True),
        _print("token-values", "%i %lld", ("i8", "i64"), token=True),
        one_op("assert", "plain", condition="i1", message="must hold"),
        one_op("assert", "tile", condition="4x8xi1", message='line\n"two"'),
        one_op("assert", "empty", condition="i1", message=""),
        _three("get_tile_block_id", "blockId"),
        _three("get_num_tile_blocks", "gridSize"),
    ]


def samples() -> list[Sample]:
    """Every sample of this family; the first of an op is its plainest."""
    return [s for family in (_entries, _globals, _loops, _branches, _output) for s in family()]
