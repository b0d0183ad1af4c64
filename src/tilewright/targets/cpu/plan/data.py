"""Plans as JSON from which the same plans can be read again.

A plan is a tree of dataclasses. Each is a node: its class, and its fields by name. Nodes stand in a list in which
parts come first, so reading needs no recursion. Operations, values and blocks of the kernel are numbers, in the
order of a walk: the plan is read beside the module that it was made from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, cast

from tilewright.ir.attribute import Type
from tilewright.ir.block import Block
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_type
from tilewright.ir.value import Value
from tilewright.lowering.access_facts import corners, pointers, positions, views, whole_tiles
from tilewright.optimizer.analysis.intervals import Interval
from tilewright.targets import codes
from tilewright.targets.cpu.machine import instructions as machine_instructions, product_kinds
from tilewright.targets.cpu.machine.target import CpuTarget
from tilewright.targets.cpu.plan import model, products

Data = dict[str, Any]
CLASSES: Mapping[str, Any] = {
    name: found
    for module in (model, products, corners, pointers, positions, views, whole_tiles)
    for name, found in vars(module).items()
    if isinstance(found, type) and (is_dataclass(found) or issubclass(found, Enum))
}
"""The classes of plans and of the facts in them, by their names in JSON."""
FORMULAS = {op.op_kind.name: op for op in positions.BOUNDS}
"""The operations that formulas of a plan may apply, by name."""


def plan_data(plan: model.KernelPlan) -> Data:
    """Return a plan as JSON data, which `read_plan` reads."""
    function: Any = plan.function
    return {"kernel": function.sym_name, "nodes": _PlanWriter(plan.function).nodes(plan)}


def parts_of(function: Operation) -> tuple[list[Operation], list[Value], list[Block]]:
    """Return the operations, the values and the blocks of a function. Operations and blocks are in code
    order; the values are all arguments of blocks, then all results of operations. The position of a part in
    its list is its number in the JSON of plans.
    """
    ops = list(function.walk())
    blocks = [block for op in ops for region in op.regions for block in region.blocks]
    values = [value for block in blocks for value in block.arguments]
    return ops, [*values, *(value for op in ops for value in op.results)], blocks


class _PlanWriter:
    """Writes the nodes of one plan: ``numbers`` has the references of the parts of the kernel, and ``known``
    the numbers of the written nodes, by identity.
    """

    def __init__(self, function: Operation) -> None:
        self.numbers = {
            id(part): {kind: number}
            for kind, parts in zip(("op", "value", "block"), parts_of(function), strict=True)
            for number, part in enumerate(parts)
        }
        self.found: list[Data] = []
        self.known: dict[int, int] = {}

    def nodes(self, plan: model.KernelPlan) -> list[Data]:
        """Return the nodes of a plan as JSON data; the nodes in the fields of a node precede it, and the plan
        is last.
        """
        pending: list[tuple[Any, bool]] = [(plan, False)]
        while pending:
            node, is_ready = pending.pop()
            if id(node) in self.known:
                continue
            if is_ready:
                self.known[id(node)] = len(self.found)
                self.found.append(self.node(node))
            else:
                pending.append((node, True))
                pending += [
                    (part, False) for part in _nodes_in([getattr(node, f.name) for f in fields(node)])
                ]
        return self.found

    def node(self, node: Any) -> Data:
        """Return one node as JSON data: ``class``, then its fields. The nodes in its fields are written
        already.
        """
        written = {field.name: self.value(getattr(node, field.name)) for field in fields(node)}
        return {"class": type(node).__name__, **written}

    def value(self, value: Any) -> Any:
        """Return the value of a field as JSON data.

        Parts of the kernel and other nodes are references, such as ``{"op": 3}`` and ``{"node": 7}``.
        """
        if id(value) in self.numbers:
            return self.numbers[id(value)]
        for kind, write in LEAVES.items():
            if isinstance(value, kind):
                return write(value)
        if isinstance(value, tuple):
            return [self.value(item) for item in cast("tuple[Any, ...]", value)]
        return {"node": self.known[id(value)]} if is_dataclass(value) else value


def _nodes_in(values: Sequence[Any]) -> Iterator[Any]:
    """Yield the nodes (dataclasses of plans) among `values`, and in tuples among them."""
    pending = list(values)
    while pending:
        value = pending.pop()
        if isinstance(value, tuple) and not isinstance(value, Interval):
            pending += cast("tuple[Any, ...]", value)
        elif is_dataclass(value) and not isinstance(value, product_kinds.ProductKind | type):
            yield value


def _kind(kind: product_kinds.ProductKind) -> Data:
    return {"instruction": [kind.name, str(kind.held), str(kind.sum)]}


LEAVES: Mapping[type[Any], Callable[[Any], Any]] = {
    Enum: lambda value: {"enum": f"{type(value).__name__}.{value.name}"},
    Interval: lambda value: {"interval": [value.low, value.high]},
    Type: lambda value: {"type": str(value)},
    type: lambda value: {"operation": value.op_kind.name},
    CpuTarget: lambda value: {"processor": {name: getattr(value, name) for name in CpuTarget.parameters}},
    product_kinds.ProductKind: _kind,
}
"""The functions that convert other values to JSON data, by class."""


# --- reading


def read_plans(text: str, module: Operation, context: Context) -> tuple[model.KernelPlan, ...]:
    """Return the plans in a text of the stage `plan-json`, beside the module that they were made from.

    Raises:
        DiagnosticError: the text has no plans of kernels of this module.
    """
    try:
        plans = json.loads(text)["plans"]
        functions = {getattr(op, "sym_name", ""): op for op in module.regions[0].block}
        named = [(plan, functions[plan["kernel"]]) for plan in plans]
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise failure(codes.NO_PLAN, f"this has no plans of kernels of the module: {error}") from error
    return tuple([read_plan(plan, function, context) for plan, function in named])


def read_plan(data: Data, function: Operation, context: Context) -> model.KernelPlan:
    """Return the plan of the kernel `function`, which `plan_data` wrote as `data`. The function must be equal
    to the function that was planned.

    Raises:
     DiagnosticError: the data is no plan of this kernel.
    """
    try:
        plan = _PlanReader(function, context).plan(data["nodes"])
    except (
        KeyError,
        IndexError,
        TypeError,
        ValueError,
        AttributeError,
        RecursionError,
        DiagnosticError,
    ) as error:
        reason = f"{type(error).__name__}: {error}"
        raise failure(codes.NO_PLAN, f"this is no plan of the kernel: {reason}", function.location) from error
    if not isinstance(plan, model.KernelPlan) or plan.function is not function:
        raise failure(codes.NO_PLAN, "this is the plan of another kernel", function.location)
    return plan


class _PlanReader:
    """Read the nodes of one plan."""

    def __init__(self, function: Operation, context: Context) -> None:
        self.context = context
        self.parts: dict[str, Any] = dict(zip(("op", "value", "block"), parts_of(function), strict=True))
        self.found: list[Any] = []
        self.target = CpuTarget()

    def plan(self, nodes: Sequence[Data]) -> Any:
        """Read all nodes, and return the object of the last of them: the plan, if the data is valid. Parts of
        the data that are wrong raise any of several exceptions, which `read_plan` converts.
        """
        processors = [node["target"] for node in nodes if node["class"] == model.KernelPlan.__name__]
        self.target = self.value(processors[-1])
        for node in nodes:
            given = {name: self.value(value) for name, value in node.items() if name != "class"}
            self.found.append(CLASSES[node["class"]](**given))
        return self.found[-1]

    def value(self, value: Any) -> Any:
        """Return the value of a field from its JSON data, as `_PlanWriter.value` writes it. Wrong data raises
        any of several exceptions, which `read_plan` converts.
        """
        if isinstance(value, list):
            return tuple([self.value(item) for item in cast("list[Any]", value)])
        if isinstance(value, dict):
            return self.named(cast("dict[str, Any]", value))
        return value

    def named(self, value: dict[str, Any]) -> Any:
        """Return the value of a mapping with a single key, such as ``{"op": 3}``, ``{"node": 7}`` or
        ``{"enum": ...}``.

        The keys ``op``, ``value`` and ``block`` refer to parts of the kernel by their numbers. For any other
        key, the method ``read_`` with the key as its suffix reads the value.
        """
        ((kind, held),) = value.items()
        return self.parts[kind][held] if kind in self.parts else getattr(self, f"read_{kind}")(held)

    def read_node(self, number: int) -> Any:
        """Return the node with this number, which was read already."""
        return self.found[number]

    def read_enum(self, name: str) -> Any:
        """Return the member of an enumeration with the name `name`, such as ``Obstacle.NONE``."""
        owner, _, member = name.partition(".")
        return CLASSES[owner][member]

    def read_interval(self, limits: Sequence[int]) -> Interval:
        """Return the interval with the bounds ``[low, high]``."""
        low, high = limits
        return Interval(low, high)

    def read_type(self, text: str) -> Type:
        """Return the type with this text."""
        return parse_type(self.context, text)

    def read_operation(self, name: str) -> type[Operation]:
        """Return the class of the operation that a formula applies, by the name of the operation."""
        return FORMULAS[name]

    def read_processor(self, given: Data) -> CpuTarget:
        """Return the processor with the fields `given`; missing fields have their defaults. Raises
        `TypeError` for an unknown field.
        """
        return CpuTarget(**given)

    def read_instruction(self, given: Sequence[str]) -> product_kinds.ProductKind:
        """Return the kind of product instruction from its name and the texts of its operand and sum types."""
        name, held, total = given
        products = machine_instructions.instructions_of(self.target).products
        return product_kinds.kind_named(name, self.read_type(held), self.read_type(total), products)
