"""Modules in generic form that use every operation of ``builtin``, and modules that break its rules."""

from __future__ import annotations

from tests.support.dialect_checks import Broken, function

SAMPLES = (
    '"builtin.module"() ({\n^bb0:\n}) : () -> ()',
    '"builtin.module"() <{sym_name = "m"}> ({\n^bb0:\n}) : () -> ()',
    '"builtin.module"() <{sym_name = "a b", sym_visibility = "private"}> ({\n^bb0:\n}) {test.flag} : () -> ()',
    '"builtin.module"() ({ "builtin.module"() <{sym_name = "inner"}> ({\n^bb0:\n}) : () -> () }) : () -> ()',
    function('%0 = "builtin.unrealized_conversion_cast"(%a) : (i32) -> index', a="i32"),
    function('%0:2 = "builtin.unrealized_conversion_cast"(%a) : (i64) -> (i32, !pdl.value)', a="i64"),
    function('%0 = "builtin.unrealized_conversion_cast"() : () -> vector<4xf32>'),
)

BROKEN: tuple[Broken, ...] = (
    (
        '"builtin.module"() ({ ^bb0: }) {foo} : () -> ()',
        "'builtin.module' op can only contain attributes with dialect-prefixed names, found: 'foo'",
    ),
    (
        '"builtin.module"() ({ ^bb0(%a : i32): }) : () -> ()',
        "'builtin.module' op region should have no arguments",
    ),
    (
        '"builtin.module"() <{sym_name = "m", sym_visibility = "x"}> ({ ^bb0: }) : () -> ()',
        '\'builtin.module\' op visibility expected to be one of ["public", "private", "nested"], but got "x"',
    ),
    (
        '"builtin.module"() ({ "builtin.module"() <{sym_name = "m"}> ({ ^bb0: }) : () -> ()\n'
        '"builtin.module"() <{sym_name = "m"}> ({ ^bb0: }) : () -> () }) : () -> ()',
        "redefinition of symbol named 'm'",
    ),
    (
        function('"builtin.unrealized_conversion_cast"(%a) : (i32) -> ()', a="i32"),
        "'builtin.unrealized_conversion_cast' op expected at least one result for cast operation",
    ),
)
