"""How operations come into being: from their parts, and from the arguments of a constructor call.

The constructor of an op class without regions and without segmented results is generated from its declaration at the
first call, as `dataclasses` does it, so that a call runs without loops over fields.  All other classes bind their
arguments field by field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any

from tilewright.ir.attribute import NO_ATTRIBUTES, Attribute, Location, SharedAttributes, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.declaration.attribute_kind import UnitKind
from tilewright.ir.declaration.fields import MISSING, Arity, AttributeField, OperandField
from tilewright.ir.declaration.kind import OPERAND_SEGMENTS, RESULT_SEGMENTS, OperationKind, segments
from tilewright.ir.location import UNKNOWN, LazyLocation
from tilewright.ir.support.record import NamedTuple
from tilewright.ir.value import OpResult, Value

if TYPE_CHECKING:
    from tilewright.ir.operation import Operation

_MAXIMUM_SHARED = 1 << 12
"""The maximum number of shared attribute dictionaries that are cached for a kind."""

_new = object.__new__


def initialise(
    op: Operation,
    kind: OperationKind,
    operands: Sequence[Value],
    result_types: Sequence[Type],
    attributes: Mapping[str, Attribute],
    regions: Sequence[Region],
    successors: Sequence[Block],
    location: Location | LazyLocation,
) -> None:
    """Set all slots of a bare operation (``object.__new__``), and enter it into the uses of its operands and
    the predecessors of its successors. Types are not checked. Generated constructors and `clone` do this,
    unrolled.

    ``attributes`` is the operation's own dictionary, or a shared one. The regions get the operation as
    parent; ``location`` may be lazy.
    """
    op.kind = kind
    op.held_attributes = attributes
    op.lazy_location = location
    op.parent = op.previous = op.next = op.order_number = None
    op.operands = operands = tuple(operands)
    for value in operands:
        if value.compact_uses is None:
            value.compact_uses = op
        else:
            value.add_use(op)
    if len(result_types) == 1:  # `new_results`, unrolled
        result = _new(OpResult)
        (result.type,) = result_types
        result.compact_uses = None
        result.owner = op
        result.index = 0
        op.results = (result,)
    else:
        op.results = new_results(op, result_types)
    op.regions = op.successors = ()
    if regions:
        op.regions = tuple(regions)
        for region in regions:
            region.parent = op
    if successors:
        op.successors = tuple(successors)
        add_successors(op)


def new_results(op: Operation, types: Sequence[Type]) -> tuple[OpResult, ...]:
    """Return new results of an operation, one for each type; the caller stores them in `op`."""
    if len(types) != 1:
        return tuple([OpResult(type, op, index) for index, type in enumerate(types)])
    result = _new(OpResult)  # without the call of a constructor: most operations have one result
    (result.type,) = types
    result.compact_uses = None
    result.owner = op
    result.index = 0
    return (result,)


def add_successors(op: Operation) -> None:
    """Enter `op` among the predecessors of its successor blocks."""
    for block in op.successors:
        uses = block.predecessor_uses
        uses[op] = uses.get(op, 0) + 1


def as_value(value: Any) -> Value:
    """Return a value unchanged, or the only result of an operation.

    Raises `TypeError` for anything else, and `ValueError` for an operation with another number of results.
    """
    if isinstance(value, Value):
        return value
    results = getattr(value, "results", None)
    if results is None:
        raise TypeError(f"expected a value or an operation, got {value!r}")
    if len(results) != 1:
        raise ValueError(f"'{value.name}' has {len(results)} results; name the one that is meant")
    return results[0]


# --- generated constructors


def constructor(kind: OperationKind) -> Callable[..., None]:
    """Return the ``__init__`` of the op class of `kind`: generated for it, or `_construct` if it has regions
    or segmented results.
    """
    return _generated_constructor(kind) if _can_be_generated(kind) else _construct


def is_derived_constructor(function: Any) -> bool:
    """True if `function` is an ``__init__`` that `constructor` made, and not one written in the class."""
    return function is _construct or getattr(function, "__name__", "") == _GENERATED


_GENERATED = "__init__ of a kind"

_TEMPLATE = """\
def __init__(self{parameters}, *{keywords}, result_types=None, location=UNKNOWN, attributes=None):
{check_operands}
{find_attributes}
    if attributes:
        _own = {{**_own, **attributes}}
    _operands = self.operands = ({operands})
    if result_types is None:
        result_types = {inferred}
    self.kind = KIND
    self.held_attributes = _own
    self.lazy_location = location
    self.parent = self.previous = self.next = self.order_number = None
    self.regions = self.successors = ()
{add_uses}{add_successors}
    self.results = new_results(self, result_types)
"""

_CHECK_OPERAND = """\
    if not isinstance({name}, Value):
        {name} = _operand(KIND, "{name}", {name})
"""

_CHECK_OPTIONAL = """\
    {name} = () if {name} is None else ({name} if isinstance({name}, Value) else as_value({name}),)
"""

_CHECK_VARIADIC = """\
    {name} = [value if isinstance(value, Value) else as_value(value) for value in {name}]
"""

_FIND_ATTRIBUTES = """\
    try:
        _own = KNOWN.get({key})
    except TypeError:  # an unhashable argument, such as a list where an array attribute is meant
        _own = None
    if _own is None:
        _own = _attributes(KIND, KNOWN, {key}, ({names}), {sizes})
"""

_ADD_USE = """\
    if {name}.compact_uses is None:
        {name}.compact_uses = self
    else:
        {name}.add_use(self)
"""


_ADD_USES = """\
    for _value in _operands:
        if _value.compact_uses is None:
            _value.compact_uses = self
        else:
            _value.add_use(self)
"""

_ADD_SUCCESSORS = """\
    self.successors = ({successors})
    add_successors(self)
"""


def _can_be_generated(kind: OperationKind) -> bool:
    """True if the kind has no regions and no segmented results, so that source code can be generated for its
    constructor.
    """
    return not kind.regions and not kind.segmented_results


def _generated_constructor(kind: OperationKind) -> Callable[..., None]:
    """Return the ``__init__`` of a kind without regions and segmented results, compiled from generated
    source.
    """
    names: dict[str, Any] = {
        "KIND": kind,
        "KNOWN": {},
        "UNKNOWN": UNKNOWN,
        "MISSING": MISSING,
        "Block": Block,
        "Value": Value,
        "add_successors": add_successors,
        "as_value": as_value,
        "NO_ATTRIBUTES": NO_ATTRIBUTES,
        "_operand": _operand,
        "_attributes": _attributes,
        "new_results": new_results,
    }
    exec(compile(_source(kind, names), f"<constructor of {kind.name}>", "exec"), names)
    function = names["__init__"]
    function.__name__ = _GENERATED
    return function


def _source(kind: OperationKind, names: dict[str, Any]) -> str:
    attributes = [field.python_name for field in kind.attributes]
    hidden = [field.python_name for field in kind.attributes if field.kw_only]
    successors = [field.python_name for field in kind.successors]
    return _TEMPLATE.format(
        parameters="".join([f", {_parameter(field)}" for field in kind.positional]),
        keywords="".join([*[f", {name}=None" for name in hidden], *[f", {name}=()" for name in successors]]),
        check_operands="".join(
            [_CHECKS[field.arity].format(name=field.python_name) for field in kind.operands]
        ),
        find_attributes=_attribute_lookup(kind, attributes),
        operands=_listed([f"{_STARS[field.arity]}{field.python_name}" for field in kind.operands]),
        inferred=_inferred(kind, [field.python_name for field in kind.operands], names),
        add_uses=_adding_uses(kind),
        add_successors=_adding_successors(successors),
    )


_CHECKS = {Arity.ONE: _CHECK_OPERAND, Arity.OPTIONAL: _CHECK_OPTIONAL, Arity.VARIADIC: _CHECK_VARIADIC}
_STARS = {Arity.ONE: "", Arity.OPTIONAL: "*", Arity.VARIADIC: "*"}


def _attribute_lookup(kind: OperationKind, attributes: Sequence[str]) -> str:
    """Return the source lines of a constructor that look up the attribute dictionary for its arguments. The
    key includes the sizes of operand segments if the kind stores them.
    """
    if not attributes and not kind.segmented_operands:
        return "    _own = NO_ATTRIBUTES"
    sizes = [
        "1" if field.arity is Arity.ONE else f"len({field.python_name})"
        for field in (kind.operands if kind.segmented_operands else ())
    ]
    key = attributes[0] if len(attributes) == 1 and not sizes else f"({_listed([*attributes, *sizes])})"
    return _FIND_ATTRIBUTES.format(key=key, names=_listed(attributes), sizes=f"({_listed(sizes)})")


def _adding_uses(kind: OperationKind) -> str:
    """Return the source lines of a constructor that record the operation in the use lists of its operands."""
    if all(field.arity is Arity.ONE for field in kind.operands):
        return "".join([_ADD_USE.format(name=field.python_name) for field in kind.operands])
    return _ADD_USES


def _adding_successors(names: Sequence[str]) -> str:
    """Return the source lines of a constructor that set the successors from the arguments called `names`;
    empty without any.
    """
    if not names:
        return ""
    groups = [f"*(({name},) if isinstance({name}, Block) else {name})" for name in names]
    return _ADD_SUCCESSORS.format(successors=_listed(groups))


def _parameter(field: OperandField | AttributeField) -> str:
    if isinstance(field, AttributeField) or field.arity is Arity.OPTIONAL:
        return f"{field.python_name}=None"
    return f"{field.python_name}={'MISSING' if field.arity is Arity.ONE else '()'}"


def _listed(names: Sequence[str]) -> str:
    return "".join([f"{name}, " for name in names])


def _inferred(kind: OperationKind, operands: list[str], names: dict[str, Any]) -> str:
    """Return the source text of an expression for result types that a call does not name. Types that the
    expression needs are added to `names`, the globals of the constructor.
    """
    sources = kind.result_sources
    if sources is None or not kind.has_derived_inference:
        return "self.infer_result_types(_operands, _own, ())"
    parts: list[str] = []
    for number, source in enumerate(sources):
        if isinstance(source, int):
            parts.append(f"{operands[source]}.type")
        else:
            names[f"TYPE_{number}"] = source
            parts.append(f"TYPE_{number}")
    return f"({_listed(parts)})"


def _operand(kind: OperationKind, name: str, value: Any) -> Value:
    """Return the operand for an argument that is no `Value`: the only result of an operation. Raises
    `TypeError` for a missing operand and for anything else, and `ValueError` for an operation with another
    number of results.
    """
    if value is MISSING:
        raise TypeError(f"{kind.op_class.__name__} misses operand '{name}'")
    return as_value(value)


def _attributes(
    kind: OperationKind,
    known: dict[Any, SharedAttributes],
    key: Any,
    values: tuple[Any, ...],
    sizes: tuple[int, ...],
) -> Mapping[str, Attribute]:
    """Return the attribute dictionary for ``values``, one for each attribute field, and the ``sizes`` of
    operand segments, if the kind stores them.

    The dictionary is shared by later calls, through ``known``, if every value is an attribute, an enum case,
    a number or a string (or a tuple of these), and no attribute is large constant data. ``key`` is the key of
    `known` for attributes and cases. Raises `TypeError` for a missing attribute.
    """
    is_key = all(value is None or isinstance(value, _EXACT) for value in values)
    if not is_key:
        key = _exact_key(values, sizes)
        is_key = key is not None
        if is_key and key in known:
            return known[key]
    given = {field.python_name: value for field, value in zip(kind.attributes, values, strict=True)}
    parts = _Parts([], {OPERAND_SEGMENTS: segments(sizes)} if sizes else {}, [], [])
    for field in kind.attributes:
        _bind_attribute(kind, field, given, parts)
    if not is_key or any(type(attribute).__weakrefoffset__ for attribute in parts.attributes.values()):
        return parts.attributes  # large constants are not kept alive
    if len(known) >= _MAXIMUM_SHARED:
        known.clear()
    shared = known[key] = SharedAttributes(parts.attributes)
    return shared


_EXACT = (Attribute, Enum)
"""Values of these classes are equal to themselves only."""
_PLAIN = frozenset({int, bool, str})
"""Classes of numbers and strings. A cache key has their class beside each value, because 1 and True are
equal.
"""


def _exact_key(values: tuple[Any, ...], sizes: tuple[int, ...]) -> tuple[Any, ...] | None:
    """Return a key that only equal `values` and `sizes` have; it distinguishes 1 and True.

    None if a value is no attribute, enum case, number, string, or tuple of numbers and strings.
    """
    parts: list[Any] = [sizes]
    for value in values:
        kind: type[Any] = value.__class__
        if kind in _PLAIN:
            parts.append((kind, value))
        elif value is None or isinstance(value, _EXACT):
            parts.append(value)
        elif kind is tuple and _PLAIN.issuperset(kinds := tuple(map(type, value))):
            parts.append((kinds, value))
        else:
            return None
    return (_EXACT, *parts)  # no key of values alone begins like this


# --- binding field by field


def _construct(op: Any, /, *arguments: Any, **named: Any) -> None:
    """Construct an operation field by field; the ``__init__`` of classes with regions or segmented results."""
    result_types = named.pop("result_types", None)
    location = named.pop("location", UNKNOWN)
    attributes = named.pop("attributes", None)
    kind: OperationKind = op.op_kind
    operands, own, regions, successors = _bind_fields(kind, arguments, named)
    own.update(attributes or {})
    if result_types is None:
        result_types = op.infer_result_types(operands, own, regions)
    else:
        result_types = _flatten_result_types(kind, result_types, own)
    initialise(op, kind, operands, result_types, own or NO_ATTRIBUTES, regions, successors, location)


class _Parts(NamedTuple):
    """The constructor arguments of an operation, sorted into operands, attributes, regions and successors."""

    operands: list[Value]
    attributes: dict[str, Attribute]
    regions: list[Region]
    successors: list[Block]


def _bind_fields(kind: OperationKind, arguments: tuple[Any, ...], named: dict[str, Any]) -> _Parts:
    """Assign constructor arguments to fields: positional ones in declaration order, results left out. Raises
    `TypeError` for too many, missing or unknown arguments, and for a field that is given twice.
    """
    positional = kind.positional
    if len(arguments) > len(positional):
        raise TypeError(f"{kind.op_class.__name__} takes {len(positional)} positional arguments")
    given = {field.python_name: value for field, value in zip(positional, arguments, strict=False)}
    if twice := given.keys() & named.keys():
        raise TypeError(f"{kind.op_class.__name__} got '{min(twice)}' twice")
    given.update(named)
    parts = _Parts([], {}, [], [])
    _bind_operands(kind, given, parts)
    for field in kind.attributes:
        _bind_attribute(kind, field, given, parts)
    _bind_nested(kind, given, parts)
    if given:
        raise TypeError(f"{kind.op_class.__name__} has no field '{min(given)}'")
    return parts


def _bind_operands(kind: OperationKind, given: dict[str, Any], parts: _Parts) -> None:
    sizes: list[int] = []
    for field in kind.operands:
        if field.arity is Arity.ONE:
            if field.python_name not in given:
                raise TypeError(f"{kind.op_class.__name__} misses operand '{field.python_name}'")
            values: Sequence[Any] = (given.pop(field.python_name),)
        elif field.arity is Arity.OPTIONAL:
            value = given.pop(field.python_name, None)
            values = () if value is None else (value,)
        else:
            values = tuple(given.pop(field.python_name, ()))
        sizes.append(len(values))
        parts.operands.extend(as_value(value) for value in values)
    if kind.segmented_operands:
        parts.attributes[OPERAND_SEGMENTS] = segments(sizes)


def _bind_attribute(kind: OperationKind, field: AttributeField, given: dict[str, Any], parts: _Parts) -> None:
    value = given.pop(field.python_name, None)
    if value is None or (value is False and field.optional and isinstance(field.kind, UnitKind)):
        if value is None and not field.optional:
            if field.default is MISSING:
                raise TypeError(f"{kind.op_class.__name__} misses attribute '{field.python_name}'")
            if field.default is not None:
                parts.attributes[field.ir_name] = field.default
        return
    parts.attributes[field.ir_name] = field.kind.to_attribute(value)


def _bind_nested(kind: OperationKind, given: dict[str, Any], parts: _Parts) -> None:
    for field in kind.regions:
        value = given.pop(field.python_name, () if field.variadic else None)
        nested: Sequence[Region | None] = value if field.variadic else (value,)
        parts.regions.extend(region if region is not None else Region() for region in nested)
    for field in kind.successors:
        value = given.pop(field.python_name, ())
        parts.successors.extend((value,) if isinstance(value, Block) else value)


def _flatten_result_types(
    kind: OperationKind, given: Sequence[Any], attributes: dict[str, Attribute]
) -> Sequence[Type]:
    """Return the result types for the argument ``result_types`` of a constructor: a flat list of types, or a
    list for each result field. In the second case the sizes of groups are added to ``attributes``. Lists are
    only taken by kinds that store these sizes.
    """
    if kind.segmented_results and all(isinstance(group, list | tuple) for group in given):
        attributes[RESULT_SEGMENTS] = segments([len(group) for group in given])
        return [type for group in given for type in group]
    return given
