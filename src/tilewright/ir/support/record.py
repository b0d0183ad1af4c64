"""Classes that are declared by annotated fields, as dataclasses are: `Record` and `NamedTuple`.

Dataclasses compile code: each takes a millisecond when its module is imported, and the first one loads
`inspect`. Records compile no code, so modules that every command imports declare records; other modules
declare dataclasses. `NamedTuple` replaces `typing.NamedTuple`, which compiles code for every field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, dataclass_transform, get_origin

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple  # the type checkers' view of it

_T = TypeVar("_T")
Key = tuple[Any, ...]
"""The values of all parameters, in their order."""


class _Fresh:
    """A marker for a default that is created for each record."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


def fresh(*, default_factory: Callable[[], _T]) -> _T:
    """Declare a mutable default of a field: ``default_factory`` is called for each record that gets no value."""
    default: Any = _Fresh(default_factory)
    return default


class FieldsMeta(type):
    """Makes classes whose annotated fields are constructor parameters: with slots, defaults, and fields of
    bases first. Class variables (`ClassVar`) are no fields.
    """

    parameters: tuple[str, ...]
    parameter_defaults: dict[str, Any]
    _stores: tuple[Callable[[Any, Any], None], ...]
    """For each parameter, the function that sets its slot in a record, even if the record is frozen."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> FieldsMeta:
        annotations: Mapping[str, Any] = namespace.get("__annotations__", {})
        own = [field for field, kind in annotations.items() if not _is_class_variable(kind)]
        defaults = {field: namespace.pop(field) for field in own if field in namespace}
        inherited = [base for base in bases if isinstance(base, FieldsMeta)]
        namespace["__slots__"] = (*own, *namespace.get("__slots__", ()))
        cls = super().__new__(mcs, name, bases, namespace)
        cls.parameters = tuple(p for base in inherited for p in base.parameters) + tuple(own)
        cls.parameter_defaults = {
            k: v for base in inherited for k, v in base.parameter_defaults.items()
        } | defaults
        cls._stores = tuple(getattr(cls, parameter).__set__ for parameter in cls.parameters)
        return cls

    def _bind(cls, arguments: Key, named: dict[str, Any]) -> Key:
        """Return the values of all parameters for a constructor call: positional ``arguments``, ``named``
        arguments and defaults. Raises TypeError for arguments that do not fit.
        """
        names = cls.parameters
        values = cls.parameter_defaults | dict(zip(names, arguments, strict=False)) | named
        known = len(arguments) <= len(names) and named.keys().isdisjoint(names[: len(arguments)])
        try:
            bound = tuple([values[name] for name in names])
        except KeyError:
            raise cls._misfit(arguments, named) from None
        if not known or len(values) > len(names):
            raise cls._misfit(arguments, named)
        return bound

    def _misfit(cls, arguments: Key, named: Mapping[str, Any]) -> TypeError:
        """Return the error for arguments that do not fit the parameters, to be raised: too many, repeated,
        unknown or missing.
        """
        if len(arguments) > len(cls.parameters):
            return TypeError(f"{cls.__name__} takes {len(cls.parameters)} parameters, got {len(arguments)}")
        free = cls.parameters[len(arguments) :]
        for name in named:
            if name not in free:
                return TypeError(f"{cls.__name__} got an unexpected or repeated parameter '{name}'")
        missing = next(name for name in free if name not in named and name not in cls.parameter_defaults)
        return TypeError(f"{cls.__name__} misses parameter '{missing}'")


def _is_class_variable(annotation: Any) -> bool:
    if isinstance(annotation, str):
        return annotation.startswith(("ClassVar", "typing.ClassVar"))
    return get_origin(annotation) is ClassVar or annotation is ClassVar


@dataclass_transform(field_specifiers=(fresh,))
class RecordMeta(FieldsMeta):
    """Makes the classes of records, with some of the keywords of `dataclasses`.

    Records that are ``frozen`` cannot be changed and have a hash; those without ``eq`` are equal to themselves only;
    with ``kw_only`` all arguments must be named.
    """

    _positional: int
    """The number of positional arguments that need no binding; -1 if all arguments must be named."""
    _makes: bool
    """Whether any default is created anew for each record (see `fresh`)."""

    def __new__(
        mcs,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        *,
        frozen: bool = False,
        eq: bool = True,
        kw_only: bool = False,
    ) -> RecordMeta:
        if frozen:
            namespace.update(__setattr__=_refuse, __delattr__=_refuse, __hash__=_hash)
        if not eq:
            namespace.update(__eq__=object.__eq__, __hash__=object.__hash__)
        cls: Any = super().__new__(mcs, name, bases, namespace)
        cls.__match_args__ = cls.parameters
        cls._positional = -1 if kw_only else len(cls.parameters)
        cls._makes = any(isinstance(default, _Fresh) for default in cls.parameter_defaults.values())
        return cls

    if not TYPE_CHECKING:

        def __init__(cls, name, bases, namespace, **keywords):
            super().__init__(name, bases, namespace)

        def __call__(cls, *arguments, **named):
            if named or len(arguments) != cls._positional:
                if arguments and cls._positional < 0:
                    raise TypeError(f"{cls.__name__} takes named arguments only")
                arguments = cls._bind(arguments, named)
                if cls._makes:
                    arguments = tuple(map(_made, arguments))
            record = object.__new__(cls)
            for store, argument in zip(cls._stores, arguments):  # noqa: B905 - `_bind` saw to the number
                store(record, argument)
            return record


def _values(record: Any) -> Key:
    """Return the values of all fields, in their order."""
    names: tuple[str, ...] = record.__match_args__
    return tuple([getattr(record, name) for name in names])


def _made(value: Any) -> Any:
    return value.make() if isinstance(value, _Fresh) else value


def _refuse(record: Any, name: str, value: Any = None) -> None:
    raise AttributeError(f"{type(record).__name__} is immutable: cannot change '{name}'")


def _hash(record: Any) -> int:
    return hash(_values(record))


class Record(metaclass=RecordMeta):
    """Base of records: a subclass lists its fields with annotations, and perhaps defaults (see `fresh`).

    Records of one class with equal values are equal.
    """

    def replace(self, **changes: Any) -> Self:
        """Return a copy of the record with the named fields changed. Raises `TypeError` for an unknown field."""
        named = dict(zip(type(self).parameters, _values(self), strict=True))
        return type(self)(**(named | changes))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and _values(other) == _values(self)

    def __repr__(self) -> str:
        shown = zip(type(self).parameters, _values(self), strict=True)
        return f"{type(self).__qualname__}({', '.join(f'{name}={value!r}' for name, value in shown)})"

    def __reduce__(self) -> tuple[type[Self], Key]:
        return type(self), _values(self)


if not TYPE_CHECKING:
    from collections import _tuplegetter  # reads an item without a call in Python

    class _NamedTupleMeta(FieldsMeta):
        """Makes the classes of named tuples: their fields are items."""

        def __new__(mcs, name, bases, namespace):
            own = tuple(namespace.get("__annotations__", ()))
            defaults = {field: namespace.pop(field) for field in own if field in namespace}
            namespace.update({field: _tuplegetter(at, None) for at, field in enumerate(own)})
            cls = type.__new__(mcs, name, bases, {"__slots__": (), **namespace})
            cls.parameters = cls.__match_args__ = cls._fields = own
            cls.parameter_defaults = defaults
            return cls

    class NamedTuple(tuple, metaclass=_NamedTupleMeta):
        """A tuple whose items have names, as `typing.NamedTuple` makes it."""

        def __new__(cls, *values, **named):
            if named or len(values) != len(cls.parameters):
                values = cls._bind(values, named)
            return tuple.__new__(cls, values)

        def __repr__(self):
            shown = zip(self.parameters, self, strict=True)
            return f"{type(self).__name__}({', '.join([f'{name}={value!r}' for name, value in shown])})"

        def __getnewargs__(self):
            return tuple(self)
