"""Samplers of the operations of ``pdl`` and ``pdl_interp`` that stand in patterns, have regions or case blocks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import dense, integer32
from tilewright.ir.builtin_types import FunctionType, RankedTensorType, i32
from tilewright.ir.declaration.attribute_kind import AttributeKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.pdl.dialects.pdl import ops as pdl, types as pdl_types
from tilewright.pdl.dialects.pdl_interp import actions, predicates
from tilewright.testing.attributes import draw_attribute
from tilewright.testing.standard.scene import PDL_HANDLES, Sampler, StandardScene, declared

NAMES = ("test.op", "arith.addi", "func.call")
SCALARS = (i32, RankedTensorType((2,), i32))


def pattern(scene: StandardScene) -> Operation:
    """Add a `pdl.pattern` to the module and return it: it matches an operation and some of its types,
    operands and attributes, and ends in a rewrite.
    """
    with scene.at_module_level():
        matcher = Block()
        with scene.inside(matcher, isolated=True):
            types, values, attributes = _leaves(scene)
            if scene.boolean():
                values.append(_matched_result(scene, values))
            root = _operation(scene, scene.choose((None, *NAMES)), values, attributes, types).results[0]
            if scene.boolean():
                _constraint(scene, [root, *values])
            _rewrite(scene, root, values)
        return scene.create(
            pdl.PatternOp,
            scene.integer(0, 9),
            sym_name=scene.choose((None, scene.symbol())),
            bodyRegion=Region([matcher]),
        )


def _leaves(scene: StandardScene) -> tuple[list[Value], list[Value], list[Value]]:
    """Add operations that match types, values and attributes; return the three lists of their results."""
    types: list[Value] = []
    for _ in range(scene.integer(0, 2)):
        types.append(scene.create(pdl.TypeOp, constantType=scene.choose((None, *SCALARS))).results[0])
    if scene.boolean():
        constants = scene.choose((None, (), SCALARS))
        types.append(scene.create(pdl.TypesOp, constantTypes=constants).results[0])
    single = next((type for type in types if type.type is pdl_types.TypeType()), None)
    several = next((type for type in types if isinstance(type.type, pdl_types.RangeType)), None)
    values: list[Value] = []
    if scene.boolean():
        values.append(scene.create(pdl.OperandOp, scene.choose((None, single))).results[0])
    if scene.boolean():
        values.append(scene.create(pdl.OperandsOp, scene.choose((None, several))).results[0])
    return types, values, [_attribute(scene, single) for _ in range(scene.integer(0, 2))]


def _attribute(scene: StandardScene, type: Value | None) -> Value:
    if scene.boolean():
        return _constant(scene)
    return scene.create(pdl.AttributeOp, scene.choose((None, type))).results[0]


def _constant(scene: StandardScene) -> Value:
    value = draw_attribute(scene, AttributeKind())
    return scene.create(pdl.AttributeOp, value=value).results[0]


def _operation(
    scene: StandardScene,
    name: str | None,
    values: Sequence[Value] = (),
    attributes: Sequence[Value] = (),
    types: Sequence[Value] = (),
) -> Operation:
    names = [f"name{number}" for number in range(len(attributes))]
    return scene.create(
        pdl.OperationOp,
        opName=name,
        operandValues=values,
        attributeValues=attributes,
        attributeValueNames=names,
        typeValues=types,
    )


def _matched_result(scene: StandardScene, values: list[Value]) -> Value:
    """Match an operation with `values` as operands, and return one of its results."""
    other = _operation(scene, scene.choose((None, *NAMES)), values)
    return _result(scene, other.results[0])


def _result(scene: StandardScene, op: Value) -> Value:
    if scene.boolean():
        return scene.create(pdl.ResultOp, op, scene.integer(0, 3)).results[0]
    group = scene.choose((None, 0, 2))
    kind = (
        pdl_types.ValueType()
        if group is not None and scene.boolean()
        else pdl_types.RangeType(pdl_types.ValueType())
    )
    return scene.create(pdl.ResultsOp, op, index=group, result_types=[kind]).results[0]


def _constraint(scene: StandardScene, values: list[Value]) -> None:
    kinds = [type for type in PDL_HANDLES if type is not pdl_types.OperationType()]
    results = [scene.choose(kinds) for _ in range(scene.integer(0, 2))]
    scene.create(
        pdl.ApplyNativeConstraintOp, "check", values, isNegated=scene.boolean(), result_types=results
    )


def _rewrite(scene: StandardScene, root: Value, values: Sequence[Value]) -> None:
    if scene.drawing.chance(4):
        named, *arguments = scene.choose(((root,), (root, *values), (None, root, *values)))
        scene.create(pdl.RewriteOp, named, arguments, name_="rewriter", bodyRegion=Region())
        return
    block = Block()
    with scene.inside(block):
        _replacement(scene, root, list(values))
    scene.create(pdl.RewriteOp, scene.choose((None, root)), bodyRegion=Region([block]))


def _replacement(scene: StandardScene, root: Value, values: list[Value]) -> None:
    """Build a rewrite: make operations and values, and replace or erase the root."""
    type = scene.create(pdl.TypeOp, constantType=scene.choose(SCALARS)).results[0]
    more = scene.create(pdl.TypesOp, constantTypes=SCALARS).results[0]
    scene.create(
        pdl.RangeOp,
        scene.drawing.subset([type, more]),
        result_types=[pdl_types.RangeType(pdl_types.TypeType())],
    )
    values.append(
        scene.create(pdl.RangeOp, values, result_types=[pdl_types.RangeType(pdl_types.ValueType())]).results[
            0
        ]
    )
    attributes = [_constant(scene) for _ in range(scene.integer(0, 2))]
    made = _operation(scene, scene.choose(NAMES), values, attributes, [type]).results[0]
    results = [scene.choose(PDL_HANDLES) for _ in range(scene.integer(1, 2))]
    scene.create(pdl.ApplyNativeRewriteOp, "build", [made, *values], result_types=results)
    choice = scene.integer(0, 2)
    if choice == 0:
        scene.create(pdl.EraseOp, root)
    elif choice == 1:
        scene.create(pdl.ReplaceOp, root, made)
    else:
        scene.create(pdl.ReplaceOp, root, None, [_result(scene, made)])


# the interpreter's dialect ----------------------------------------------------------------------------------------


def function(scene: StandardScene) -> Operation:
    """Add a `pdl_interp.func` that ends at once or after a loop to the module, and return it."""
    with scene.at_module_level():
        body = Block([scene.choose(PDL_HANDLES) for _ in range(scene.integer(0, 2))])
        region = Region([body])
        with scene.inside(body, isolated=True):
            if scene.boolean():
                loop = foreach(scene)
                scene.block = loop.successors[0]
                loop.successors[0].ops[0].erase()
            scene.create(actions.FinalizeOp)
        inputs = tuple(argument.type for argument in body.arguments)
        return scene.create(actions.FuncOp, scene.symbol(), FunctionType(inputs, ()), body=region)


def foreach(scene: StandardScene) -> Operation:
    """Add a `pdl_interp.foreach` over a range, whose body continues at once, and return it."""
    element: Type = scene.choose(PDL_HANDLES)
    values = scene.value(pdl_types.RangeType(element))
    block = Block([element])
    with scene.inside(block):
        scene.create(actions.ContinueOp)
    return scene.create(actions.ForEachOp, values, region=Region([block]), successor=scene.target())


def switch(op_class: Any, scene: StandardScene) -> Operation:
    """Add an operation of the class `op_class`, a switch of `pdl_interp`, with a new block for the default
    and for each case value; return it.
    """
    field = next(field for field in op_class.op_kind.attributes if field.name == "caseValues")
    values: Any = draw_attribute(scene, field.kind)
    if hasattr(values, "count"):
        values = dense(RankedTensorType((values.count,), i32), range(values.count))
    count = getattr(values, "count", len(getattr(values, "elements", ())))
    cases = [scene.target() for _ in range(count)]
    fixed = {"attributes": {"caseValues": values}, "successors": {"cases": cases}}
    return declared(scene, op_class, fixed)


def create_operation(scene: StandardScene) -> Operation:
    """Add a `pdl_interp.create_operation` with an attribute for each name, as the custom form pairs them up,
    and return it. At random its result types are inferred: then it makes an `arith.addi`, and an
    `arith.constant` is added before it, so that the module uses the dialect.
    """
    names = scene.drawing.subset(("value", "two words", "a.b"))
    attributes = [scene.value(pdl_types.AttributeType()) for _ in names]
    inferred = scene.boolean()
    values: dict[str, Any] = {"inputAttributes": attributes}
    if inferred:
        values["inputResultTypes"] = []
    fixed: dict[str, Any] = {"inputAttributeNames": names, "inferredResultTypes": inferred}
    if inferred:
        scene.create(ConstantOp, integer32(1))
        fixed["name"] = "arith.addi"
    return declared(scene, actions.CreateOperationOp, {"values": values, "attributes": fixed})


def apply_constraint(scene: StandardScene) -> Operation:
    """Add a `pdl_interp.apply_constraint` with one or two arguments, and return it: the custom form requires
    an argument.
    """
    arguments = [scene.value(scene.choose(PDL_HANDLES)) for _ in range(scene.integer(1, 2))]
    return declared(scene, predicates.ApplyConstraintOp, {"values": {"args": arguments}})


SWITCHES = [op for op in predicates.OPERATIONS if issubclass(op, predicates.SwitchOp)]
SAMPLERS: dict[type[Operation], Sampler] = {
    **dict.fromkeys(pdl.OPERATIONS, pattern),
    actions.FuncOp: function,
    actions.FinalizeOp: function,
    actions.ForEachOp: foreach,
    actions.ContinueOp: foreach,
    actions.CreateOperationOp: create_operation,
    predicates.ApplyConstraintOp: apply_constraint,
    **{op_class: partial(switch, op_class) for op_class in SWITCHES},
}
"""The samplers of operations that cannot be drawn from the declaration alone."""
