"""Plans are read again from the stage `plan-json`: the same plans, which make the same code."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.targets.cpu.plan.test_plan import EXAMPLES, TARGET, emitted, example, overlapping
from tilewright.driver.startup import context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.targets import codes
from tilewright.targets.cpu.kernel.kernel import plan_module
from tilewright.targets.cpu.plan.data import read_plans
from tilewright.targets.cpu.plan.printing import as_json


def module_of(name: str) -> Operation:
    return overlapping() if name == "overlap" else example(name).module("tileas")


@pytest.mark.parametrize("name", [*EXAMPLES, "overlap"])
def test_the_same_plans_are_read(name: str) -> None:
    module = module_of(name)
    plans = plan_module(module, TARGET)
    text = as_json(plans, module)
    again = read_plans(text, module, context())
    assert again == plans
    assert as_json(again, module) == text
    assert emitted(module, again[0]) == emitted(module, plans[0])


def test_a_changed_plan_makes_other_code() -> None:
    module = module_of("vector_add")
    (plan,) = plan_module(module, TARGET)
    data = json.loads(as_json([plan], module))
    for node in data["plans"][0]["nodes"]:
        if node["class"] == "Vectors":
            node.update(lanes=2, count=1)
    (changed,) = read_plans(json.dumps(data), module, context())
    assert "fadd <2 x float>" in emitted(module, changed)
    assert emitted(module, changed) != emitted(module, plan)


def damaged(text: str, change: str) -> str:
    """A text with something wrong in it."""
    data: Any = json.loads(text)
    plan = data["plans"][0]
    nodes = plan["nodes"]
    match change:
        case "no plans":
            del data["plans"]
        case "kernel":
            plan["kernel"] = "other"
        case "class":
            nodes[0]["class"] = "object"
        case "field":
            nodes[0]["other"] = 1
        case "reference":
            nodes[-1]["function"] = {"op": 1 << 40}
        case "kind":
            nodes[-1]["function"] = {"file": "x"}
        case "later":
            nodes[0]["op"] = {"node": len(nodes)}
        case "nothing":
            nodes.clear()
        case _:
            return text[:-9]
    return json.dumps(data)


@pytest.mark.parametrize(
    "change", ["no plans", "kernel", "class", "field", "reference", "kind", "later", "nothing", "text"]
)
def test_texts_that_are_no_plans(change: str) -> None:
    module = module_of("softmax")
    text = as_json(plan_module(module, TARGET), module)
    with pytest.raises(DiagnosticError) as error:
        read_plans(damaged(text, change), module, context())
    assert error.value.diagnostics[0].code == codes.NO_PLAN


def test_the_plan_of_another_kernel() -> None:
    one, other = module_of("softmax"), module_of("vector_add")
    data = json.loads(as_json(plan_module(one, TARGET), one))
    (plan,) = plan_module(other, TARGET)
    function: Any = plan.function
    data["plans"][0]["kernel"] = function.sym_name
    with pytest.raises(DiagnosticError):
        read_plans(json.dumps(data), other, context())
