"""Modules in generic form that use every operation of ``arith``, and modules that break its rules."""

from __future__ import annotations

from tests.support.dialect_checks import Broken, function

INTEGERS = ("i32", "index", "i1", "vector<4xi8>", "tensor<?x3xi64>", "vector<[4]x2xi16>", "tensor<*xindex>")
FLOATS = ("f32", "bf16", "f8E4M3FN", "vector<4xf16>", "tensor<?x3xf64>", "vector<[4]x2xf32>")
FIXED = ("i1", "vector<4xi8>", "tensor<?x3xi64>", "tensor<*xi16>")
PLAIN = ("ceildivui", "ceildivsi", "floordivsi", "remui", "remsi", "andi", "ori", "xori", "maxsi", "maxui")
OVERFLOW = ("addi", "subi", "muli", "shli")
EXACT = ("divui", "divsi", "shrui", "shrsi")
FLOAT = ("addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf")
OVERFLOWS = ("none", "nsw", "nuw", "nsw, nuw")
FLAGS = ("none", "fast", "reassoc", "nnan,ninf", "nsz,arcp,contract,afn")
I1_SHAPES = {
    "i32": "i1",
    "index": "i1",
    "vector<4xi8>": "vector<4xi1>",
    "tensor<?x3xi64>": "tensor<?x3xi1>",
    "f32": "i1",
    "vector<4xf16>": "vector<4xi1>",
    "tensor<*xf64>": "tensor<*xi1>",
}


def binary(name: str, type: str, properties: str = "") -> str:
    """An operation on two values of one type."""
    held = f" <{{{properties}}}>" if properties else ""
    return function(f'%0 = "arith.{name}"(%a, %b){held} : ({type}, {type}) -> {type}', a=type, b=type)


def cast(name: str, source: str, target: str, properties: str = "") -> str:
    """A conversion of one value."""
    held = f" <{{{properties}}}>" if properties else ""
    return function(f'%0 = "arith.{name}"(%a){held} : ({source}) -> {target}', a=source)


def constant(value: str, type: str) -> str:
    """A constant."""
    return function(f'%0 = "arith.constant"() <{{value = {value}}}> : () -> {type}')


def comparison(name: str, predicate: int, type: str, properties: str = "") -> str:
    """A comparison."""
    held = f"{properties}predicate = {predicate} : i64"
    result = I1_SHAPES[type]
    return function(
        f'%0 = "arith.{name}"(%a, %b) <{{{held}}}> : ({type}, {type}) -> {result}', a=type, b=type
    )


def extended(name: str, type: str, second: str) -> str:
    """An operation with two results."""
    return function(f'%0:2 = "arith.{name}"(%a, %b) : ({type}, {type}) -> ({type}, {second})', a=type, b=type)


def select(condition: str, type: str) -> str:
    """A selection."""
    return function(
        f'%0 = "arith.select"(%c, %a, %b) : ({condition}, {type}, {type}) -> {type}',
        c=condition,
        a=type,
        b=type,
    )


def scaled(name: str, source: str, scale: str, target: str, properties: str = "") -> str:
    """A conversion with a scale."""
    held = f" <{{{properties}}}>" if properties else ""
    return function(f'%0 = "arith.{name}"(%a, %s){held} : ({source}, {scale}) -> {target}', a=source, s=scale)


INTEGER_SAMPLES = (
    *(binary(name, type) for name in (*PLAIN, "minsi", "minui", *EXACT) for type in INTEGERS),
    *(binary(name, "i64", "isExact") for name in EXACT),
    *(
        binary(name, type, f"overflowFlags = #arith.overflow<{OVERFLOWS[number % 4]}>")
        for name in OVERFLOW
        for number, type in enumerate(INTEGERS)
    ),
    *(comparison("cmpi", number, "index") for number in range(10)),
    *(comparison("cmpi", 3, type) for type in ("i32", "vector<4xi8>", "tensor<?x3xi64>")),
    *(
        extended("addui_extended", type, I1_SHAPES[type])
        for type in ("i32", "vector<4xi8>", "tensor<?x3xi64>")
    ),
    *(extended(f"mul{sign}i_extended", type, type) for sign in "su" for type in INTEGERS),
    select("i1", "f32"),
    select("i1", "vector<4xf32>"),
    select("vector<4xi1>", "vector<4xf32>"),
    select("i1", "!pdl.value"),
    select("tensor<?xi1>", "tensor<?xindex>"),
)
CONSTANT_SAMPLES = (
    constant("7 : i32", "i32"),
    constant("true", "i1"),
    constant("-1 : index", "index"),
    constant("1.500000e+00 : f32", "f32"),
    constant("0x7FC0 : bf16", "bf16"),
    constant("dense<1> : vector<4xi8>", "vector<4xi8>"),
    constant("dense<1.000000e+00> : vector<[4]xf32>", "vector<[4]xf32>"),
    constant("dense<[[1, 2], [3, 4]]> : tensor<2x2xindex>", "tensor<2x2xindex>"),
)
FLOAT_SAMPLES = (
    *(
        binary(name, type, f"fastmath = #arith.fastmath<{FLAGS[number % 5]}>")
        for name in FLOAT
        for number, type in enumerate(FLOATS)
    ),
    *(cast("negf", type, type, "fastmath = #arith.fastmath<none>") for type in FLOATS),
    *(comparison("cmpf", number, "f32", "fastmath = #arith.fastmath<none>, ") for number in range(16)),
    *(
        comparison("cmpf", 3, type, "fastmath = #arith.fastmath<nnan>, ")
        for type in ("f32", "vector<4xf16>", "tensor<*xf64>")
    ),
)
CONVERSION_SAMPLES = (
    *(cast(name, "i8", "i32") for name in ("extui", "extsi")),
    *(cast(name, "vector<[4]xi1>", "vector<[4]xi32>") for name in ("extui", "extsi")),
    cast("extf", "f16", "f32"),
    cast("extf", "tensor<?xbf16>", "tensor<?xf64>", "fastmath = #arith.fastmath<contract>"),
    *(cast("trunci", "i64", "i8", f"overflowFlags = #arith.overflow<{flags}>") for flags in OVERFLOWS),
    cast("truncf", "f64", "f16"),
    *(cast("truncf", "vector<2xf32>", "vector<2xbf16>", f"roundingmode = {mode} : i32") for mode in range(5)),
    scaled("scaling_extf", "f4E2M1FN", "f8E8M0FNU", "f32"),
    scaled("scaling_extf", "vector<4xf8E5M2>", "vector<4xf8E8M0FNU>", "vector<4xbf16>"),
    scaled("scaling_truncf", "f32", "f8E8M0FNU", "f4E2M1FN", "roundingmode = 1 : i32"),
    *(cast(f"{sign}itofp", "i16", "f32") for sign in "su"),
    *(cast(f"{sign}itofp", "tensor<?xi1>", "tensor<?xf8E5M2>") for sign in "su"),
    *(cast(f"fpto{sign}i", "f32", "i16") for sign in "su"),
    *(cast(f"fpto{sign}i", "vector<[2]xf64>", "vector<[2]xi64>") for sign in "su"),
    *(cast(f"index_cast{suffix}", "index", "i32") for suffix in ("", "ui")),
    *(cast(f"index_cast{suffix}", "memref<?xi8>", "memref<?xindex>") for suffix in ("", "ui")),
    *(cast(f"index_cast{suffix}", "vector<3xindex>", "vector<3xi64>") for suffix in ("", "ui")),
    cast("bitcast", "f32", "i32"),
    cast("bitcast", "vector<4xbf16>", "vector<4xi16>"),
    cast("bitcast", "memref<2xf64>", "memref<2xi64>"),
)
SAMPLES = (*INTEGER_SAMPLES, *CONSTANT_SAMPLES, *FLOAT_SAMPLES, *CONVERSION_SAMPLES)

SAME_TYPE = "requires the same type for all operands and results"
SAME_SHAPE = "requires the same shape for all operands and results"
NO_FLAGS = "<{fastmath = #arith.fastmath<none>}>"
SMALL = '%0 = "arith.'
COMPARED = "failed to verify that result type has i1 element type and same shape as operands"


def _broken(text: str, message: str, **arguments: str) -> Broken:
    name = text.split('"')[1]
    return function(text, **arguments), f"'{name}' op {message}"


def _incompatible(name: str, source: str, target: str) -> Broken:
    message = f"operand type '{source}' and result type '{target}' are cast incompatible"
    return cast(name, source, target), f"'arith.{name}' op {message}"


BROKEN: tuple[Broken, ...] = (
    _broken(f'{SMALL}addi"(%a, %b) : (i1, i32) -> i1', SAME_TYPE, a="i1", b="i32"),
    _broken(
        f'{SMALL}addi"(%a, %a) : (f32, f32) -> f32',
        "operand #0 must be signless-integer-like, but got 'f32'",
        a="f32",
    ),
    _broken(
        f'{SMALL}addi"(%a, %a) : (si8, si8) -> si8',
        "operand #0 must be signless-integer-like, but got 'si8'",
        a="si8",
    ),
    _broken(
        f'{SMALL}addf"(%a, %b) : (f32, vector<4xf32>) -> vector<4xf32>', SAME_TYPE, a="f32", b="vector<4xf32>"
    ),
    _broken(
        f'{SMALL}addf"(%a, %b) : (vector<4xf32>, tensor<4xf32>) -> tensor<4xf32>',
        "all non-scalar operands/results must have the same shape and base type",
        a="vector<4xf32>",
        b="tensor<4xf32>",
    ),
    _broken(
        f'{SMALL}addf"(%a, %b) : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>',
        "inferred type(s) 'tensor<?xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'",
        a="tensor<?xf32>",
        b="tensor<4xf32>",
    ),
    _broken(f'{SMALL}addi"(%a, %a, %a) : (i8, i8, i8) -> i8', "expected 2 operands, but found 3", a="i8"),
    _broken(f'{SMALL}negf"(%a, %a) : (f16, f16) -> f16', "requires a single operand", a="f16"),
    _broken('%0:2 = "arith.addi"(%a, %a) : (i8, i8) -> (i8, i8)', "requires one result", a="i8"),
    _broken(
        f'{SMALL}cmpf"(%a, %a) <{{predicate = 1 : i64}}> : (vector<4xf32>, vector<4xf32>) -> i1',
        COMPARED,
        a="vector<4xf32>",
    ),
    _broken(f'{SMALL}cmpf"(%a, %a) : (f32, f32) -> i1', "requires attribute 'predicate'", a="f32"),
    _broken(
        f'{SMALL}cmpi"(%a, %b) <{{predicate = 1 : i64}}> : (i8, i16) -> i1',
        "requires all operands to have the same type",
        a="i8",
        b="i16",
    ),
    _broken(f'{SMALL}extf"(%a) : (vector<4xf32>) -> f64', SAME_SHAPE, a="vector<4xf32>"),
    _broken(f'{SMALL}extsi"(%a) : (vector<[4]xi32>) -> vector<4xi64>', SAME_SHAPE, a="vector<[4]xi32>"),
    _broken(
        f'{SMALL}extf"(%a) : (tensor<?xf32>) -> tensor<4xf64>',
        "failed to verify that input and output have the same tensor dimensions",
        a="tensor<?xf32>",
    ),
    _incompatible("extf", "vector<4xf32>", "vector<4xf16>"),
    _incompatible("extsi", "i32", "i16"),
    _incompatible("trunci", "i32", "i32"),
    _incompatible("truncf", "f32", "f64"),
    _incompatible("index_cast", "i32", "i64"),
    _incompatible("bitcast", "i32", "f64"),
    _broken(
        f'{SMALL}bitcast"(%a) : (index) -> i64',
        "operand #0 must be signless-integer-or-float-like or memref of signless-integer or float, "
        "but got 'index'",
        a="index",
    ),
    _broken(
        f'{SMALL}sitofp"(%a) : (index) -> f64',
        "operand #0 must be signless-fixed-width-integer-like, but got 'index'",
        a="index",
    ),
    _broken(
        f'{SMALL}scaling_extf"(%a, %s) : (f32, f8E8M0FNU) -> f16',
        "operand types 'f32', 'f8E8M0FNU' and result type 'f16' are cast incompatible",
        a="f32",
        s="f8E8M0FNU",
    ),
    _broken(
        f'{SMALL}constant"() <{{value = 1 : i32}}> : () -> i64',
        "failed to verify that all of {value, result} have same type",
    ),
    _broken(
        f'{SMALL}constant"() <{{value = "x"}}> : () -> i64',
        "failed to verify that all of {value, result} have same type",
    ),
    _broken(
        f'{SMALL}constant"() <{{value = "x" : i64}}> : () -> i64',
        "value must be an integer, float, or elements attribute",
    ),
    _broken(
        f'{SMALL}constant"() <{{value = 1 : si32}}> : () -> si32', "integer return type must be signless"
    ),
    _broken(
        f'{SMALL}constant"() <{{value = dense<[1, 2]> : vector<[2]xi8>}}> : () -> vector<[2]xi8>',
        "intializing scalable vectors with elements attribute is not supported unless it's a vector splat",
    ),
    _broken(
        f'{SMALL}select"(%c, %a, %a) : (vector<3xi1>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>',
        "failed to verify that condition is signless i1 or has matching shape",
        c="vector<3xi1>",
        a="vector<4xf32>",
    ),
    _broken(
        f'{SMALL}select"(%c, %a, %b) : (i1, f32, f64) -> f32',
        "failed to verify that all of {true_value, false_value, result} have same type",
        c="i1",
        a="f32",
        b="f64",
    ),
    _broken(
        '%0:2 = "arith.addui_extended"(%a, %a) : (i32, i32) -> (i32, i32)',
        "result #1 must be bool-like, but got 'i32'",
        a="i32",
    ),
    _broken(
        '%0:2 = "arith.addui_extended"(%a, %b) : (i32, i64) -> (i32, i1)',
        "failed to verify that all of {lhs, rhs, sum} have same type",
        a="i32",
        b="i64",
    ),
    _broken(
        '%0:2 = "arith.addui_extended"(%a, %a) : (vector<4xi32>, vector<4xi32>) -> (vector<4xi32>, i1)',
        "if an operand is non-scalar, then all results must be non-scalar",
        a="vector<4xi32>",
    ),
    _broken(
        '%0:2 = "arith.mului_extended"(%a, %b) : (i32, i64) -> (i32, i1)',
        "failed to verify that all of {lhs, rhs, low, high} have same type",
        a="i32",
        b="i64",
    ),
)
