"""Builds one-kernel Tile IR modules with the writer of the PyPI package ``cuda-tile`` (test-only peer).

The package is imported on use, so this module loads without it. Types are spelled as short strings:
``"4x8xf32"`` is ``tile<4x8xf32>``, ``"f32"`` a rank-0 tile, ``"4xptr<f32>"`` a tile of pointers,
``"ptr<f32,none>"`` a pointer with a ptr attribute, ``"!f32"`` the bare element type, ``"token"`` a token.
"""

from __future__ import annotations

import importlib
import inspect
import re
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import pytest

Version = tuple[int, int]
VERSIONS: tuple[Version, ...] = ((13, 1), (13, 2), (13, 3), (13, 4), (13, 5))
DYNAMIC = -(1 << 63)
"""Wire value of a dynamic tensor_view extent or stride."""

PTR_ATTRS = {"none": 0, "unicast": 1, "multicast": 2}

INTEGER_BITS = {"i1": 1, "i4": 4, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
ONE_BITS: dict[str, bytes] = {
    "f16": b"\x00\x3c",
    "bf16": b"\x80\x3f",
    "f32": struct.pack("<f", 1.0),
    "f64": struct.pack("<d", 1.0),
    "tf32": (0x1FC00).to_bytes(3, "little"),
    "f8E4M3FN": b"\x38",
    "f8E5M2": b"\x3c",
    "f8E8M0FNU": b"\x7f",
    "f4E2M1FN": b"\x02",
    "fnv8E5M3FNU": b"\x78",
}
"""One, as a constant of each float type, little endian."""

_ENUM_ALIASES = {"NO_SIGNED_WRAP": "NSW", "NO_UNSIGNED_WRAP": "NUW", "NO_WRAP": "NW", "NONE": "NONE"}
_DEFAULTS: dict[str, Any] = {
    "rounding_mode": "nearest_even",
    "overflow": "none",
    "memory_ordering_semantics": "weak",
    "result_token_type": "token",
    "signedness": "signed",
}
_TILE = re.compile(r"((?:\d+x)*)(ptr<.*>|\w+)$")


@cache
def vendor(name: str = "") -> Any:
    """The module ``cuda.tile._bytecode[.name]``; skips the running test when the package is missing."""
    pytest.importorskip("cuda.tile._bytecode")
    return importlib.import_module("cuda.tile._bytecode" + (f".{name}" if name else ""))


@cache
def _encoder(op: str) -> Callable[..., Any]:
    """The vendor's encode function of a cuda_tile op mnemonic."""
    wanted = {"pow": "fpowf"}.get(op, op).replace("_", "") + "op"
    encodings = vendor("encodings")
    for name in dir(encodings):
        if name.startswith("encode_") and name[len("encode_") :].lower() == wanted:
            return getattr(encodings, name)
    raise KeyError(op)


@cache
def _parameters(encode: Callable[..., Any]) -> dict[str, tuple[Any, str]]:
    """By name, the annotation of each parameter of an encode function but the first, and how it is spelled."""
    parameters = dict(list(inspect.signature(encode).parameters.items())[1:])
    return {name: (made.annotation, str(made.annotation)) for name, made in parameters.items()}


def tile_shape(spec: str) -> tuple[tuple[int, ...], str]:
    """Shape and element spelling of a tile spelling, such as ((4, 8), "f32")."""
    match = _TILE.match(spec)
    if match is None:
        raise ValueError(f"not a tile spelling: {spec!r}")
    return tuple(int(d) for d in match[1].split("x")[:-1]), match[2]


@dataclass(frozen=True)
class View:
    """A view type together with the spelling of its tile and the number of its index operands."""

    type: Any
    tile: str
    rank: int
    tensor: Any = None


class Types:
    """Spells types into the vendor's type table."""

    def __init__(self, table: Any, version: Version) -> None:
        self.table = table
        self.version = version

    def __getitem__(self, spec: Any) -> Any:
        """The type id of a spelling; ids and views pass through."""
        if isinstance(spec, View):
            return spec.type
        if not isinstance(spec, str):
            return spec
        if spec == "token":
            return self.table.Token
        if spec.startswith("!"):
            return self.element(spec[1:])
        shape, element = tile_shape(spec)
        return self.table.tile(self.element(element), shape)

    def element(self, name: str) -> Any:
        """A scalar type or ``ptr<pointee[,attribute]>``."""
        if not name.startswith("ptr<"):
            return self.table.simple(vendor("type").SimpleType[name.upper()])
        pointee, _, attribute = name[4:-1].partition(",")
        return self.pointer(self[f"!{pointee}"], attribute or None)

    def pointer(self, pointee: Any, attribute: str | None = None) -> Any:
        """A pointer type; the vendor's own encoder knows no unicast and multicast, so they are spelled raw."""
        if attribute is None:
            return self.table.pointer(pointee, vendor("type").PtrAttr.Missing)
        return self.table[bytes([12, 1, pointee.type_id, PTR_ATTRS[attribute]])]

    def tensor_view(
        self, element: str, shape: Sequence[int], strides: Sequence[int], attribute: str | None = None
    ) -> Any:
        """A tensor_view type (extents and strides in elements, DYNAMIC where unknown)."""
        args = (self.element(element), shape, strides, vendor("type").PtrAttr.Missing)
        if attribute is None:
            return self.table.tensor_view(*args)
        scratch = vendor("type").TypeTable(vendor("version").BytecodeVersion.V_13_4)
        scratch.tensor_view(*args)
        body = bytearray(list(scratch)[-1])
        body[1] = 1
        return self.table[bytes(body) + bytes([PTR_ATTRS[attribute]])]

    def view(
        self,
        kind: str,
        element: str,
        tile: Sequence[int],
        tensor: Any,
        padding: str | None = None,
        dim_map: Sequence[int] | None = None,
        strides: Sequence[int] = (),
        sparse_dim: int = 0,
    ) -> View:
        """A ``partition``, ``strided`` or ``gather_scatter`` view type over the tensor_view type ``tensor``."""
        padding_value = vendor("type").PaddingValue[(padding or "missing").title().replace("_", "")]
        dims = list(range(len(tile))) if dim_map is None else dim_map
        if kind == "partition":
            made = self.table.partition_view(tile, tensor, dims, padding_value)
        elif kind == "strided":
            made = self.table.strided_view(tile, strides, tensor, dims, padding_value)
        else:
            made = self.table.gather_scatter_view(tile, tensor, sparse_dim, padding_value)
        return View(made, "x".join([*map(str, tile), element]), len(tile), tensor)


class Kernel:
    """The entry ``k`` under construction: its arguments, a type spelling table and one ``op`` method."""

    def __init__(self, writer: Any, function: Any, version: Version, arguments: Sequence[Any]) -> None:
        self.writer = writer
        self.code = function.code_builder
        self.version = version
        self.types = Types(writer.type_table, version)
        self.arguments = dict(zip(arguments, function.parameters, strict=True))
        self.argument_list = list(function.parameters)

    def op(
        self, op: str, regions: Sequence[tuple[Sequence[str], Callable[..., None]]] = (), **given: Any
    ) -> Any:
        """Encodes one op; strings become types, operands and enum members by the encoder's annotations.

        ``regions`` holds (block argument types, body) pairs; a body is called with the kernel and the arguments.
        """
        encode = _encoder(op)
        made = encode(self.code, **self._arguments_of(encode, given))
        return self._fill(made, regions) if regions else made

    def _fill(self, nested: Any, regions: Sequence[tuple[Sequence[str], Callable[..., None]]]) -> Any:
        for argument_types, body in regions:
            with nested.new_block([self.types[t] for t in argument_types]) as values:
                body(self, *values)
        return nested.done()

    def _arguments_of(self, encode: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
        parameters = _parameters(encode)
        unknown = set(given) - set(parameters)
        if unknown:
            raise TypeError(f"{encode.__name__} takes no {sorted(unknown)}")
        filled = {name: given.get(name, _DEFAULTS.get(name)) for name in parameters}
        converted: dict[str, Any] = {}
        # Operands first: making them emits ops, which must precede the op's own bytes.
        for name, (annotation, spelled) in parameters.items():
            converted[name] = self._convert(spelled, annotation, filled[name])
        if converted.get("inbounds", ()) is None:
            converted["inbounds"] = [False] * len(converted["index"])
        return converted

    def _convert(self, spelled: str, annotation: Any, value: Any) -> Any:
        if callable(value):
            value = cast("Callable[[Kernel], Any]", value)(self)
        if value is None:
            return (
                () if "Sequence" in spelled and "bool" not in spelled and "Optional" not in spelled else None
            )
        if "Sequence" in spelled:
            return self._convert_each(spelled, value)
        if spelled == "<class 'bool'>":
            return bool(value)
        if "TypeId" in spelled:
            return self.types[value]
        if "Value" in spelled:
            return self.value(value)
        return self._enum(annotation, value) if isinstance(value, str) else value

    def _convert_each(self, spelled: str, values: Iterable[Any]) -> list[Any]:
        if "TypeId" in spelled:
            return [self.types[v] for v in values]
        return [self.value(v) for v in values] if ".Value]" in spelled else list(values)

    @staticmethod
    def _enum(annotation: Any, value: str) -> Any:
        for candidate in (annotation, *getattr(annotation, "__args__", ())):
            members: Mapping[str, Any] = getattr(candidate, "__members__", {})
            for name, member in members.items():
                if name.upper() in (value.upper(), _ENUM_ALIASES.get(value.upper())):
                    return member
        return value

    def value(self, spec: Any) -> Any:
        """An operand of the spelled type: an argument, a token, a constant of one, or made from those."""
        if not isinstance(spec, str):
            return spec
        if spec in self.arguments:
            return self.arguments[spec]
        if spec == "token":
            return self.op("make_token", result_type="token")
        shape, element = tile_shape(spec)
        if element.startswith("ptr<"):
            return self._pointers(spec, shape, element)
        if element == "i4":
            return self.op("trunci", to_type=spec, from_=spec.replace("i4", "i8"))
        return self.constant(spec, one(element))

    def _pointers(self, spec: str, shape: tuple[int, ...], element: str) -> Any:
        if element not in self.arguments:
            return self.op("int_to_ptr", result_type=spec, source=spec.replace(element, "i64"))
        ones = "1x" * len(shape) + element
        unit = self.op("reshape", result_type=ones, source=self.arguments[element])
        return unit if ones == spec else self.op("broadcast", result_type=spec, source=unit)

    def constant(self, spec: str, data: bytes) -> Any:
        """A constant with the given wire bytes."""
        return self.op("constant", result_type=spec, value=data)

    def tensor(
        self, tensor_type: Any, base: str, shape: Sequence[Any] = (), strides: Sequence[Any] = ()
    ) -> Any:
        """A make_tensor_view value."""
        return self.op(
            "make_tensor_view", result_type=tensor_type, base=base, dynamicShape=shape, dynamicStrides=strides
        )

    def integer(self, element: str, value: int) -> Any:
        """A tagged Integer attribute."""
        return vendor("attribute").Integer(self.types[f"!{element}"], INTEGER_BITS[element], value)

    def floating(self, element: str, value: float) -> Any:
        """A tagged Float attribute."""
        simple = vendor("type").SimpleType[element.upper()]
        return vendor("attribute").Float(value, simple, self.types.table)


def one(element: str) -> bytes:
    """The wire bytes of a splat (or one-element) constant of one."""
    bits = INTEGER_BITS.get(element)
    return ONE_BITS[element] if bits is None else (1).to_bytes(max(bits // 8, 1), "little")


def hint_dictionary(**by_arch: Mapping[str, int | bool]) -> Any:
    """An OptimizationHints attribute: target name -> hint name -> value (bool as Bool, int as i32)."""
    attribute = vendor("attribute")

    def spell(value: int | bool) -> Any:
        return attribute.Bool(value) if isinstance(value, bool) else attribute.Integer.create_i32(value)

    items = [(a, attribute.Dictionary([(k, spell(v)) for k, v in d.items()])) for a, d in by_arch.items()]
    return attribute.OptimizationHints(items)


def vendor_version(version: Version) -> Any:
    """The vendor's enum member of a file version."""
    return vendor("version").BytecodeVersion[f"V_{version[0]}_{version[1]}"]


Build = Callable[[Kernel], Any]


def write_module(
    build: Build,
    version: Version = (13, 5),
    arguments: Sequence[Any] = (),
    global_values: Callable[[Any, Types], None] | None = None,
    hints: Mapping[str, Any] | None = None,
    debug: Callable[[Any], Any] | None = None,
    terminate: bool = True,
    results: Sequence[str] = (),
) -> bytes:
    """One module with the entry ``k(arguments)`` whose body ``build`` writes, closed by ``return``.

    ``debug`` makes the function's debug attribute from the debug table; ``global_values`` fills the global section.
    """
    buffer = bytearray()
    missing = vendor("debug_info").MISSING_DEBUG_ATTR_ID
    with vendor("writer").write_bytecode(1, buffer, vendor_version(version)) as writer:
        types = Types(writer.type_table, version)
        if global_values is not None:
            global_values(writer.global_section, types)
        location = debug(writer.debug_attr_table) if debug else missing
        inputs = [types[a(types) if callable(a) else a] for a in arguments]
        outputs = [types[r] for r in results]
        with writer.function("k", inputs, outputs, True, dict(hints or {}), location) as function:
            kernel = Kernel(writer, function, version, arguments)
            build(kernel)
            if terminate:
                kernel.op("return")
    return bytes(buffer)
