"""Modules in which counts, regions, blocks, successors or symbols of an operation are not as declared.

Every one is a text for our parser and for mlir-opt; errors stand where the operation at fault starts.
"""

from __future__ import annotations


def _function(body: str, argument: str = "i32", blocks: str = "") -> str:
    return f"func.func @f(%a: {argument}) {{\n  {body}\n  return\n{blocks}}}\n"


def _ending(body: str, blocks: str = "") -> str:
    return f"func.func @f(%a: i1) {{\n  {body}\n{blocks}}}\n"


ONE_MORE = "^bb1:\n  return\n"
SEGMENTS = "operandSegmentSizes = array<i32: {}>"
SWITCH = (
    '"cf.switch"(%a) <{' + SEGMENTS.format("1, 0, 0") + ", case_operand_segments = array<i32>}> : (i1) -> ()"
)
CALLER = _function('"func.call"() <{callee = @g}> : () -> ()')
COUNTS = (
    _function('%0 = "arith.addi"(%a) : (i32) -> i32'),
    _function('%0 = "arith.addi"(%a, %a, %a) : (i32, i32, i32) -> i32'),
    _function('"arith.addi"(%a, %a) : (i32, i32) -> ()'),
    _function('%0:2 = "arith.addi"(%a, %a) : (i32, i32) -> (i32, i32)'),
    _function('%0 = "arith.addui_extended"(%a, %a) : (i32, i32) -> i32'),
    _function('%0:3 = "arith.addui_extended"(%a, %a) : (i32, i32) -> (i32, i1, i1)'),
    _function('"arith.negf"() : () -> ()'),
    _function('"arith.negf"(%a) ({\n}) : (i32) -> ()'),
    _function('"scf.for"(%a, %a) ({\n}) : (i32, i32) -> ()'),
    _function('"cf.assert"(%a, %a) <{msg = ""}> : (i32, i32) -> ()'),
    _function('%0 = "arith.constant"(%a) <{value = 1 : i32}> : (i32) -> i32'),
    _function('"scf.if"(%a) ({\n}) : (i1) -> ()', "i1"),
    _function('"scf.execute_region"() : () -> ()'),
    _function('"pdl.replace"() <{' + SEGMENTS.format("0, 0, 0") + "}> : () -> ()"),
)
SUCCESSORS = (
    _ending('"cf.br"() : () -> ()'),
    _ending('"cf.br"()[^bb1, ^bb1] : () -> ()', ONE_MORE),
    _ending('"cf.cond_br"(%a)[^bb1] <{' + SEGMENTS.format("1, 0, 0") + "}> : (i1) -> ()", ONE_MORE),
    _ending('"cf.cond_br"(%a)[^bb1, ^bb1] : (i1) -> ()', ONE_MORE),
    _ending(SWITCH),
    _ending('"func.return"()[^bb1] : () -> ()', ONE_MORE),
)
BLOCKS = (
    _ending("%0 = arith.constant 1 : i32"),
    _ending('%0 = "arith.constant"() <{value = dense<1> : tensor<40xi32>}> : () -> tensor<40xi32>'),
    _function('"scf.if"(%a) ({\n^bb0:\n}, {\n}) : (i1) -> ()', "i1"),
    _function('"scf.execute_region"() ({\n^bb0:\n}) : () -> ()'),
    _function(
        '"scf.if"(%a) ({\n  "scf.yield"() : () -> ()\n^bb1:\n  "scf.yield"() : () -> ()\n}, {\n}) : (i1) -> ()',
        "i1",
    ),
    'func.func @f() {\n  "func.return"() : () -> ()\n  %0 = arith.constant 1 : i32\n}\n',
)
NESTED = '"func.func"() <{function_type = () -> (), sym_name = "g"}> ({\n  "func.return"() : () -> ()\n}) : () -> ()'
SYMBOLS = (
    f"module {{\n{CALLER}}}\n",
    _function(NESTED),
    "module {\n  func.func public @f()\n}\n",
    "module {\n  func.func @f() {\n    return\n  }\n  func.func @f() {\n    return\n  }\n}\n",
)
