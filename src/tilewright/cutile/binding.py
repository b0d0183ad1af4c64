"""Conversion of Python arguments to compile-time facts and flat launch values."""

from __future__ import annotations

import ctypes
import dataclasses
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from tilewright.cutile import arrays as cutile_arrays, facts as cutile_facts
from tilewright.cutile.errors import LaunchError, LaunchOverflowError
from tilewright.cutile.parameters import EachNode, ItemsNode, LeafNode, Node, Parameters
from tilewright.host.arrays import ArrayView, is_array_like
from tilewright.ir.support.record import Record, fresh

if TYPE_CHECKING:
    import numpy.typing as npt

FlatValue: TypeAlias = "ctypes.c_bool | ctypes.c_int32 | ctypes.c_int64 | ctypes.c_float | npt.NDArray[Any]"
"""The value of one entry parameter: a ctypes scalar of its type, or an array whose address is passed."""

_INTEGERS = {32: ctypes.c_int32, 64: ctypes.c_int64}
_CONSTANT_TYPES = (bool, int, float)


class ArrayOrigin(Record, frozen=True):
    """The origin of an array: a description (``item #1 of kernel argument #0``), and the name of the
    parameter.
    """

    subject: str
    parameter: str


class Binding(Record):
    """Launch arguments after conversion.

    ``facts`` are for the compiler. ``flat`` has the values of the entry parameters in order. ``memory`` lists
    every array that the kernel may touch, including arrays in lists, and ``origins`` the argument that each
    of them came from.
    """

    facts: tuple[cutile_facts.Facts, ...] = ()
    flat: list[FlatValue] = fresh(default_factory=list[FlatValue])
    memory: list[ArrayView] = fresh(default_factory=list[ArrayView])
    origins: list[ArrayOrigin] = fresh(default_factory=list["ArrayOrigin"])


def bind(parameters: Parameters, arguments: Sequence[object], *, convention_3: bool = False) -> Binding:
    """Convert launch arguments to facts and flat values, by the annotations of `parameters`.

    ``convention_3``: cuTile can pass dataclasses, and constants that are not numbers. Raises `LaunchError`
    for an argument that cannot be passed, and for a wrong number of arguments.
    """
    if len(arguments) != len(parameters.names):
        raise _wrong_count(parameters, len(arguments))
    binder = _Binder(convention_3)
    values = zip(parameters.names, parameters.nodes, arguments, strict=True)
    binder.binding.facts = tuple(binder.top(number, *value) for number, value in enumerate(values))
    return binder.binding


def _wrong_count(parameters: Parameters, given: int) -> LaunchError:
    count = len(parameters.names)
    expected = f"{count} argument{'' if count == 1 else 's'}"
    names = ", ".join(parameters.names) or "none"
    return LaunchError(
        f"kernel {parameters.function_name}",
        f"Kernel expects {expected} but {given} {'was' if given == 1 else 'were'} given",
        f"pass one positional argument per parameter ({names}); cuTile fills in no defaults",
    )


class _Binder:
    def __init__(self, convention_3: bool) -> None:
        self.convention_3 = convention_3
        self.binding = Binding()
        self._parameter = ""

    def top(self, number: int, name: str, node: Node, value: object) -> cutile_facts.Facts:
        """Return the facts of argument ``number``, and append its values to the binding. A `LaunchError`
        names the parameter, ``name``.
        """
        self._parameter = name
        try:
            return self.bind(value, node, f"kernel argument #{number}")
        except LaunchError as error:
            raise error.of_parameter(name) from None

    def bind(self, value: object, node: Node, subject: str) -> cutile_facts.Facts:
        """Return the facts of one argument, and append its flat values to the binding. `node` is the
        annotation of the parameter, and `subject` names the argument in messages. Raises `LaunchError` if the
        kind of `value` is not supported or does not suit the annotation, and `LaunchOverflowError`, a
        subclass, for a number that does not fit.
        """
        if type(value) is tuple:
            return self._tuple(cast("tuple[object, ...]", value), node, subject)
        if not isinstance(node, LeafNode):
            raise LaunchError(
                subject, f"a {_type_name(value)} was given for a parameter annotated as a tuple"
            )
        if _is_dataclass_instance(value):
            return self._dataclass(value, node, subject)
        if node.constant:
            return self._constant(value, subject)
        return self._run_time(value, node, subject)

    def _run_time(self, value: object, node: LeafNode, subject: str) -> cutile_facts.Facts:
        if isinstance(value, bool | int | float):
            return self._scalar(value, node.scalar_bits, subject)
        if isinstance(value, list):
            return self._list(cast("list[object]", value), node.list_item, subject)
        if is_array_like(value):
            view, facts = self._array(value, node.array, subject)
            self._push_array(view, facts)
            return facts
        if isinstance(value, tuple):
            reason = f"'{type(cast('object', value)).__name__}' is a subclass of 'tuple'. Only plain tuples are accepted."
            raise LaunchError(subject, reason, "pass tuple(x)")
        raise LaunchError(subject, f"objects of type {_type_name(value)} are not supported", _advice(value))

    def _scalar(self, value: float, bits: int, subject: str) -> cutile_facts.ScalarFacts:
        if isinstance(value, bool):
            self.binding.flat.append(ctypes.c_bool(value))
            return cutile_facts.ScalarFacts("bool_")
        if isinstance(value, float):
            self.binding.flat.append(ctypes.c_float(value))
            return cutile_facts.ScalarFacts("float32")
        if not _fits(value, bits):
            hint = "annotate the parameter with cuda.tile.ScalarInt64" if bits == 32 else ""
            reason = f"{value} does not fit in a signed {bits}-bit integer"
            raise LaunchOverflowError(subject, reason, hint)
        self.binding.flat.append(_INTEGERS[bits](value))
        return cutile_facts.ScalarFacts(f"int{bits}")

    def _constant(self, value: object, subject: str) -> cutile_facts.ConstantFacts:
        if not isinstance(value, _CONSTANT_TYPES) and not self.convention_3:
            reason = f"Could not interpret object of type '{_type_name(value)}' as a constant."
            raise LaunchError(subject, reason, f"constants are bool, int or float; {_advice(value)}")
        if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:
            raise LaunchOverflowError(subject, f"the constant {value} does not fit in 64 bits")
        return cutile_facts.constant_facts(value)

    def _array(
        self, value: object, rule: cutile_facts.ArrayRule, subject: str
    ) -> tuple[ArrayView, cutile_facts.ArrayFacts]:
        view = cutile_arrays.array_view(value, subject)
        if not all(_fits(number, rule.index_bits) for number in (*view.shape, *view.strides)):
            raise LaunchOverflowError(
                subject,
                f"a length or stride of shape {view.shape}, strides {view.strides} needs more than 32 bits",
                "annotate the parameter with cuda.tile.IndexedWithInt64",
            )
        self.binding.memory.append(view)
        self.binding.origins.append(ArrayOrigin(subject, self._parameter))
        return view, cutile_facts.array_facts(view, rule, subject)

    def _push_array(self, view: ArrayView, facts: cutile_facts.ArrayFacts) -> None:
        integer = _INTEGERS[facts.index_bits]
        self.binding.flat.append(view.array)
        self.binding.flat.extend(integer(number) for number in (*view.shape, *view.strides))

    def _list(
        self, values: list[object], rule: cutile_facts.ArrayRule, subject: str
    ) -> cutile_facts.ListFacts:
        if not values:
            raise LaunchError(subject, "the list is empty", "a list argument holds at least one array")
        views: list[ArrayView] = []
        facts: list[cutile_facts.ArrayFacts] = []
        for index, value in enumerate(values):
            where = f"item #{index} of {subject}"
            if not is_array_like(value):
                raise LaunchError(where, f"a {_type_name(value)} was found where an array is expected")
            view, item = self._array(value, rule, where)
            views.append(view)
            facts.append(item)
        common = cutile_facts.common_facts(facts, rule, subject)
        self._push_table(views)
        return common

    def _push_table(self, views: Sequence[ArrayView]) -> None:
        """Append the table for a list of arrays, and the number of arrays.

        The table has 64-bit words: for each array its address, lengths and strides.
        """
        import numpy as np

        rows = [(view.address, *view.shape, *view.strides) for view in views]
        # Addresses above 2**63 wrap, as they would in a register.
        table = np.array(rows, dtype=np.uint64).view(np.int64)
        self.binding.flat += [table, ctypes.c_int32(len(views))]

    def _tuple(self, values: tuple[object, ...], node: Node, subject: str) -> cutile_facts.TupleFacts:
        nodes = _item_nodes(node, len(values), subject)
        items = zip(values, nodes, strict=True)
        return cutile_facts.TupleFacts(
            tuple(self.bind(v, n, f"item #{i} of {subject}") for i, (v, n) in enumerate(items))
        )

    def _dataclass(self, value: Any, node: LeafNode, subject: str) -> cutile_facts.DataclassFacts:
        if not self.convention_3:
            raise LaunchError(
                subject,
                f"the installed cuda-tile does not pass dataclasses such as {_type_name(value)}"
                " (calling convention 3 is a development feature)",
                "pass its fields as a tuple",
            )
        names = [f.name for f in dataclasses.fields(value)]
        fields = tuple(
            self.bind(getattr(value, name), node, f"field {name!r} of {subject}") for name in names
        )
        return cutile_facts.DataclassFacts(value.__class__, fields)


def _item_nodes(node: Node, count: int, subject: str) -> Iterable[Node]:
    if isinstance(node, LeafNode):
        return [node] * count
    if isinstance(node, EachNode):
        return [node.each] * count
    return _exact_items(node, count, subject)


def _exact_items(node: ItemsNode, count: int, subject: str) -> Iterable[Node]:
    if len(node.items) != count:
        wanted = len(node.items)
        reason = f"Received a tuple of length {count} for a parameter annotated as a tuple of length {wanted}"
        raise LaunchError(subject, reason)
    return node.items


def _fits(value: int, bits: int) -> bool:
    return -(1 << (bits - 1)) <= value < 1 << (bits - 1)


def _is_dataclass_instance(value: object) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def _is_numpy_scalar(value: object) -> bool:
    import numpy as np

    return isinstance(value, np.generic)


def _type_name(value: object) -> str:
    return type(value).__name__


def _advice(value: object) -> str:
    if _is_numpy_scalar(value):
        return "pass a Python number: x.item()"
    return "accepted: arrays, lists of arrays, bool, int, float and tuples of these"
