"""Rules of modules, kernels, globals, control flow, printing and asserting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.dialects.cuda_tile.scratch import (
    Body,
    Broken,
    Legal,
    Scratch,
    broken,
    built,
    end,
    ids,
    legal,
    type_of,
)
from tests.dialects.cuda_tile.views import tensor, view
from tilewright.ir.builtin_attributes import StringAttr, dense, splat
from tilewright.ir.builtin_types import FunctionType

IF_LOOP = "expects parent op to be one of 'cuda_tile.if, cuda_tile.loop'"
FOLDS = "expects parent op to be one of 'cuda_tile.if, cuda_tile.reduce, cuda_tile.scan'"
LOOPS = "expects parent op to be one of 'cuda_tile.for, cuda_tile.if, cuda_tile.loop'"
KERNEL = (
    "expects parent op to be one of 'cuda_tile.entry, cuda_tile.preview$func, cuda_tile.if, cuda_tile.loop'"
)
CHAIN = "can only be nested within a ancestor chain of {} operations"
INTEGER = "0D tile of i1 or i8 or i16 or i32 or i64 values"
DONE, STOP, RETURN = end("continue"), end("break"), end("return")


def counting(
    body: Body = DONE,
    arguments: Sequence[Any] = ("i32",),
    index: str = "i32",
    inits: Sequence[Any] = (),
    results: Sequence[Any] | None = None,
    **given: Any,
) -> Any:
    """Builds a `for`."""
    bounds = {"lower_bound": index, "upper_bound": index, "step": index, **given}
    return lambda s: s.op("for", regions=[(arguments, body)], init_values=inits, results=results, **bounds)


def endless(
    body: Body = STOP,
    arguments: Sequence[Any] = (),
    inits: Sequence[Any] = (),
    results: Sequence[Any] | None = None,
) -> Any:
    """Builds a `loop`."""
    return lambda s: s.op("loop", regions=[(arguments, body)], init_values=inits, results=results)


def branching(
    then: Body | None,
    other: Body | None,
    results: Sequence[Any] | None = None,
    condition: Any = "i1",
    arguments: Sequence[Any] = (),
) -> Any:
    """Builds an `if`; without ``other`` there is no else region."""
    regions = [None if body is None else (arguments, body) for body in (then, other)]
    return lambda s: s.op("if", regions=regions, condition=condition, results=results)


def nested(build: Any, mnemonic: str = "continue", *values: Any) -> Body:
    """A body that makes something and ends."""
    return lambda s, *_: (build(s), s.op(mnemonic, operands_=values))[1]


def module(content: Body) -> Any:
    """Builds a module."""
    return lambda s: s.op("module", regions=[((), content)], sym_name="m")


def kernel(
    body: Body = RETURN,
    arguments: Sequence[Any] = (),
    signature: Sequence[Any] | None = None,
    results: Sequence[Any] = (),
    name: str = "k",
    **given: Any,
) -> Body:
    """Makes an `entry`."""
    inputs = arguments if signature is None else signature
    kind = FunctionType(tuple(map(type_of, inputs)), tuple(map(type_of, results)))
    return lambda s, *_: s.op(
        "entry", regions=[(arguments, body)], sym_name=name, function_type=kind, **given
    )


def variable(spec: str = "4xi32", name: str = "g", **given: Any) -> Body:
    """Makes a `global`."""
    return lambda s, *_: s.op("global", sym_name=name, value=splat(type_of(spec), 0), **given)


def both(*parts: Body) -> Body:
    """Several things after each other."""
    return lambda s, *_: [part(s) for part in parts]


def _private_kernel(scratch: Scratch, *_: Any) -> None:
    made: Any = kernel()
    made(scratch).attributes["sym_visibility"] = StringAttr("private")


def _kernels() -> list[Broken]:
    bare = "unsupported type in bytecode for entry argument #0: '{}'; expected a rank-0 !cuda_tile.tile type"
    return [
        built(
            "entry",
            "results",
            "entry op must not return values",
            module(kernel(end("return", "i32"), results=["i32"])),
        ),
        built(
            "entry",
            "argument-rank1",
            "entry op must have scalar types (rank 0 !cuda_tile.tile)",
            module(kernel(arguments=["4xi32"])),
        ),
        built(
            "entry",
            "argument-token",
            bare.format("!cuda_tile.token"),
            module(kernel(arguments=["token"])),
            whole=True,
        ),
        built(
            "entry", "argument-view", bare.format(tensor()), module(kernel(arguments=[tensor()])), whole=True
        ),
        built("entry", "private", "entry op must have public symbol visibility", module(_private_kernel)),
        built("entry", "empty", "expects a non-empty block", module(kernel(lambda *_: None))),
        built(
            "entry",
            "few-arguments",
            "entry block must have 1 arguments to match function signature",
            module(kernel(signature=["i32"])),
        ),
        built(
            "entry",
            "argument-type",
            "type of entry block argument #0('!cuda_tile.tile<i32>') must match the type of"
            " the corresponding argument in function signature('!cuda_tile.tile<i64>')",
            module(kernel(arguments=["i32"], signature=["i64"])),
        ),
        built(
            "entry",
            "same-name",
            "redefinition of symbol named 'k'",
            module(both(kernel(), kernel())),
            whole=True,
        ),
        built(
            "global",
            "same-name",
            "redefinition of symbol named 'g'",
            module(both(variable(), variable("2xf32"))),
            whole=True,
        ),
        built("global", "rank0", "type must have rank 1", module(variable("i32"))),
        built("global", "rank2", "type must have rank 1", module(variable("2x2xi32"))),
        built(
            "return",
            "operands",
            "has 1 operands, but enclosing function (@k) returns 0",
            module(kernel(end("return", "i32"))),
        ),
    ]


def _fetch(name: str, message: str, result: str, symbol: str) -> Broken:
    body: Body = nested(lambda s: s.op("get_global", global_name=symbol, results=[result]), "return")
    return built("get_global", name, message, module(both(variable(), kernel(body))))


def _globals() -> list[Broken]:
    pointer = "result #0 must be 0D tile of Pointer type values, but got '!cuda_tile.tile<{}>'"
    return [
        _fetch("missing", "'h' does not reference a valid global", "ptr<i32>", "h"),
        _fetch("entry", "'k' does not reference a valid global", "ptr<i32>", "k"),
        _fetch(
            "pointee",
            "pointee type of result type '!cuda_tile.ptr<f32>' does not match type 'i32' of the global @g",
            "ptr<f32>",
            "g",
        ),
        _fetch("rank1", pointer.format("4xptr<i32>"), "4xptr<i32>", "g"),
        _fetch("integer", pointer.format("i64"), "i64", "g"),
    ]


INITS = "mismatch in number of region iterator values and loop iterator inits: "
OTHER = "init value 0 and region iter_value 0 have different type: '!cuda_tile.tile<f16>' != '!cuda_tile.tile<f32>'"
MISSING = "`{}` is missing a valid terminator. `continue` op should have operand types that match the parent loop {}"


def _counting_loops() -> list[Broken]:
    same = "failed to verify that all of {{{}}} have same type"
    carried = same.format("initValues, resultValues")
    returns = MISSING.format("for", "return types: ({}), but found: ({})")
    f32 = "'!cuda_tile.tile<f32>'"
    keep: Body = end("continue", "f32")
    return [
        built(
            "for",
            "no-argument",
            "expected at least one block argument for induction variable",
            counting(arguments=()),
        ),
        built(
            "for",
            "index",
            "expected induction variable to be same type as bounds and step: '!cuda_tile.tile<i64>'"
            " vs '!cuda_tile.tile<i32>'",
            counting(arguments=("i64",)),
        ),
        built("for", "bounds", same.format("lowerBound, upperBound, step"), counting(upper_bound="i64")),
        built(
            "for",
            "float",
            f"operand #0 must be {INTEGER}, but got '!cuda_tile.tile<f32>'",
            counting(index="f32", arguments=("f32",)),
        ),
        built(
            "for",
            "rank1",
            f"operand #0 must be {INTEGER}, but got '!cuda_tile.tile<4xi32>'",
            counting(index="4xi32", arguments=("4xi32",)),
        ),
        built("for", "few-inits", INITS + "1 vs 0", counting(arguments=("i32", "f32"))),
        built(
            "for",
            "many-inits",
            INITS + "1 vs 2",
            counting(end("continue", "f32", "f32"), ("i32", "f32"), inits=("f32", "f32")),
        ),
        built("for", "init-type", OTHER, counting(end("continue", "f16"), ("i32", "f32"), inits=("f16",))),
        built("for", "few-results", carried, counting(keep, ("i32", "f32"), inits=("f32",), results=())),
        built(
            "for", "result-type", carried, counting(keep, ("i32", "f32"), inits=("f32",), results=("f16",))
        ),
        built("for", "break", IF_LOOP, counting(STOP), "break"),
        built("for", "yield", FOLDS, counting(end("yield")), "yield"),
        built("for", "return", KERNEL, counting(end("return")), "return"),
        built("for", "values", returns.format("", f32), counting(keep), "continue", whole=True),
        built(
            "for",
            "no-values",
            returns.format(f32, ""),
            counting(DONE, ("i32", "f32"), inits=("f32",)),
            "continue",
            whole=True,
        ),
    ]


def _endless_loops() -> list[Broken]:
    values = "operand types must correspond to the parent loop result types: ({}) vs ({})"
    feeds = MISSING.format("loop", "iter_values: ({}), but found: ({})")
    f32, i32 = "'!cuda_tile.tile<f32>'", "'!cuda_tile.tile<i32>'"
    return [
        built("loop", "many-inits", INITS + "0 vs 1", endless(inits=("f32",))),
        built("loop", "init-type", OTHER, endless(arguments=("f32",), inits=("f16",))),
        built(
            "loop",
            "continue-values",
            feeds.format("", f32),
            endless(end("continue", "f32")),
            "continue",
            whole=True,
        ),
        built("loop", "break-nothing", values.format("", f32), endless(results=("f32",)), "break"),
        built(
            "loop", "break-values", values.format(f32, ""), endless(end("break", "f32"), results=()), "break"
        ),
        built(
            "loop",
            "break-types",
            values.format(f"{f32}, {i32}", f"{f32}, {f32}"),
            endless(end("break", "f32", "i32"), results=("f32", "f32")),
            "break",
        ),
        built("loop", "yield", FOLDS, endless(end("yield")), "yield"),
    ]


def _views() -> list[Broken]:
    rows: list[Broken] = []
    for word, kind in (("tensor_view", tensor()), ("tile view", view())):
        carried = f"loop-carried value 0 is a {word}, which is not supported"
        result = f"result type 0 is a {word}, which is not supported"
        name = word.replace(" ", "-")
        rows += [
            built(
                "for",
                f"carries-{name}",
                carried,
                counting(lambda s, i, v: s.op("continue", operands_=[v]), ("i32", kind), inits=(kind,)),
            ),
            built("loop", f"carries-{name}", carried, endless(arguments=(kind,), inits=(kind,))),
            built("loop", f"result-{name}", result, endless(end("break", kind))),
            built("if", f"result-{name}", result, branching(end("yield", kind), end("yield", kind))),
        ]
    return rows


def _branches() -> list[Broken]:
    none, one = end("yield"), end("yield", "f32")
    f32, i32 = "'!cuda_tile.tile<f32>'", "'!cuda_tile.tile<i32>'"
    silent = f"has return type of {f32} but {{}} branch does not yield anything"
    loud = f"does not return a value, but {{}} branch yields {f32}"
    condition = "operand #0 must be 0D tile of i1 values, but got '!cuda_tile.tile<{}>'"
    loops = CHAIN.format("'cuda_tile.for', 'cuda_tile.loop', 'cuda_tile.if'")
    only_loops = CHAIN.format("'cuda_tile.loop', 'cuda_tile.if'")
    return [
        built("if", "then-nothing", silent.format("then"), branching(none, one, ("f32",))),
        built("if", "else-nothing", silent.format("else"), branching(one, none, ("f32",))),
        built("if", "then-yields", loud.format("then"), branching(one, none, ())),
        built("if", "else-yields", loud.format("else"), branching(none, one, ())),
        built(
            "if",
            "types",
            f"type does not match yield type, then branch yields {f32} but op result type is {i32}",
            branching(one, one, ("i32",)),
        ),
        built(
            "if",
            "no-else",
            "has non-empty return type, must define else branch",
            branching(one, None, ("f32",)),
        ),
        built(
            "if",
            "no-then",
            "region #0 ('thenRegion') failed to verify constraint: region with 1 blocks",
            branching(None, none, ()),
        ),
        built(
            "if",
            "arguments",
            "region #0 should have no arguments",
            branching(none, none, (), arguments=("i32",)),
        ),
        built("if", "condition-rank1", condition.format("4xi1"), branching(none, none, (), "4xi1")),
        built("if", "condition-i32", condition.format("i32"), branching(none, none, (), "i32")),
        built("continue", "outside", loops, module(kernel(nested(branching(DONE, none), "return")))),
        built("break", "outside", only_loops, module(kernel(nested(branching(STOP, none), "return")))),
        built("break", "in-for", only_loops, counting(nested(branching(STOP, none)))),
        built("continue", "in-entry", LOOPS, module(kernel(DONE))),
        built("break", "in-entry", IF_LOOP, module(kernel(STOP))),
        built("yield", "in-entry", FOLDS, module(kernel(end("yield")))),
        built(
            "for",
            "no-terminator",
            'block with no terminator, has %0 = "cuda_tile.make_token"() : () -> !cuda_tile.token',
            counting(lambda s, *_: s.op("make_token")),
            "make_token",
            whole=True,
        ),
    ]


def _output() -> list[Broken]:
    count = "incorrect number of operands: expected {}, found {}"
    open_ = "found unterminated format expression"

    def text(name: str, message: str, format: str, *args: str) -> Broken:
        return broken("print_tko", name, message, format=format, args=args)

    return [
        text("open", open_, "x=%"),
        text("open-flags", open_, "x=%08"),
        text("half-literal", open_, "%5%"),
        text("few", count.format(2, 1), "%d %d", "i32"),
        text("many", count.format(1, 2), "%d", "i32", "i32"),
        text("literal", count.format(0, 1), "100%%", "i32"),
        text("token", "operand #0 must be variadic of Tile type, but got '!cuda_tile.token'", "%d", "token"),
        broken(
            "assert",
            "i32",
            "operand #0 must be tile of i1 values, but got '!cuda_tile.tile<4xi32>'",
            condition="4xi32",
            message="m",
        ),
        broken(
            "get_tile_block_id",
            "i64",
            "result #1 must be 0D tile of i32 values, but got '!cuda_tile.tile<i64>'",
            results=["i32", "i64", "i32"],
        ),
        broken(
            "get_num_tile_blocks",
            "rank1",
            "result #0 must be 0D tile of i32 values, but got '!cuda_tile.tile<4xi32>'",
            results=["4xi32", "i32", "i32"],
        ),
    ]


def _break_or_continue(s: Scratch, *arguments: Any) -> None:
    branching(end("break", *arguments), end("continue", *arguments), ())(s)
    s.op("continue", operands_=arguments)


def _pass_on(scratch: Scratch, _: Any, *values: Any) -> None:
    scratch.op("continue", operands_=values)


def _yield_or_return(scratch: Scratch, argument: Any, condition: Any) -> None:
    branching(end("yield", argument), RETURN, condition=condition)(scratch)
    scratch.op("return")


def _legal() -> list[Legal]:
    none = end("yield")
    fetch: Body = nested(lambda s: s.op("get_global", global_name="g", results=["ptr<i32>"]), "return")
    carried = ("f32", "token", "4xptr<f32>")
    rows = [
        Legal("module", "empty", module(lambda *_: None)),
        Legal("entry", "arguments", module(kernel(arguments=["i32", "ptr<f32>", "f64", "f8E5M2"]))),
        Legal("get_global", "plain", module(both(variable(), kernel(fetch)))),
        Legal("global", "all", module(variable(alignment=16, constant=True, symbol_visibility="private"))),
        Legal(
            "global",
            "words",
            module(lambda s, *_: s.op("global", sym_name="g", value=dense(type_of("2xi32"), [1, 2]))),
        ),
        Legal("for", "carried", counting(_pass_on, ("i64", *carried), "i64", carried, unsigned_cmp=True)),
        Legal("for", "nested", counting(nested(counting()))),
        Legal("for", "continue-in-if", counting(nested(branching(DONE, none)))),
        Legal("loop", "break", endless()),
        Legal("loop", "differs", endless(end("break", "i32"), ("f32",), ("f32",))),
        Legal("loop", "exits", endless(_break_or_continue, ("f32",), ("f32",), ("f32",))),
        Legal("loop", "return", module(kernel(nested(endless(end("return"), results=()), "return")))),
        Legal("if", "plain", branching(none, none)),
        Legal("if", "no-else", branching(none, None)),
        Legal("if", "results", branching(end("yield", *carried), end("yield", *carried))),
        Legal("if", "yield-or-return", module(kernel(_yield_or_return, ["i32", "i1"]))),
        legal(
            "print_tko",
            "values",
            format="%i %% %-5.3f %p %lld %s",
            args=["i8", "4xf32", "ptr<f32>", "i64", "i8"],
            token="token",
        ),
        legal("assert", "tile", condition="4x8xi1", message="m"),
    ]
    rows += [legal(op, "plain") for op in ("get_tile_block_id", "get_num_tile_blocks")]
    return rows + [
        Legal("for", t, counting(arguments=(t,), index=t)) for t in ("i1", "i8", "i16", "i32", "i64")
    ]


BROKEN = [
    row
    for family in (_kernels, _globals, _counting_loops, _endless_loops, _views, _branches, _output)
    for row in family()
]
LEGAL = _legal()


@pytest.mark.parametrize("row", BROKEN, ids=ids(BROKEN))
def test_broken(row: Broken) -> None:
    row.check()


@pytest.mark.parametrize("row", LEGAL, ids=ids(LEGAL))
def test_legal(row: Legal) -> None:
    row.check()


def test_second_terminator() -> None:
    scratch = Scratch()
    branching(nested(lambda s: s.op("yield"), "yield"), end("yield"))(scratch)
    (found,) = scratch.verify()
    assert found.message == "'cuda_tile.yield' op must be the last operation in the parent block"
    assert found.location is scratch.made[0].location


def test_redefinition_names_the_first() -> None:
    scratch = Scratch()
    module(both(variable(), variable()))(scratch)
    (found,) = scratch.verify()
    assert [note.message for note in found.notes] == ["see existing symbol definition here"]
    assert found.notes[0].location is scratch.made[0].location


def test_exits_name_what_is_in_the_way() -> None:
    scratch = Scratch()
    counting(nested(branching(STOP, end("yield"))))(scratch)
    (found,) = scratch.verify()
    assert [note.message for note in found.notes] == ["see unexpected ancestor operation"]
    assert found.notes[0].location is scratch.last("for").location
