"""The examples of the reference pages, changed so that a compiler cannot remove the operation that they show.

Most examples compute with constants and drop the result, so that folding removes the operation.  Here scalars that the
kernel gets as parameters, broadcast to tiles, replace constants, and the kernel prints the results of the operation.
"""

from __future__ import annotations

import re

from tilewright.ir.declaration.kind import OperationKind
from tilewright.reference.op_page import example_module

_ENTRY = re.compile(r"function_type = \((?P<types>.*)\) -> \(\), sym_name")
_BLOCK = re.compile(r"^  \^bb0\((?P<arguments>.*)\):$")
_CONSTANT = re.compile(
    r'^(?P<indent> +)(?P<name>%\w+) = "cuda_tile.constant"\(.*-> !cuda_tile.tile<(?P<shape>(?:\d+x)*)(?P<type>\w+)>$'
)
_RESULTS = re.compile(r"^(?P<indent> +)(?P<name>%\w+)(?::\d+)? = ")
FOUR_BITS = "f4E2M1FN"
"""Tiles of it have an even number of elements, so that no scalar is given."""
_TOKEN = "!cuda_tile.token"
_PRINT = (
    '"cuda_tile.print_tko"({values}) <{{operandSegmentSizes = array<i32: {segments}>, str = "{format}"}}>'
)
_LOAD = (
    '"cuda_tile.load_ptr_tko"({value}) <{{memory_ordering_semantics = #cuda_tile.memory_ordering_semantics<weak>, '
    "operandSegmentSizes = array<i32: 1, 0, 0, 0>}}>"
)


def live_example(kind: OperationKind) -> str:
    """Return the example of an operation with unknown operands and printed results.

    Raises `LookupError` if the operation has no example.
    """
    module = example_module(kind)
    if module is None:
        raise LookupError(kind.name)
    lines = _printed(module.splitlines(), kind.name)
    if kind.mnemonic != "constant":
        lines = _parameterised(lines)
    return "\n".join(lines) + "\n"


def _parameterised(lines: list[str]) -> list[str]:
    """Replace the constants of a kernel by its parameters."""
    types: list[str] = []
    found: list[str] = []
    for line in lines:
        match = _CONSTANT.match(line)
        if match is None or match["type"] == FOUR_BITS:
            found.append(line)
            continue
        indent, name, shape, element = match["indent"], match["name"], match["shape"], match["type"]
        scalar, ones = f"!cuda_tile.tile<{element}>", f"!cuda_tile.tile<{'1x' * shape.count('x')}{element}>"
        source, ones_name = f"%given{len(types)}", f"%ones{len(types)}"
        types.append(scalar)
        found.append(f'{indent}{ones_name} = "cuda_tile.reshape"({source}) : ({scalar}) -> {ones}')
        tile = f"!cuda_tile.tile<{shape}{element}>"
        found.append(f'{indent}{name} = "cuda_tile.broadcast"({ones_name}) : ({ones}) -> {tile}')
    return _with_parameters(found, types)


def _with_parameters(lines: list[str], types: list[str]) -> list[str]:
    """Add parameters ``%given0``, ``%given1``, ... of these types to the only kernel of a module."""
    entry = next(number for number, line in enumerate(lines) if _ENTRY.search(line))
    match, block = _ENTRY.search(lines[entry]), _BLOCK.match(lines[entry + 1])
    assert match is not None
    given = [f"%given{number}: {type}" for number, type in enumerate(types)]
    arguments = ", ".join([*([block["arguments"]] if block else []), *given])
    all_types = ", ".join([*([match["types"]] if match["types"] else []), *types])
    head = lines[entry][: match.start("types")] + all_types + lines[entry][match.end("types") :]
    rest = lines[entry + (2 if block else 1) :]
    return [*lines[:entry], head, *([f"  ^bb0({arguments}):"] if arguments else []), *rest]


def _printed(lines: list[str], name: str) -> list[str]:
    """Print the results of the first operation with this name, behind it."""
    start = next(number for number, line in enumerate(lines) if f'"{name}"(' in line)
    match = _RESULTS.match(lines[start])
    if match is None:
        return lines
    end = start
    if lines[start].endswith("({"):
        end = next(n for n in range(start, len(lines)) if lines[n].startswith(match["indent"] + "})"))
    types = _result_types(lines[end])
    names = [match["name"]] if len(types) == 1 else [f"{match['name']}#{n}" for n in range(len(types))]
    shown = [
        f"{match['indent']}{line}"
        for number, (value, type) in enumerate(zip(names, types, strict=True))
        for line in _print(value, type, f"%shown{number}")
    ]
    return [*lines[: end + 1], *shown, *lines[end + 1 :]]


def _result_types(line: str) -> list[str]:
    types = line.rpartition(" -> ")[2].removeprefix("(").removesuffix(")")
    return re.split(r", (?=!cuda_tile)", types)


def _print(value: str, type: str, name: str) -> list[str]:
    """Print a tile of numbers, what pointers point to, or nothing after a token; leave views out."""
    if type == _TOKEN:
        text = _PRINT.format(values=value, segments="0, 1", format="")
        return [f"{name} = {text} : ({type}) -> {_TOKEN}"]
    if not type.startswith("!cuda_tile.tile<"):
        return []
    lines: list[str] = []
    if "ptr<" in type:
        numbers, loaded = re.sub(r"ptr<(\w+)>", r"\1", type), name.replace("shown", "loaded")
        lines = [f"{loaded}:2 = {_LOAD.format(value=value)} : ({type}) -> ({numbers}, {_TOKEN})"]
        value, type = f"{loaded}#0", numbers
    element = type.removeprefix("!cuda_tile.tile<").removesuffix(">").rpartition("x")[2]
    text = _PRINT.format(values=value, segments="1, 0", format="%f" if element[0] in "fbt" else "%d")
    return [*lines, f"{name} = {text} : ({type}) -> {_TOKEN}"]
