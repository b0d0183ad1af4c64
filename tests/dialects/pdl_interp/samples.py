"""Modules in generic form that use every operation of ``pdl_interp``, and modules that break its rules."""

from __future__ import annotations

from tests.support.dialect_checks import Broken

ARGUMENTS = {
    "op": "!pdl.operation",
    "at": "!pdl.attribute",
    "ty": "!pdl.type",
    "v": "!pdl.value",
    "ops": "!pdl.range<operation>",
    "tys": "!pdl.range<type>",
    "vs": "!pdl.range<value>",
}
FINALIZE = '"pdl_interp.finalize"() : () -> ()'


def matcher(body: str, ending: str = FINALIZE, properties: str = "") -> str:
    """A module with one function that takes a handle of each kind."""
    types = ", ".join(ARGUMENTS.values())
    listed = ", ".join(f"%{name}: {type}" for name, type in ARGUMENTS.items())
    return (
        f'"builtin.module"() ({{\n"pdl_interp.func"() <{{{properties}function_type = ({types}) -> (), '
        f'sym_name = "matcher"}}> ({{\n^bb0({listed}):\n{body}\n{ending}\n}}) : () -> ()\n}}) : () -> ()'
    )


def typed(name: str, operands: str, result: str = "()", properties: str = "", blocks: str = "") -> str:
    """An operation on arguments of the function, whose types are filled in."""
    names = [operand.strip().removeprefix("%") for operand in operands.split(",") if operand]
    types = ", ".join(ARGUMENTS[operand] for operand in names)
    held = f" <{{{properties}}}>" if properties else ""
    left = "" if result == "()" else "%0 = "
    return f'{left}"pdl_interp.{name}"({operands}){blocks}{held} : ({types}) -> {result}'


def question(name: str, operands: str, properties: str = "", result: str = "()", count: int = 2) -> str:
    """A module with an operation that goes on to the last block."""
    blocks = f"[{', '.join(['^bb1'] * count)}]"
    return matcher(typed(name, operands, result, properties, blocks), f"^bb1:\n{FINALIZE}")


def step(name: str, operands: str, result: str = "()", properties: str = "") -> str:
    """A module with an operation in the middle of a block."""
    return matcher(typed(name, operands, result, properties))


QUESTIONS = (
    question("apply_constraint", "%op", 'isNegated = false, name = "x"'),
    question("apply_constraint", "%op,%vs", 'isNegated = true, name = "x"', "!pdl.attribute"),
    question("are_equal", "%v,%v"),
    question("are_equal", "%tys,%tys"),
    question("branch", "", count=1),
    question("check_attribute", "%at", "constantValue = [1, unit]"),
    question("check_operand_count", "%op", "count = 2 : i32"),
    question("check_operand_count", "%op", "compareAtLeast, count = 0 : i32"),
    question("check_operation_name", "%op", 'name = "test.a"'),
    question("check_result_count", "%op", "compareAtLeast, count = 1 : i32"),
    question("check_type", "%ty", "type = vector<4xf32>"),
    question("check_types", "%tys", "types = [i32, index]"),
    question("is_not_null", "%ops"),
    question("switch_attribute", "%at", "caseValues = [10, true]", count=3),
    question("switch_operand_count", "%op", "caseValues = dense<[0, 2]> : vector<2xi32>", count=3),
    question("switch_result_count", "%op", "caseValues = dense<[0, 2]> : tensor<2xi32>", count=3),
    question("switch_operation_name", "%op", 'caseValues = ["a.b", "c.d"]', count=3),
    question("switch_type", "%ty", "caseValues = [i32, () -> ()]", count=3),
    question("switch_types", "%tys", "caseValues = [[i32], []]", count=3),
    question(
        "record_match",
        "%v,%vs,%op",
        'benefit = 1 : i16, generatedOps = ["a.b"], operandSegmentSizes = array<i32: 2, 1>, '
        'rewriter = @rewriters::@one, rootKind = "test.a"',
        count=1,
    ),
    question(
        "record_match",
        "",
        "benefit = 0 : i16, operandSegmentSizes = array<i32: 0, 0>, rewriter = @r",
        count=1,
    ),
)
STEPS = (
    step("apply_rewrite", "", properties='name = "x"'),
    step("apply_rewrite", "%op,%v", "!pdl.range<value>", 'name = "x"'),
    step("create_attribute", "", "!pdl.attribute", "value = {a = 1 : i32}"),
    step(
        "create_operation",
        "%v,%vs,%at,%ty,%tys",
        "!pdl.operation",
        'inputAttributeNames = ["a"], name = "test.a", operandSegmentSizes = array<i32: 2, 1, 2>',
    ),
    matcher(
        '%one = "arith.constant"() <{value = 1 : i32}> : () -> i32\n'
        + typed(
            "create_operation",
            "%v,%v",
            "!pdl.operation",
            'inferredResultTypes, inputAttributeNames = [], name = "arith.addi", '
            "operandSegmentSizes = array<i32: 2, 0, 0>",
        )
    ),
    step("create_range", "%v,%vs", "!pdl.range<value>"),
    step("create_range", "", "!pdl.range<type>"),
    step("create_type", "", "!pdl.type", "value = i32"),
    step("create_types", "", "!pdl.range<type>", "value = [i32, tensor<*xf32>]"),
    step("erase", "%op"),
    step("replace", "%op"),
    step("replace", "%op,%v,%vs"),
    step("extract", "%vs", "!pdl.value", "index = 1 : i32"),
    step("get_attribute", "%op", "!pdl.attribute", 'name = "a"'),
    step("get_attribute_type", "%at", "!pdl.type"),
    step("get_defining_op", "%v", "!pdl.operation"),
    step("get_defining_op", "%vs", "!pdl.operation"),
    step("get_operand", "%op", "!pdl.value", "index = 1 : i32"),
    step("get_operands", "%op", "!pdl.range<value>"),
    step("get_operands", "%op", "!pdl.value", "index = 0 : i32"),
    step("get_result", "%op", "!pdl.value", "index = 1 : i32"),
    step("get_results", "%op", "!pdl.range<value>"),
    step("get_results", "%op", "!pdl.range<value>", "index = 0 : i32"),
    step("get_users", "%vs", "!pdl.range<operation>"),
    step("get_value_type", "%v", "!pdl.type"),
    step("get_value_type", "%vs", "!pdl.range<type>"),
)


def foreach(argument: str = "%x: !pdl.operation", ending: str = '"pdl_interp.continue"() : () -> ()') -> str:
    """A module with a loop over operations."""
    return matcher(
        f'"pdl_interp.foreach"(%ops)[^bb1] ({{\n^bb0({argument}):\n{ending}\n}}) : '
        f"(!pdl.range<operation>) -> ()",
        f"^bb1:\n{FINALIZE}",
    )


SAMPLES = (
    *QUESTIONS,
    *STEPS,
    foreach(),
    matcher("", properties="arg_attrs = [{}, {}, {}, {}, {}, {}, {}], "),
)

BROKEN: tuple[Broken, ...] = (
    (
        question("switch_type", "%ty", "caseValues = [i32]", count=3),
        "'pdl_interp.switch_type' op expected number of cases to match the number of case values, "
        "got 2 but expected 1",
    ),
    (
        question("are_equal", "%v,%ty"),
        "'pdl_interp.are_equal' op requires all operands to have the same type",
    ),
    (
        question("check_operand_count", "%op", "count = -1 : i32"),
        "'pdl_interp.check_operand_count' op attribute 'count' failed to satisfy constraint: "
        "32-bit signless integer attribute whose value is non-negative",
    ),
    (
        question("switch_operand_count", "%op", "caseValues = dense<[0, 2]> : vector<2xi64>", count=3),
        "'pdl_interp.switch_operand_count' op attribute 'caseValues' failed to satisfy constraint: "
        "32-bit signless integer elements attribute",
    ),
    (
        question("switch_types", "%tys", "caseValues = [i32]", count=2),
        "'pdl_interp.switch_types' op attribute 'caseValues' failed to satisfy constraint: "
        "type-array array attribute",
    ),
    (
        step("create_range", "%v,%vs", "!pdl.range<type>"),
        "'pdl_interp.create_range' op expected operand to have element type '!pdl.type', but got '!pdl.value'",
    ),
    (
        step(
            "create_operation",
            "%ty",
            "!pdl.operation",
            'inferredResultTypes, inputAttributeNames = [], name = "pdl_interp.get_result", '
            "operandSegmentSizes = array<i32: 0, 0, 1>",
        ),
        "'pdl_interp.create_operation' op with inferred results cannot also have explicit result types",
    ),
    (
        step("extract", "%vs", "!pdl.type", "index = 1 : i32"),
        "'pdl_interp.extract' op failed to verify that `range` is a PDL range whose element type matches type of "
        "`result`",
    ),
    (
        step("get_value_type", "%vs", "!pdl.type"),
        "'pdl_interp.get_value_type' op failed to verify that `value` type matches arity of `result`",
    ),
    (
        step("get_value_type", "%ty", "!pdl.type"),
        "'pdl_interp.get_value_type' op operand #0 must be single element or range of PDL handle for an "
        "`mlir::Value`, but got '!pdl.type'",
    ),
    (foreach(""), "'pdl_interp.foreach' op requires exactly one argument"),
    (foreach("%x: !pdl.value"), "'pdl_interp.foreach' op operand must be a range of loop variable type"),
    (
        matcher("", '"pdl_interp.continue"() : () -> ()'),
        "'pdl_interp.continue' op expects parent op 'pdl_interp.foreach'",
    ),
    (
        '"builtin.module"() ({\n"pdl_interp.func"() <{function_type = () -> (), sym_name = "f"}> ({\n}) : () -> ()\n'
        "}) : () -> ()",
        "'pdl_interp.func' op region #0 ('body') failed to verify constraint: region with at least 1 blocks",
    ),
)
