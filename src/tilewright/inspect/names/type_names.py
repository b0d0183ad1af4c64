"""Names of C++ classes from the strings that compilers leave for ``__PRETTY_FUNCTION__``.

MLIR slices class names out of the text of a template function's signature.  The text ends with ``]``, and so does the
sliced name: ``... getTypeName() [with DesiredTypeName = mlir::FunctionOpInterface]`` of GCC, the same with
``[DesiredTypeName = ...]`` of Clang, or the bare ``mlir::FunctionOpInterface]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tilewright.inspect.arrays import Octets, Positions, find_bytes
from tilewright.inspect.binary.image import MAXIMUM_STRING, MemoryRegion, ProgramImage
from tilewright.inspect.findings import LIKELY, BinaryFinding, Evidence, combined


@dataclass(frozen=True, slots=True)
class Text:
    """A string in the data of a program, and the address of its first character."""

    address: int
    value: str


def strings_ending(image: ProgramImage, end: bytes) -> list[Text]:
    """Return the printable strings of data that end with ``end`` before the NUL, by address."""
    found: list[Text] = []
    for region in image.data:
        stops = find_bytes(region.data, end + b"\0") + len(end)
        starts = starts_of(region.data, stops)
        found += [_text(region, int(a), int(b)) for a, b in zip(starts, stops, strict=True) if a < b]
    return found


def starts_of(data: Octets, stops: Positions) -> Positions:
    """Return for each end of a string the position of its first character: the longest run of printable ASCII
    before the end, at most `MAXIMUM_STRING` characters. A `stop` is the position after the last character.
    """
    starts = stops.copy()
    open_ = np.arange(len(stops))
    for step in range(1, MAXIMUM_STRING + 1):
        at = stops[open_] - step
        alive = at >= 0
        byte = data[np.maximum(at, 0)]
        alive &= (byte >= 0x20) & (byte < 0x7F)
        open_ = open_[alive]
        if not len(open_):
            break
        starts[open_] -= 1
    return starts


def _text(region: MemoryRegion, start: int, stop: int) -> Text:
    return Text(region.address + start, region.data[start:stop].tobytes().decode("ascii"))


_SLICE = re.compile(r"\[(?:with )?(?:DesiredTypeName|T|PassT|To|OpTy|OpT|ConcreteOp|SourceOp) = ")
_ANONYMOUS = re.compile(r"\{anonymous\}|\(anonymous namespace\)")
_CLASS = re.compile(r"(?:[A-Za-z_]\w*(?:<.*>)?|\?)(?:::(?:[A-Za-z_]\w*(?:<.*>)?|\?))+")
_QUALIFIED = re.compile(r"mlir::|llvm::")

SUFFIXES: tuple[tuple[str, str], ...] = (
    ("Interface", "interface"),
    ("Dialect", "dialect class"),
    ("Pass", "pass class"),
    ("Pattern", "pattern"),
    ("Conversion", "pattern"),
    ("Lowering", "pattern"),
    ("Rewriter", "pattern"),
    ("Rewrite", "pattern"),
    ("Attr", "attribute"),
    ("Type", "type"),
    ("Op", "operation class"),
)
"""End of a class name to the kind of thing that it names by MLIR's conventions; the first that fits counts."""

NOT_CONCRETE = frozenset(
    f"mlir::{name}"
    for name in (
        *(
            "Dialect",
            "Pass",
            "Pattern",
            "RewritePattern",
            "ConversionPattern",
            "Type",
            "Attr",
            "Op",
            "Interface",
        ),
        *("DialectInterface", "ShapedType", "TypedAttr"),
    )
)
"""Base classes, which name no concrete thing."""


@dataclass(frozen=True, slots=True)
class TypeName:
    """A qualified class name without the closing bracket; ``address`` is the address of its first character,
    ``text`` the string that contains it.
    """

    name: str
    address: int
    text: Text

    @property
    def last(self) -> str:
        """The last component of the name, without template arguments."""
        return _components(self.name)[-1].partition("<")[0]

    @property
    def kind(self) -> str | None:
        """The kind of the class by the end of its last component (`SUFFIXES`); None if no end fits."""
        last = self.last
        return next((kind for suffix, kind in SUFFIXES if last.endswith(suffix)), None)


def type_names(image: ProgramImage) -> list[TypeName]:
    """Return the class names in the strings of data that end with ``]``, by address. A name that several
    strings contain is returned for each.
    """
    found = (type_name(text) for text in strings_ending(image, b"]"))
    return [name for name in found if name is not None]


def type_name(text: Text) -> TypeName | None:
    """Return the class name in a string that ends with ``]``: after ``[DesiredTypeName = `` or the like, else
    the whole string. None for other strings, and if this is no class name of MLIR or LLVM.
    """
    value = text.value
    match = _SLICE.search(value)
    if match is not None:
        start, opened = match.end(), True
    else:
        start, opened = 0, False
    if not value.endswith("]"):
        return None
    name = value[start:-1]
    name = name.partition("; ")[0] if opened else name
    if not is_class_name(name):
        return None
    return TypeName(name, text.address + start, text)


def is_class_name(name: str) -> bool:
    """Return whether `name` is a qualified C++ class name with balanced brackets that begins with `mlir::` or
    `llvm::`, contains `mlir::`, or is in an anonymous namespace.
    """
    plain = _ANONYMOUS.sub("?", name)
    if not _QUALIFIED.match(plain) and "?" not in plain and "mlir::" not in plain:
        return False
    return _CLASS.fullmatch(plain) is not None and _balanced(plain)


def _belongs(name: str, kind: str) -> bool:
    """Return whether a class with this name can be of the `kind` that the end of its name says.

    It must begin with `mlir::` and not be in an anonymous namespace. A pattern or a pass class may be in one,
    also outside of `mlir::`. Base classes of MLIR, traits and classes in `detail` cannot.
    """
    if name in NOT_CONCRETE or "::detail::" in name or "Trait::" in name:
        return False
    public = name.startswith("mlir::") and _ANONYMOUS.search(name) is None
    hidden = name.startswith("mlir::") or _ANONYMOUS.match(name) is not None
    return public or (kind in ("pattern", "pass class") and hidden)


def _balanced(name: str) -> bool:
    depth = 0
    for character in name:
        depth += (character in "<([") - (character in ">)]")
        if depth < 0:
            return False
    return depth == 0


def _components(name: str) -> list[str]:
    """Return the parts of a qualified name between its `::`; a `::` inside of template arguments does not
    separate.
    """
    parts, depth, start = [""], 0, 0
    for at, character in enumerate(name):
        depth += (character in "<(") - (character in ">)")
        if depth == 0 and name.startswith("::", at):
            parts.append("")
            start = at + 2
        elif at >= start:
            parts[-1] += character
    return parts


def named_things(names: list[TypeName]) -> Iterator[BinaryFinding]:
    """Yield a finding for each class whose name shows its kind, in order of names. Several strings with the
    same name are one finding, at the address of the first.
    """
    by_class: dict[str, list[TypeName]] = {}
    for name in names:
        by_class.setdefault(name.name, []).append(name)
    for name, mentions in sorted(by_class.items()):
        kind = mentions[0].kind
        if kind is None or not _belongs(name, kind):
            continue
        evidence = tuple(Evidence(f"type name '{name}]'", mention.address) for mention in mentions[:4])
        confidence = LIKELY if len(mentions) == 1 else combined(LIKELY, LIKELY)
        yield BinaryFinding(
            kind, name, mentions[0].address, evidence, confidence, {"mentions": len(mentions), "class": name}
        )
