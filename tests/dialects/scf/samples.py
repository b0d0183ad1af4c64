"""Modules in generic form that use every operation of ``scf``, and modules that break its rules."""

from __future__ import annotations

from tests.support.dialect_checks import Broken, function

TYPES = {"n": "index", "i": "i32", "x": "f32", "c": "i1", "t": "tensor<4xf32>"}
DYNAMIC = "-9223372036854775808"


def body(text: str) -> str:
    """A function with one argument of each of several types."""
    return function(text, **TYPES)


def yields(values: str = "", types: str = "") -> str:
    """A yield."""
    return f'"scf.yield"({values}) : ({types}) -> ()'


def loop(block: str, operands: str = "", types: str = "", results: str = "()", left: str = "") -> str:
    """A ``for`` over index with more operands."""
    separator = ", " if operands else ""
    return body(
        f'{left}"scf.for"(%n, %n, %n{separator}{operands}) ({{\n{block}\n}}) : '
        f"(index, index, index{separator}{types}) -> {results}"
    )


def carried(block: str, result: str = "f32") -> str:
    """A ``for`` that carries one f32."""
    return loop(block, "%x", "f32", result, "%0 = ")


def parallel(block: str, inits: int = 0, results: str = "()", segments: str = "", left: str = "") -> str:
    """A ``parallel`` of one dimension."""
    sizes = segments or f"1, 1, 1, {inits}"
    return body(
        f'{left}"scf.parallel"(%n, %n, %n{", %x" * inits}) <{{operandSegmentSizes = array<i32: {sizes}>}}> ({{\n'
        f"{block}\n}}) : (index, index, index{', f32' * inits}) -> {results}"
    )


def reduction(block: str) -> str:
    """The end of a ``parallel`` that reduces one f32."""
    return f'^bb0(%k: index):\n"scf.reduce"(%x) ({{\n{block}\n}}) : (f32) -> ()'


def reduce_return(value: str, type: str) -> str:
    """The end of a reduction."""
    return f'"scf.reduce.return"({value}) : ({type}) -> ()'


def forall(
    arguments: str,
    *,
    bounds: str = "0",
    upper: str = "4",
    outputs: int = 0,
    results: str = "()",
    dynamic: int = 0,
    mapping: str = "",
    ending: str = '"scf.forall.in_parallel"() ({\n^bb0:\n}) : () -> ()',
) -> str:
    """A ``forall``; ``dynamic`` upper bounds are operands."""
    operands = ["%n"] * dynamic + ["%t"] * outputs
    types = ["index"] * dynamic + ["tensor<4xf32>"] * outputs
    left = "%0 = " if results != "()" else ""
    return body(
        f'{left}"scf.forall"({", ".join(operands)}) <{{{mapping}'
        f"operandSegmentSizes = array<i32: 0, {dynamic}, 0, {outputs}>, "
        f"staticLowerBound = array<i64: {bounds}>, staticStep = array<i64: 1>, "
        f"staticUpperBound = array<i64: {upper}>}}> ({{\n^bb0({arguments}):\n{ending}\n}}) : "
        f"({', '.join(types)}) -> {results}"
    )


def while_loop(before: str, after: str, result: str = "i32") -> str:
    """A ``while`` from an f32."""
    return body(f'%0 = "scf.while"(%x) ({{\n{before}\n}}, {{\n{after}\n}}) : (f32) -> {result}')


def condition(values: str = "", types: str = "") -> str:
    """A condition."""
    return f'"scf.condition"(%c{values}) : (i1{types}) -> ()'


def switch(cases: str, *regions: str, results: str = "()") -> str:
    """An ``index_switch``."""
    left = "%0 = " if results != "()" else ""
    listed = ", ".join(f"{{\n{region}\n}}" for region in regions)
    return body(
        f'{left}"scf.index_switch"(%n) <{{cases = array<i64{cases}>}}> ({listed}) : (index) -> {results}'
    )


def branch(then: str, otherwise: str, results: str = "()") -> str:
    """An ``if``."""
    left = "%0 = " if results != "()" else ""
    return body(f'{left}"scf.if"(%c) ({{\n{then}\n}}, {{\n{otherwise}\n}}) : (i1) -> {results}')


WAIT = condition(", %i", ", i32")
KEEP_LEFT = f"{{\n^bb0(%l: f32, %r: f32):\n{reduce_return('%l', 'f32')}\n}}"
ONE_REDUCTION = f'^bb0(%k: index):\n"scf.reduce"(%x, %x) ({KEEP_LEFT}, {KEEP_LEFT}) : (f32, f32) -> ()'
SAMPLES = (
    loop(f"^bb0(%k: index):\n{yields()}"),
    carried(f"^bb0(%k: index, %y: f32):\n{yields('%y', 'f32')}"),
    body(
        f'"scf.for"(%i, %i, %i) <{{unsignedCmp}}> ({{\n^bb0(%k: i32):\n{yields()}\n}}) : (i32, i32, i32) -> ()'
    ),
    branch(yields(), ""),
    branch(yields(), yields()),
    branch(yields("%x", "f32"), yields("%x", "f32"), "f32"),
    while_loop(f"^bb0(%y: f32):\n{WAIT}", f"^bb0(%z: i32):\n{yields('%x', 'f32')}"),
    body(f'"scf.while"() ({{\n{condition()}\n}}, {{\n{yields()}\n}}) : () -> ()'),
    parallel('^bb0(%k: index):\n"scf.reduce"() : () -> ()'),
    parallel(reduction(f"^bb0(%l: f32, %r: f32):\n{reduce_return('%l', 'f32')}"), 1, "f32", left="%0 = "),
    body(
        '"scf.parallel"(%n, %n, %n, %n, %n, %n) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({\n'
        '^bb0(%k: index, %l: index):\n"scf.reduce"() : () -> ()\n}) : '
        "(index, index, index, index, index, index) -> ()"
    ),
    forall("%k: index"),
    forall("%k: index, %l: index", bounds="0, 0", upper="4, 8").replace("array<i64: 1>", "array<i64: 1, 2>"),
    forall("%k: index", upper=DYNAMIC, dynamic=1),
    forall("%k: index, %o: tensor<4xf32>", outputs=1, results="tensor<4xf32>"),
    forall("%k: index", mapping="mapping = [#gpu.thread<x>], "),
    body(f'"scf.execute_region"() ({{\n{yields()}\n}}) : () -> ()'),
    body(
        '%0 = "scf.execute_region"() <{no_inline}> ({\n"cf.br"(%x)[^bb1] : (f32) -> ()\n'
        f"^bb1(%y: f32):\n{yields('%y', 'f32')}\n}}) : () -> f32"
    ),
    switch("", yields()),
    switch(": 1, -5", yields("%x", "f32"), yields("%x", "f32"), yields("%x", "f32"), results="f32"),
    switch(": 0", yields(), yields()),
    switch(": 0", yields(), yields()).replace(" : (index)", " {note} : (index)"),
    body(
        '%0 = "scf.forall"(%n, %n, %n, %t) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>, '
        f"staticLowerBound = array<i64: {DYNAMIC}, -1>, staticStep = array<i64: 1, {DYNAMIC}>, "
        f"staticUpperBound = array<i64: 4, {DYNAMIC}>}}> ({{\n^bb0(%k: index, %l: index, %o: tensor<4xf32>):\n"
        '"scf.forall.in_parallel"() ({\n^bb0:\n}) {inner} : () -> ()\n}) {note} : '
        "(index, index, index, tensor<4xf32>) -> tensor<4xf32>"
    ),
    forall(
        "%k: index, %o: tensor<4xf32>, %p: tensor<4xf32>",
        outputs=2,
        results="(tensor<4xf32>, tensor<4xf32>)",
        mapping="mapping = [#gpu.block<x>], ",
    ).replace("%0 =", "%0:2 ="),
    parallel(ONE_REDUCTION, 2, "(f32, f32)", left="%0:2 = "),
    parallel('^bb0(%k: index):\n"scf.reduce"() : () -> ()').replace("}) : (index", "}) {note} : (index"),
    loop(f"^bb0(%k: index):\n{yields()}").replace("}) : (index", "}) {note} : (index"),
    carried(f"^bb0(%k: index, %y: f32):\n{yields('%y', 'f32')}").replace("}) : (index", "}) {note} : (index"),
    branch(yields(), yields()).replace("}) : (i1", "}) {note} : (i1"),
    while_loop(f"^bb0(%y: f32):\n{WAIT}", f"^bb0(%z: i32):\n{yields('%x', 'f32')}").replace(
        "}) : (f32)", "}) {note} : (f32)"
    ),
    body(
        '%0:2 = "scf.while"(%x, %i) ({\n^bb0(%y: f32, %z: i32):\n'
        f"{condition(', %y, %z', ', f32, i32')}\n}}, {{\n^bb0(%y: f32, %z: i32):\n"
        f"{yields('%y, %z', 'f32, i32')}\n}}) : (f32, i32) -> (f32, i32)"
    ),
    body(
        f'%0:2 = "scf.execute_region"() ({{\n{yields("%x, %i", "f32, i32")}\n}}) {{note}} : () -> (f32, i32)'
    ),
)

UNREACHABLE = '"ub.unreachable"() : () -> ()'
EDGE = "along control flow edge from"
COUNT = "region branch point has 0 operands, but region successor needs 1 inputs"
MISMATCH = "successor operand type #0 'i32' should match successor input type #0 'f32'"

FOR_BROKEN: tuple[Broken, ...] = (
    (
        body(f'"scf.for"(%n, %n, %i) ({{\n^bb0(%k: index):\n{yields()}\n}}) : (index, index, i32) -> ()'),
        "'scf.for' op failed to verify that all of {lowerBound, upperBound, step} have same type",
    ),
    (
        loop(f"^bb0(%k: i32):\n{yields()}"),
        "'scf.for' op expected induction variable to be same type as bounds and step",
    ),
    (
        loop(f"^bb0(%k: index):\n{yields()}", results="f32", left="%0 = "),
        "'scf.for' op mismatch in number of loop-carried values and defined values",
    ),
    (
        carried(f"^bb0(%k: index):\n{yields()}"),
        "'scf.for' op different number of inits and region iter_args: 1 != 0",
    ),
    (
        carried(f"^bb0(%k: index, %y: f32):\n{yields()}"),
        f"'scf.for' op {EDGE} Operation scf.yield to Region #0: {COUNT}",
    ),
    (
        carried(f"^bb0(%k: index, %y: f32):\n{yields('%i', 'i32')}"),
        "'scf.for' op 0-th region iter_arg and 0-th yielded value have different type: 'f32' != 'i32'",
    ),
    (
        carried(f"^bb0(%k: index, %y: f32):\n{yields('%y, %y', 'f32, f32')}"),
        "'scf.for' op different number of region iter_args and yielded values: 1 != 2",
    ),
    (
        carried(f"^bb0(%k: index, %y: i32):\n{yields('%x', 'f32')}"),
        "'scf.for' op 0-th init and 0-th region iter_arg have different type: 'f32' != 'i32'",
    ),
    (
        carried(f"^bb0(%k: index, %y: f32):\n{yields('%x', 'f32')}", "i32"),
        "'scf.for' op 0-th region iter_arg and 0-th loop result have different type: 'f32' != 'i32'",
    ),
    (
        loop(f"^bb0(%k: index):\n{UNREACHABLE}"),
        "'scf.for' op expects regions to end with 'scf.yield', found 'ub.unreachable'",
    ),
    (loop(""), "'scf.for' op region #0 ('region') failed to verify constraint: region with 1 blocks"),
)
BRANCH_BROKEN: tuple[Broken, ...] = (
    (branch(yields("%x", "f32"), "", "f32"), "'scf.if' op must have an else block if defining values"),
    (
        branch(yields("%x", "f32"), yields(), "f32"),
        f"'scf.if' op {EDGE} Operation scf.yield to parent: {COUNT}",
    ),
    (
        branch(yields("%x", "f32"), yields("%i", "i32"), "f32"),
        f"'scf.if' op {EDGE} Operation scf.yield to parent: {MISMATCH}",
    ),
    (branch(f"^bb0(%z: i32):\n{yields()}", yields()), "'scf.if' op region #0 should have no arguments"),
    (
        branch(UNREACHABLE, UNREACHABLE),
        "'scf.if' op expects regions to end with 'scf.yield', found 'ub.unreachable'",
    ),
    (
        switch(": 1, 2", yields(), yields()),
        "'scf.index_switch' op has 1 case regions but 2 case values",
    ),
    (
        switch(": 1, 1", yields(), yields(), yields()),
        "'scf.index_switch' op has duplicate case value: 1",
    ),
    (
        switch(": 1", yields(), yields(), results="f32"),
        "'scf.index_switch' op expected each region to return 1 values, but default region returns 0",
    ),
    (
        switch(": 1", yields("%x", "f32"), yields("%i", "i32"), results="f32"),
        "'scf.index_switch' op expected result #0 of each region to be 'f32'",
    ),
    (
        switch(": 1", UNREACHABLE, yields()),
        "'scf.index_switch' op expected region to end with scf.yield, but got ub.unreachable",
    ),
    (
        body(f'%0 = "scf.execute_region"() ({{\n{yields()}\n}}) : () -> f32'),
        f"'scf.execute_region' op {EDGE} Operation scf.yield to parent: {COUNT}",
    ),
    (
        body('"scf.execute_region"() ({\n}) : () -> ()'),
        "'scf.execute_region' op region needs to have at least one block",
    ),
    (
        body(f'"scf.execute_region"() ({{\n^bb0(%z: i32):\n{yields()}\n}}) : () -> ()'),
        "'scf.execute_region' op region cannot have any arguments",
    ),
    (
        f'"builtin.module"() ({{\n{yields()}\n}}) : () -> ()',
        "'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'",
    ),
)
WHILE_BROKEN: tuple[Broken, ...] = (
    (
        while_loop(f"^bb0(%y: f32):\n{WAIT}", f"^bb0(%z: f32):\n{yields('%z', 'f32')}"),
        f"'scf.while' op {EDGE} Operation scf.condition to Region #1: {MISMATCH}",
    ),
    (
        while_loop(f"^bb0(%y: f32):\n{condition()}", f"^bb0(%z: f32):\n{yields('%z', 'f32')}"),
        f"'scf.while' op {EDGE} Operation scf.condition to parent: {COUNT}",
    ),
    (
        while_loop(f"^bb0(%y: f32):\n{WAIT}", f"^bb0(%z: i32):\n{yields('%z', 'i32')}"),
        f"'scf.while' op {EDGE} Operation scf.yield to Region #0: {MISMATCH}",
    ),
    (
        while_loop(f"^bb0:\n{WAIT}", f"^bb0(%z: i32):\n{yields('%x', 'f32')}"),
        f"'scf.while' op {EDGE} parent to Region #0: region branch point has 1 operands, "
        "but region successor needs 0 inputs",
    ),
    (
        while_loop(f"^bb0(%y: f32):\n{yields('%x', 'f32')}", f"^bb0(%z: i32):\n{yields('%x', 'f32')}"),
        "'scf.while' op expects the 'before' region to terminate with 'scf.condition'",
    ),
    (
        while_loop(f"^bb0(%y: f32):\n{WAIT}", f"^bb0(%z: i32):\n{WAIT}"),
        "'scf.while' op expects the 'after' region to terminate with 'scf.yield'",
    ),
)
ONE = "^bb0(%k: index):\n"
ENDS = '"scf.reduce"() : () -> ()'
PARALLEL_BROKEN: tuple[Broken, ...] = (
    (
        parallel(ONE + ENDS, segments="2, 1, 0, 0"),
        "'scf.parallel' op needs at least one tuple element for lowerBound, upperBound and step",
    ),
    (
        parallel(f"^bb0(%k: i32):\n{ENDS}"),
        "'scf.parallel' op expects arguments for the induction variable to be of index type",
    ),
    (
        parallel(f"^bb0:\n{ENDS}"),
        "'scf.parallel' op expects the same number of induction variables: 0 as bound and step values: 1",
    ),
    (parallel(ONE + UNREACHABLE), "'scf.parallel' op expects body to terminate with 'scf.reduce'"),
    (
        parallel(ONE + ENDS, 1),
        "'scf.parallel' op expects number of results: 0 to be the same as number of initial values: 1",
    ),
    (
        parallel(ONE + ENDS, 1, "f32", left="%0 = "),
        "'scf.parallel' op expects number of results: 1 to be the same as number of reductions: 0",
    ),
    (
        parallel(reduction(f"^bb0(%l: i32, %r: f32):\n{reduce_return('%r', 'f32')}"), 1, "f32", left="%0 = "),
        "'scf.reduce.return' op must have type 'i32' (the type of the reduction inputs)",
    ),
    (
        parallel(reduction(f"^bb0(%l: f32):\n{reduce_return('%l', 'f32')}"), 1, "f32", left="%0 = "),
        "'scf.reduce' op expected two block arguments with type 'f32' in the 0-th reduction region",
    ),
    (
        parallel(reduction(f"^bb0(%l: f32, %r: f32):\n{UNREACHABLE}"), 1, "f32", left="%0 = "),
        "'scf.reduce' op reduction bodies must be terminated with an 'scf.reduce.return' op",
    ),
    (
        parallel(reduction(f"^bb0(%l: f32, %r: f32):\n{reduce_return('%r', 'f32')}"), 1, "i32", left="%0 = "),
        "'scf.reduce' op expects type of 0-th reduction operand: 'f32' to be the same as the 0-th result type: "
        "'i32'",
    ),
    (
        function(
            '%s = "arith.constant"() <{value = 0 : index}> : () -> index\n'
            '"scf.parallel"(%n, %n, %s) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({\n'
            f"{ONE}{ENDS}\n}}) : (index, index, index) -> ()",
            n="index",
        ),
        "'scf.parallel' op constant step operand must be positive",
    ),
    (forall("%k: i32"), "'scf.forall' op expects 0-th block argument to be an index"),
    (forall(""), "'scf.forall' op region expects 1 arguments"),
    (forall("%k: index", outputs=1), "'scf.forall' op produces 0 results, but has only 1 outputs"),
    (
        forall("%k: index, %o: tensor<5xf32>", outputs=1, results="tensor<4xf32>"),
        "'scf.forall' op type mismatch between 0-th output and corresponding block argument",
    ),
    (
        forall("%k: index, %o: tensor<4xf32>", outputs=1, results="tensor<5xf32>"),
        "'scf.forall' op expected type of operand #0 ('tensor<4xf32>') to match type of corresponding result "
        "('tensor<5xf32>')",
    ),
    (forall("%k: index, %l: index", bounds="0, 1"), "expected 2 upper bound values, got 1"),
    (forall("%k: index", dynamic=1), "expected 0 dynamic upper bound values"),
    (
        forall("%k: index", mapping="mapping = [1 : i32], "),
        "'scf.forall' op attribute 'mapping' failed to satisfy constraint: Device Mapping array attribute",
    ),
    (
        forall("%k: index", ending=UNREACHABLE),
        "'scf.forall' op expects regions to end with 'scf.forall.in_parallel', found 'ub.unreachable'",
    ),
    (
        forall(
            "%k: index",
            ending='"scf.forall.in_parallel"() ({\n%0 = "arith.constant"() <{value = 1 : i32}> : () -> i32\n'
            "}) : () -> ()",
        ),
        "'scf.forall.in_parallel' op expected only ParallelCombiningOpInterface ops",
    ),
)
BROKEN = (*FOR_BROKEN, *BRANCH_BROKEN, *WHILE_BROKEN, *PARALLEL_BROKEN)
