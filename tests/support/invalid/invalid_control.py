"""Broken entries, globals, control flow, printing and debug information."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.support.invalid.invalid_sample import Invalid, bad, built
from tests.support.invalid.malformed_container import BASE
from tests.support.invalid.malformed_tables import DEBUG_GOOD, DEBUG_STRINGS, debug_section, located
from tests.support.real.real_kernel import Kernel, Types, vendor
from tests.support.real.real_ops_control import branch
from tests.support.real.real_ops_memory import view, view_value
from tests.support.synthetic.assembler import RETURN, Function

Body = Callable[..., None]


def _end(op: str, *values: Any) -> Body:
    return lambda kernel, *_: kernel.op(op, operands=values)


def _entries() -> list[Invalid]:
    scalars = "entry op must have scalar types (rank 0 !cuda_tile.tile)"
    new = "unsupported type in bytecode for entry argument #0: "
    empty = BASE.with_(functions=(Function(body=b""),)).assemble()
    private = BASE.with_(functions=(Function(flags=3),)).assemble()
    twice = BASE.with_(functions=(Function(), Function(body=RETURN))).assemble()
    return [
        Invalid(
            "entry/results",
            "entry",
            "entry op must not return values",
            results=("i32",),
            terminate=False,
            build=lambda k: k.op("return", operands=["i32"]),
        ),
        Invalid("entry/argument-rank1", "entry", scalars, arguments=("4xi32",)),
        Invalid("entry/argument-bare", "entry", new + "'f32'", arguments=("!f32",)),
        Invalid("entry/argument-token", "entry", new, arguments=("token",)),
        Invalid(
            "entry/argument-tensor-view",
            "entry",
            new,
            arguments=(lambda types: types.tensor_view("f32", [8], [1]),),
        ),
        Invalid("entry/argument-bare-13.4", "entry", new + "'f32'", arguments=("!f32",), version=(13, 4)),
        Invalid("entry/empty", "entry", "op expects a non-empty block", raw=empty),
        Invalid("entry/private", "entry", "entry op must have public symbol visibility", raw=private),
        Invalid("entry/same-name", "entry", "redefinition of symbol named 'k'", raw=twice),
        built(
            "return",
            "operands",
            "has 1 operands, but enclosing function (@k) returns 0",
            lambda k: k.op("return", operands=["i32"]),
            terminate=False,
        ),
    ]


def _global(name: str, fragment: str, spec: str, data: bytes, **options: Any) -> Invalid:
    def define(section: Any, types: Types) -> None:
        section.define_global("g", types[spec], data, **options)

    return Invalid(f"global/{name}", "global", fragment, global_values=define)


def _get_global(name: str, fragment: str, result: str, symbol: str) -> Invalid:
    def define(section: Any, types: Types) -> None:
        section.define_global("g", types["4xi32"], bytes(16))

    return Invalid(
        f"get_global/{name}",
        "get_global",
        fragment,
        global_values=define,
        build=lambda k: k.op("get_global", result_type=result, name=symbol),
    )


def _globals() -> list[Invalid]:
    pointee = "pointee type of result type '!cuda_tile.ptr<f32>' does not match type 'i32' of the global @g"
    return [
        _global("rank0", "type must have rank 1", "i32", bytes(4)),
        _global("rank2", "type must have rank 1", "2x2xi32", bytes(16)),
        _global("alignment", "", "4xi32", bytes(16), alignment=3),
        Invalid(
            "global/same-name",
            "global",
            "redefinition of symbol named 'k'",
            global_values=lambda s, t: s.define_global("k", t["4xi32"], bytes(16)),
        ),
        _get_global("missing", "'h' does not reference a valid global", "ptr<i32>", "h"),
        _get_global("entry", "'k' does not reference a valid global", "ptr<i32>", "k"),
        _get_global("pointee", pointee, "ptr<f32>", "g"),
        _get_global("rank1", "result #0 must be", "4xptr<i32>", "g"),
        _get_global("integer", "result #0 must be", "i64", "g"),
    ]


def _for(
    name: str,
    fragment: str,
    body: Body,
    arguments: Sequence[Any] = ("i32",),
    index: str = "i32",
    inits: Sequence[Any] = (),
    results: Sequence[Any] = (),
    op: str = "for",
    **given: Any,
) -> Invalid:
    def build(kernel: Kernel) -> None:
        bounds: dict[str, Any] = {"lowerBound": index, "upperBound": index, "step": index, **given}
        kernel.op("for", regions=[(arguments, body)], result_types=results, initValues=inits, **bounds)

    return built(op, name, fragment, build)


def _loop(
    name: str,
    fragment: str,
    body: Body,
    arguments: Sequence[Any] = (),
    inits: Sequence[Any] = (),
    results: Sequence[Any] = (),
    op: str = "loop",
) -> Invalid:
    def build(kernel: Kernel) -> None:
        kernel.op("loop", regions=[(arguments, body)], result_types=results, initValues=inits)

    return built(op, name, fragment, build)


def _carrying(op: str, what: str, fragment: str, as_result: bool = False) -> Invalid:
    """A loop that carries (or an ``if`` or loop that yields) a tensor_view or a view."""

    def build(kernel: Kernel) -> None:
        made = view("partition")(kernel)
        value: Any = view_value(kernel, made, "ptr<f32>")
        kind: Any = made.tensor
        if what == "view":
            value, kind = kernel.op("make_partition_view", result_type=made, tensor_view=value), made.type
        if op == "if":
            kernel.op("if", regions=[((), _end("yield", value))] * 2, condition="i1", result_types=[kind])
        elif op == "loop" and as_result:
            kernel.op("loop", regions=[((), _end("break", value))], result_types=[kind])
        elif op == "loop":
            kernel.op("loop", regions=[([kind], _end("break"))], initValues=[value])
        else:
            kernel.op(
                "for",
                regions=[(["i32", kind], lambda k, i, v: k.op("continue", operands=[v]))],
                result_types=[kind],
                lowerBound="i32",
                upperBound="i32",
                step="i32",
                initValues=[value],
            )

    return built(op, f"{'result' if as_result else 'carries'}-{what}", fragment, build, ("ptr<f32>",))


_LOOPS_DONE, _LOOPS_STOP = _end("continue"), _end("break")
_LOOPS_MISSING = (
    "`for` is missing a valid terminator. `continue` op should have operand types that match the parent loop"
)
_LOOPS_ENDLESS = (
    "`loop` is missing a valid terminator. `continue` op should have operand types that match the parent loop"
)
_LOOPS_CARRIED, _LOOPS_RESULT = "loop-carried value 0 is a ", "result type 0 is a "
_LOOPS_INITS = "mismatch in number of region iterator values and loop iterator inits: "
_LOOPS: tuple[Invalid, ...] = (
    _for(
        "no-argument",
        "expected at least one block argument for induction variable",
        _LOOPS_DONE,
        arguments=(),
    ),
    _for(
        "index-type",
        "expected induction variable to be same type as bounds and step: ",
        _LOOPS_DONE,
        arguments=("i64",),
    ),
    _for("bounds", "have same type", _LOOPS_DONE, upperBound="i64"),
    _for("float-bounds", "operand #0 must be", _LOOPS_DONE, index="f32", arguments=("f32",)),
    _for("rank1-bounds", "operand #0 must be", _LOOPS_DONE, index="4xi32", arguments=("4xi32",)),
    _for("few-inits", _LOOPS_INITS + "1 vs 0", _LOOPS_DONE, arguments=("i32", "f32")),
    _for(
        "many-inits",
        _LOOPS_INITS + "1 vs 2",
        _end("continue", "f32", "f32"),
        arguments=("i32", "f32"),
        inits=("f32", "f32"),
        results=("f32", "f32"),
    ),
    _for(
        "init-type",
        "init value 0 and region iter_value 0 have different type: '!cuda_tile.tile<f16>' !="
        " '!cuda_tile.tile<f32>'",
        _end("continue", "f16"),
        arguments=("i32", "f32"),
        inits=("f16",),
        results=("f16",),
    ),
    _for(
        "few-results",
        "failed to verify that all of {initValues, resultValues} have same type",
        _end("continue", "f32"),
        arguments=("i32", "f32"),
        inits=("f32",),
    ),
    _for(
        "result-type",
        "failed to verify that all of {initValues, resultValues} have same type",
        _end("continue", "f32"),
        arguments=("i32", "f32"),
        inits=("f32",),
        results=("f16",),
    ),
    _carrying("for", "tensor_view", _LOOPS_CARRIED + "tensor_view, which is not supported"),
    _carrying("for", "view", _LOOPS_CARRIED + "tile view, which is not supported"),
    _for("break", "expects parent op to be one of 'cuda_tile.if, cuda_tile.loop'", _LOOPS_STOP, op="break"),
    _for(
        "yield",
        "expects parent op to be one of 'cuda_tile.if, cuda_tile.reduce, cuda_tile.scan'",
        _end("yield"),
        op="yield",
    ),
    _for("return", "expects parent op to be one of", _end("return"), op="return"),
    _for(
        "for-values",
        _LOOPS_MISSING + " return types: (), but found: ('!cuda_tile.tile<f32>')",
        _end("continue", "f32"),
        op="continue",
    ),
    _for(
        "for-no-values",
        _LOOPS_MISSING + " return types: ('!cuda_tile.tile<f32>'), but found: ()",
        _LOOPS_DONE,
        arguments=("i32", "f32"),
        inits=("f32",),
        results=("f32",),
        op="continue",
    ),
    _loop("many-inits", _LOOPS_INITS + "0 vs 1", _LOOPS_STOP, inits=("f32",)),
    _loop(
        "init-type",
        "init value 0 and region iter_value 0 have different type: ",
        _LOOPS_STOP,
        arguments=("f32",),
        inits=("f16",),
    ),
    _carrying("loop", "tensor_view", _LOOPS_CARRIED + "tensor_view, which is not supported"),
    _carrying("loop", "view", _LOOPS_CARRIED + "tile view, which is not supported"),
    _carrying("loop", "tensor_view", _LOOPS_RESULT + "tensor_view, which is not supported", as_result=True),
    _carrying("loop", "view", _LOOPS_RESULT + "tile view, which is not supported", as_result=True),
    _loop(
        "loop-values",
        _LOOPS_ENDLESS + " iter_values: (), but found: ('!cuda_tile.tile<f32>')",
        _end("continue", "f32"),
        op="continue",
    ),
    _loop(
        "results",
        "operand types must correspond to the parent loop result types: () vs ('!cuda_tile.tile<f32>')",
        _LOOPS_STOP,
        results=("f32",),
        op="break",
    ),
    _loop(
        "values",
        "operand types must correspond to the parent loop result types: ('!cuda_tile.tile<f32>') vs ()",
        _end("break", "f32"),
        op="break",
    ),
    _loop(
        "loop-yield",
        "expects parent op to be one of 'cuda_tile.if, cuda_tile.reduce, cuda_tile.scan'",
        _end("yield"),
        op="yield",
    ),
)


def _if(
    name: str,
    fragment: str,
    then: Body,
    other: Body | None,
    results: Sequence[str] = (),
    op: str = "if",
    condition: str = "i1",
) -> Invalid:
    def build(kernel: Kernel) -> None:
        if condition == "i1":
            branch(kernel, then, other, results)
        else:
            kernel.op("if", regions=[((), then), ((), then)], result_types=results, condition=condition)

    return built(op, name, fragment, build)


def _branches() -> list[Invalid]:
    none, one = _end("yield"), _end("yield", "f32")
    chain = (
        "can only be nested within a ancestor chain of 'cuda_tile.for', 'cuda_tile.loop', 'cuda_tile.if'"
        " operations"
    )
    loop_chain = "can only be nested within a ancestor chain of 'cuda_tile.loop', 'cuda_tile.if' operations"

    def arguments(kernel: Kernel) -> None:
        kernel.op("if", regions=[(("i32",), lambda k, *_: k.op("yield")), ((), none)], condition="i1")

    def break_in_for(kernel: Kernel) -> None:
        def inner(kernel: Kernel, *_: Any) -> None:
            branch(kernel, _end("break"), none)
            kernel.op("continue")

        kernel.op("for", regions=[(("i32",), inner)], lowerBound="i32", upperBound="i32", step="i32")

    def no_then(kernel: Kernel) -> None:
        vendor("encodings").encode_IfOp(kernel.code, [], kernel.value("i1"))
        kernel.code.buf += b"\0\0"

    return [
        _if("then-nothing", "but then branch does not yield anything", none, one, ("f32",)),
        _if("else-nothing", "but else branch does not yield anything", one, none, ("f32",)),
        _if("then-yields", "does not return a value, but then branch yields ", one, none),
        _if("else-yields", "does not return a value, but else branch yields ", none, one),
        _if("types", "type does not match yield type, then branch yields ", one, one, ("i32",)),
        _if("no-else", "has non-empty return type, must define else branch", one, None, ("f32",)),
        _if("condition-rank1", "operand #0 must be", none, none, condition="4xi1"),
        _if("condition-i32", "operand #0 must be", none, none, condition="i32"),
        built(
            "if",
            "no-then",
            "region #0 ('thenRegion') failed to verify constraint: region with 1 blocks",
            no_then,
        ),
        built("if", "arguments", "region #0 should have no arguments", arguments),
        _carrying(
            "if", "tensor_view", "result type 0 is a tensor_view, which is not supported", as_result=True
        ),
        _carrying("if", "view", "result type 0 is a tile view, which is not supported", as_result=True),
        _if("outside", chain, _end("continue"), none, op="continue"),
        _if("outside", loop_chain, _end("break"), none, op="break"),
        built("break", "in-for", loop_chain, break_in_for),
        built("continue", "in-entry", "expects parent op to be one of", _end("continue"), terminate=False),
        built(
            "break",
            "in-entry",
            "expects parent op to be one of 'cuda_tile.if, cuda_tile.loop'",
            _end("break"),
            terminate=False,
        ),
        built("yield", "in-entry", "expects parent op to be one of", _end("yield"), terminate=False),
    ]


def _print(name: str, fragment: str, text: str, arguments: Sequence[str] = ()) -> Invalid:
    def build(kernel: Kernel) -> None:
        args = [kernel.value(a) for a in arguments]
        vendor("encodings").encode_PrintTkoOp(kernel.code, kernel.types["token"], args, None, text)

    return built("print_tko", name, fragment, build)


def _output() -> list[Invalid]:
    count = "incorrect number of operands: expected "
    return [
        _print("open", "found unterminated format expression", "x=%"),
        _print("open-flags", "found unterminated format expression", "x=%08"),
        _print("few", count + "2, found 1", "%d %d", ("i32",)),
        _print("many", count + "1, found 2", "%d", ("i32", "i32")),
        _print("none", count + "0, found 1", "100%%", ("i32",)),
        _print("token", "operand #0 must be", "%d", ("token",)),
        bad("assert", "i32", "operand #0 must be tile of i1 values", condition="4xi32", message="m"),
        bad("assert", "token", "operand #0 must be tile of i1 values", condition="token", message="m"),
        bad(
            "get_tile_block_id",
            "i64",
            "result #1 must be 0D tile of i32",
            blockId_x_type="i32",
            blockId_y_type="i64",
            blockId_z_type="i32",
        ),
        bad(
            "get_num_tile_blocks",
            "rank1",
            "result #0 must be 0D tile of i32",
            gridSize_x_type="4xi32",
            gridSize_y_type="i32",
            gridSize_z_type="i32",
        ),
    ]


def _debug(name: str, fragment: str, attributes: list[bytes], function: int, operation: int) -> Invalid:
    raw = located(debug_section(attributes, [function, operation])).assemble()
    return Invalid(f"debug/{name}", "entry", fragment, raw=raw)


def _debug_information() -> list[Invalid]:
    scope, where = "invalid function debug info scope: ", "invalid operation debug info scope: "
    block = b"\x03\x03\x01\x0c\x03"
    in_block = b"\x04\x05\x01\x0c\x05"
    other_program = b"\x05\x01\x14\x00\x00\x02\x15"
    wrong_name = [*DEBUG_GOOD[:2], b"\x05\x01\x0a\x00\x01\x02\x0b", DEBUG_GOOD[3]]
    no_function = BASE.with_(strings=DEBUG_STRINGS, functions=(Function(location=1),))
    unknown_first = no_function.with_(payloads={3: debug_section(DEBUG_GOOD, [0, 4])}).assemble()
    return [
        _debug(
            "scope-not-subprogram",
            scope + "#cuda_tile.di_lexical_block",
            [*DEBUG_GOOD, block, in_block],
            6,
            0,
        ),
        _debug(
            "scope-not-subprogram-text",
            "Function location must have cuda_tile.di_subprogram debug info scope.",
            [*DEBUG_GOOD, block, in_block],
            6,
            6,
        ),
        _debug(
            "linkage-name",
            'Function name "k" does not match subprogram scope linkage name "a.py".',
            wrong_name,
            4,
            4,
        ),
        Invalid("debug/function-undefined", "return", where, raw=unknown_first),
        _debug(
            "other-subprogram",
            "Operation debug info scope does not match function debug info scope: ",
            [*DEBUG_GOOD, other_program, b"\x04\x05\x01\x14\x01"],
            4,
            6,
        ),
        _debug(
            "function-call-site",
            "Function location must not be a CallSiteLoc.",
            [*DEBUG_GOOD, b"\x06\x04\x04"],
            5,
            4,
        ),
    ]


def rows() -> list[Invalid]:
    """Every row of this family."""
    families = (_entries, _globals, _branches, _output, _debug_information)
    return [*_LOOPS, *(row for family in families for row in family())]
