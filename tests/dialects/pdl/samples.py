"""Modules in generic form that use every operation of ``pdl``, and modules that break its rules."""

from __future__ import annotations

from tests.support.dialect_checks import Broken

OPERATION = "!pdl.operation"


def operation(
    name: str = "",
    operands: tuple[str, str] = ("", ""),
    sizes: str = "0, 0, 0",
    names: str = "",
) -> str:
    """A ``pdl.operation``: the right-hand side."""
    held = f'opName = "{name}", ' if name else ""
    return (
        f'"pdl.operation"({operands[0]}) <{{attributeValueNames = [{names}], {held}'
        f"operandSegmentSizes = array<i32: {sizes}>}}> : ({operands[1]}) -> {OPERATION}"
    )


def rewrite(
    body: str = "", *, root: str = "%root", properties: str = "", more: str = "", block: bool = True
) -> str:
    """A ``pdl.rewrite`` about one operation."""
    sizes = f"{int(bool(root))}, {more.count('%')}"
    operands = ", ".join(filter(None, (root, more)))
    types = ", ".join([OPERATION] * operands.count("%"))
    header = "^bb0:\n" if block and not body else ""
    return (
        f'"pdl.rewrite"({operands}) <{{{properties}operandSegmentSizes = array<i32: {sizes}>}}> ({{\n'
        f"{header}{body}\n}}) : ({types}) -> ()"
    )


def pattern(matcher: str, end: str = rewrite(), properties: str = "benefit = 1 : i16") -> str:
    """A module with one pattern."""
    return (
        f'"builtin.module"() ({{\n"pdl.pattern"() <{{{properties}}}> ({{\n{matcher}\n{end}\n}}) : () -> ()\n'
        "}) : () -> ()"
    )


ROOT = f"%root = {operation()}"
NAMED = f"%root = {operation('test.a')}"
TYPE = '%t = "pdl.type"() : () -> !pdl.type'
TYPES = '%ts = "pdl.types"() : () -> !pdl.range<type>'
A, ABC = '"a"', '"a", "b", "c"'
EXTERNAL = 'name = "external", '

MATCHERS = (
    ROOT,
    NAMED,
    f'{TYPE}\n%v = "pdl.operand"(%t) : (!pdl.type) -> !pdl.value\n'
    f"%root = {operation('test.a', ('%v, %t', '!pdl.value, !pdl.type'), '1, 0, 1')}",
    f'{TYPES}\n%vs = "pdl.operands"(%ts) : (!pdl.range<type>) -> !pdl.range<value>\n'
    f"%root = {operation('', ('%vs, %ts', '!pdl.range<value>, !pdl.range<type>'), '1, 0, 1')}",
    '%v = "pdl.operand"() : () -> !pdl.value\n%vs = "pdl.operands"() : () -> !pdl.range<value>\n'
    f"%root = {operation('', ('%v, %vs', '!pdl.value, !pdl.range<value>'), '2, 0, 0')}",
    f'{TYPE}\n%a = "pdl.attribute"() : () -> !pdl.attribute\n'
    '%b = "pdl.attribute"() <{value = 7 : i32}> : () -> !pdl.attribute\n'
    '%c = "pdl.attribute"(%t) : (!pdl.type) -> !pdl.attribute\n'
    f"%root = {operation('test.a', ('%a, %b, %c', ', '.join(['!pdl.attribute'] * 3)), '0, 3, 0', ABC)}",
    '%t = "pdl.type"() <{constantType = vector<4xf32>}> : () -> !pdl.type\n'
    '%ts = "pdl.types"() <{constantTypes = [i32, index]}> : () -> !pdl.range<type>\n'
    f"%root = {operation('test.a', ('%t, %ts', '!pdl.type, !pdl.range<type>'), '0, 0, 2')}",
    f"%first = {operation('test.b')}\n"
    f'%r = "pdl.result"(%first) <{{index = 0 : i32}}> : ({OPERATION}) -> !pdl.value\n'
    f'%s = "pdl.results"(%first) : ({OPERATION}) -> !pdl.range<value>\n'
    f'%g = "pdl.results"(%first) <{{index = 1 : i32}}> : ({OPERATION}) -> !pdl.value\n'
    f"%root = {operation('test.a', ('%r, %s, %g', '!pdl.value, !pdl.range<value>, !pdl.value'), '3, 0, 0')}",
    f'{ROOT}\n"pdl.apply_native_constraint"(%root) <{{isNegated = false, name = "even"}}> : ({OPERATION}) -> ()',
    f'{ROOT}\n%a = "pdl.apply_native_constraint"(%root) <{{isNegated = true, name = "odd"}}> : '
    f"({OPERATION}) -> !pdl.attribute",
)
REWRITES = (
    rewrite(f'"pdl.erase"(%root) : ({OPERATION}) -> ()'),
    rewrite(
        f"%new = {operation('test.new')}\n"
        f'"pdl.replace"(%root, %new) <{{operandSegmentSizes = array<i32: 1, 1, 0>}}> : ({OPERATION}, {OPERATION}) -> ()'
    ),
    rewrite(
        f'%v:2 = "pdl.apply_native_rewrite"(%root) <{{name = "make"}}> : ({OPERATION}) -> (!pdl.value, !pdl.range<value>)\n'
        '%all = "pdl.range"(%v#0, %v#1) : (!pdl.value, !pdl.range<value>) -> !pdl.range<value>\n'
        '%none = "pdl.range"() : () -> !pdl.range<type>\n'
        f'"pdl.replace"(%root, %all) <{{operandSegmentSizes = array<i32: 1, 0, 1>}}> : ({OPERATION}, !pdl.range<value>) -> ()'
    ),
    rewrite('"pdl.apply_native_rewrite"(%root) <{name = "run"}> : (!pdl.operation) -> ()'),
    rewrite(properties=EXTERNAL, block=False),
    rewrite(properties=EXTERNAL, more="%root", block=False),
    rewrite(root="", properties=EXTERNAL, more="%root", block=False),
)
SAMPLES = (
    *map(pattern, MATCHERS),
    *(pattern(NAMED, end) for end in REWRITES),
    pattern(ROOT, properties='benefit = 0 : i16, sym_name = "named"'),
)

UNBOUND = "expected a bindable user when defined in the matcher body of a `pdl.pattern`"
BROKEN: tuple[Broken, ...] = (
    (pattern("", rewrite(root="")), "'pdl.pattern' op the pattern must contain at least one `pdl.operation`"),
    (
        pattern(ROOT, properties="benefit = -1 : i16"),
        "'pdl.pattern' op attribute 'benefit' failed to satisfy constraint: 16-bit signless integer attribute "
        "whose value is non-negative",
    ),
    (
        pattern(f"%root = {operation(names=A)}"),
        "'pdl.operation' op expected the same number of attribute values and attribute names, "
        "got 1 names and 0 values",
    ),
    (pattern(f'{ROOT}\n%v = "pdl.operand"() : () -> !pdl.value'), f"'pdl.operand' op {UNBOUND}"),
    (pattern(f'{ROOT}\n%v = "pdl.operands"() : () -> !pdl.range<value>'), f"'pdl.operands' op {UNBOUND}"),
    (pattern(f"{ROOT}\n{TYPE}"), f"'pdl.type' op {UNBOUND}"),
    (pattern(f"{ROOT}\n{TYPES}"), f"'pdl.types' op {UNBOUND}"),
    (pattern(f'{ROOT}\n%a = "pdl.attribute"() : () -> !pdl.attribute'), f"'pdl.attribute' op {UNBOUND}"),
    (
        pattern(ROOT, rewrite(block=False)),
        "'pdl.rewrite' op expected rewrite region to be non-empty if external name is not specified",
    ),
    (
        pattern(ROOT, rewrite(properties=EXTERNAL)),
        "'pdl.rewrite' op expected rewrite region to be empty when rewrite is external",
    ),
    (
        pattern(ROOT, rewrite(more="%root")),
        "'pdl.rewrite' op expected no external arguments when the rewrite is specified inline",
    ),
    (
        pattern(
            f'{ROOT}\n"pdl.apply_native_constraint"(%root) <{{name = "x"}}> : ({OPERATION}) -> ()',
            '"ub.unreachable"() : () -> ()',
        ),
        "'pdl.pattern' op expected body to terminate with `pdl.rewrite`",
    ),
    (
        pattern(f'{ROOT}\n%c = "arith.constant"() <{{value = 1 : i32}}> : () -> i32'),
        "'pdl.pattern' op expected only `pdl` operations within the pattern body",
    ),
    (
        pattern(f"{ROOT}\n%other = {operation()}", rewrite(properties=EXTERNAL, more="%other", block=False)),
        "'pdl.pattern' op the operations must form a connected component",
    ),
    (
        pattern(ROOT, rewrite(f"%new = {operation()}")),
        "'pdl.operation' op must have an operation name when nested within a `pdl.rewrite`",
    ),
    (
        pattern(
            f'{ROOT}\n%v = "pdl.result"(%root) <{{index = 0 : i32}}> : ({OPERATION}) -> !pdl.value',
            rewrite(
                '"pdl.replace"(%root, %root, %v) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : '
                f"({OPERATION}, {OPERATION}, !pdl.value) -> ()"
            ),
        ),
        "'pdl.replace' op expected no replacement values to be provided when the replacement operation is present",
    ),
    (
        pattern(f'{ROOT}\n%v = "pdl.results"(%root) : ({OPERATION}) -> !pdl.value'),
        "'pdl.results' op expected `pdl.range<value>` result type when no index is specified, "
        "but got: '!pdl.value'",
    ),
    (
        pattern(ROOT, rewrite(f'%v = "pdl.range"(%root) : ({OPERATION}) -> !pdl.range<value>')),
        "'pdl.range' op expected operand to have element type '!pdl.value', but got '!pdl.operation'",
    ),
    (
        pattern(ROOT, rewrite('"pdl.apply_native_rewrite"() <{name = "x"}> : () -> ()')),
        "'pdl.apply_native_rewrite' op expected at least one argument or result",
    ),
    (
        pattern(f'{ROOT}\n"pdl.apply_native_constraint"() <{{name = "x"}}> : () -> ()'),
        "'pdl.apply_native_constraint' op expected at least one argument",
    ),
    (
        pattern(ROOT, rewrite('%a = "pdl.attribute"() : () -> !pdl.attribute')),
        "'pdl.attribute' op expected constant value when specified within a `pdl.rewrite`",
    ),
    (
        pattern(
            f'{TYPE}\n%a = "pdl.attribute"(%t) <{{value = 1 : i32}}> : (!pdl.type) -> !pdl.attribute\n{ROOT}'
        ),
        "'pdl.attribute' op expected only one of [`type`, `value`] to be set",
    ),
    (
        pattern(f'{ROOT}\n"pdl.erase"(%root) : ({OPERATION}) -> ()'),
        "'pdl.erase' op expects parent op 'pdl.rewrite'",
    ),
    (
        pattern(ROOT, rewrite(f'%v = "pdl.range"(%root) : ({OPERATION}) -> !pdl.range<operation>')),
        "'pdl.range' op result #0 must be range of PDL handle to an `mlir::Type` or PDL handle for an `mlir::Value` "
        "values, but got '!pdl.range<operation>'",
    ),
)
