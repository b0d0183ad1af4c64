"""Modules in generic form that use every operation of ``func``, and modules that break its rules."""

from __future__ import annotations

from tests.support.dialect_checks import Broken


def func(properties: str, body: str = "") -> str:
    """A function in generic form."""
    return f'"func.func"() <{{{properties}}}> ({{\n{body}\n}}) : () -> ()'


def module(*functions: str) -> str:
    """A module in generic form."""
    return '"builtin.module"() ({\n' + "\n".join(functions) + "\n}) : () -> ()"


RETURN = '"func.return"() : () -> ()'
DECLARED = func('function_type = (i32) -> f32, sym_name = "g", sym_visibility = "private"')
ATTRIBUTES = "arg_attrs = [{test.a = 1 : i32}], "


def caller(body: str, ending: str = RETURN) -> str:
    """A function ``f`` of type ``(i32) -> ()`` next to a declared ``g`` of type ``(i32) -> f32``."""
    return module(
        DECLARED, func('function_type = (i32) -> (), sym_name = "f"', f"^bb0(%a: i32):\n{body}\n{ending}")
    )


CONSTANT = '%0 = "func.constant"() <{value = @g}> : () -> ((i32) -> f32)'
SAMPLES = (
    module(DECLARED),
    module(func('function_type = () -> (), sym_name = "f"', RETURN)),
    module(
        func(
            f'{ATTRIBUTES}function_type = (i32) -> i32, no_inline, res_attrs = [{{test.b}}], sym_name = "f"',
            '^bb0(%a: i32):\n"func.return"(%a) : (i32) -> ()',
        )
    ),
    module(
        func(
            'function_type = (i1, f32) -> f32, sym_name = "two blocks", sym_visibility = "nested"',
            '^bb0(%c: i1, %x: f32):\n"cf.br"(%x)[^bb1] : (f32) -> ()\n'
            '^bb1(%y: f32):\n"func.return"(%y) : (f32) -> ()',
        )
    ),
    caller('%0 = "func.call"(%a) <{callee = @g}> : (i32) -> f32'),
    caller(
        f'%0 = "func.call"(%a) <{{{ATTRIBUTES}callee = @g, no_inline, res_attrs = [{{}}]}}> : (i32) -> f32'
    ),
    caller(f'{CONSTANT}\n%1 = "func.call_indirect"(%0, %a) : ((i32) -> f32, i32) -> f32'),
    caller(
        f'{CONSTANT}\n%1 = "func.call_indirect"(%0, %a) <{{{ATTRIBUTES}res_attrs = [{{}}]}}> : ((i32) -> f32, i32) -> f32'
    ),
    module(
        func(
            'function_type = () -> (), sym_name = "recursive"',
            f'"func.call"() <{{callee = @recursive}}> : () -> ()\n{RETURN}',
        )
    ),
)

TYPE = 'function_type = (i32) -> (), sym_name = "f"'
RESULT = 'function_type = (i32) -> i64, sym_name = "f"'
ENTRY = f"^bb0(%a: i32):\n{RETURN}"

BROKEN: tuple[Broken, ...] = (
    (
        module(func(TYPE, f"^bb0(%a: i64):\n{RETURN}")),
        "'func.func' op type of entry block argument #0('i64') must match the type of the corresponding argument "
        "in function signature('i32')",
    ),
    (
        module(func(TYPE, f"^bb0:\n{RETURN}")),
        "'func.func' op entry block must have 1 arguments to match function signature",
    ),
    (
        module(func(f"{TYPE}, arg_attrs = [{{}}, {{}}]", ENTRY)),
        "'func.func' op expects argument attribute array to have the same number of elements as the number of "
        "function arguments, got 2, but expected 1",
    ),
    (
        module(func(f"{TYPE}, res_attrs = [{{}}]", ENTRY)),
        "'func.func' op expects result attribute array to have the same number of elements as the number of "
        "function results, got 1, but expected 0",
    ),
    (
        module(func(f"{TYPE}, arg_attrs = [{{foo}}]", ENTRY)),
        "'func.func' op arguments may only have dialect attributes",
    ),
    (module(func(RESULT, ENTRY)), "'func.return' op has 0 operands, but enclosing function (@f) returns 1"),
    (
        module(func(RESULT, '^bb0(%a: i32):\n"func.return"(%a) : (i32) -> ()')),
        "type of return operand 0 ('i32') doesn't match function result type ('i64') in function @f",
    ),
    (module(func(TYPE)), "'func.func' op symbol declaration cannot have public visibility"),
    (
        module(func(f'{TYPE}, sym_visibility = "x"', ENTRY)),
        '\'func.func\' op visibility expected to be one of ["public", "private", "nested"], but got "x"',
    ),
    (module(func("function_type = () -> ()", RETURN)), "'func.func' op requires attribute 'sym_name'"),
    (
        module(func('function_type = i32, sym_name = "f"', RETURN)),
        "'func.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function type",
    ),
    (
        caller('"func.call"() <{callee = @g}> : () -> ()'),
        "'func.call' op incorrect number of operands for callee",
    ),
    (
        caller('"func.call"(%a) <{callee = @g}> : (i32) -> ()'),
        "'func.call' op incorrect number of results for callee",
    ),
    (
        caller('%0 = "func.call"(%a) <{callee = @g}> : (i32) -> f64'),
        "'func.call' op result type mismatch at index 0",
    ),
    (
        caller('%0 = "func.call"(%a) <{callee = @h}> : (i32) -> f64'),
        "'func.call' op 'h' does not reference a valid function",
    ),
    (
        caller('%b = "arith.extsi"(%a) : (i32) -> i64\n%0 = "func.call"(%b) <{callee = @g}> : (i64) -> f32'),
        "'func.call' op operand type mismatch: expected operand type 'i32', but provided 'i64' for operand number 0",
    ),
    (
        caller('%0 = "func.constant"() <{value = @h}> : () -> (() -> ())'),
        "'func.constant' op reference to undefined function 'h'",
    ),
    (
        caller('%0 = "func.constant"() <{value = @g}> : () -> (() -> ())'),
        "'func.constant' op reference to function with mismatched type",
    ),
    (
        caller(f'{CONSTANT}\n%1 = "func.call_indirect"(%0) : ((i32) -> f32) -> f32'),
        "'func.call_indirect' op failed to verify that callee input types match argument types",
    ),
    (
        caller(f'{CONSTANT}\n%1 = "func.call_indirect"(%0, %a) : ((i32) -> f32, i32) -> f64'),
        "'func.call_indirect' op failed to verify that callee result types match result types",
    ),
    (
        caller('"func.call_indirect"(%a) : (i32) -> ()'),
        "'func.call_indirect' op operand #0 must be function type, but got 'i32'",
    ),
    (module(RETURN), "'func.return' op expects parent op 'func.func'"),
)
