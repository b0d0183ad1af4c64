"""Trees of integers: the shapes, strides and coordinates of layouts, with their text.

A leaf is a number, a fraction, a scaled basis element (``3@0``: three steps along mode 0), an unknown (``?``), or
``_``, which keeps a mode as it is.  A tree is a leaf or a tuple of trees: ``(4,(8,?))``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import prod

from tilewright.ir.uniquer import InvalidParameters


@dataclass(frozen=True, slots=True)
class Basis:
    """``count`` steps along the mode that ``path`` leads to."""

    count: int | Fraction
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """A number that is known at run time only, of some width, a multiple of ``divisor``."""

    width: int = 32
    divisor: int = 1


class Wildcard(Enum):
    """Stands for a whole mode."""

    ANY = "_"


Leaf = int | Fraction | Basis | Unknown | Wildcard
Tree = Leaf | tuple["Tree", ...]

_TOKEN = re.compile(r"\s*(?:(-?\d+)|([(),@/?_])|(\{[^{}]*\})|$)")
_UNKNOWN = re.compile(r"\{\s*(?:(i32|i64))?\s*(?:div=(\d+))?\s*\}")
MAX_DEPTH = 100


class _TreeParser:
    """A recursive-descent parser; nesting is bounded by `MAX_DEPTH`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.token = ""
        self.advance()

    def advance(self) -> None:
        found = _TOKEN.match(self.text, self.position)
        if found is None:
            character = self.text[self.position :].strip()[:1]
            raise InvalidParameters(f"unexpected '{character}' in '{self.text}'")
        self.position = found.end()
        self.token = found[1] or found[2] or found[3] or ""

    def accept(self, token: str) -> bool:
        if self.token != token:
            return False
        self.advance()
        return True

    def tree(self, depth: int = 0) -> Tree:
        if depth > MAX_DEPTH:
            raise InvalidParameters(f"trees are nested more than {MAX_DEPTH} deep")
        if not self.accept("("):
            return self.leaf()
        items: list[Tree] = []
        while not self.accept(")"):
            if items and not self.accept(","):
                raise self.unexpected("',' or ')'")
            items.append(self.tree(depth + 1))
        return tuple(items)

    def leaf(self) -> Leaf:
        if self.accept("_"):
            return Wildcard.ANY
        if self.accept("?"):
            return self.unknown()
        count: int | Fraction = self.number()
        if self.accept("/"):
            denominator = self.number()
            if denominator <= 0:
                raise InvalidParameters(f"expected a positive denominator in '{self.text}'")
            fraction = Fraction(count, denominator)
            count = fraction.numerator if fraction.denominator == 1 else fraction
        path: list[int] = []
        while self.accept("@"):
            path.append(self.number())
        return Basis(count, tuple(path)) if path else count

    def unknown(self) -> Unknown:
        if not self.token.startswith("{"):
            return Unknown()
        found = _UNKNOWN.fullmatch(self.token)
        if found is None or found[2] == "0":
            raise InvalidParameters(f"expected a width and a divisor, got '{self.token}'")
        self.advance()
        return Unknown(64 if found[1] == "i64" else 32, int(found[2] or 1))

    def number(self) -> int:
        if not self.token.lstrip("-").isdigit():
            raise self.unexpected("a number")
        value = int(self.token)
        self.advance()
        return value

    def unexpected(self, expected: str) -> InvalidParameters:
        return InvalidParameters(f"expected {expected} in '{self.text}', got '{self.token or 'its end'}'")


def parse_tree(text: str) -> Tree:
    """The tree of a text.  Raises `InvalidParameters` with what is wrong."""
    parser = _TreeParser(text)
    found = parser.tree()
    if parser.token:
        raise parser.unexpected("the end")
    return found


def tree_text(tree: Tree) -> str:
    """The text of a tree, without blanks."""
    match tree:
        case tuple():
            return f"({','.join(map(tree_text, tree))})"
        case Basis():
            return str(tree.count) + "".join(f"@{mode}" for mode in tree.path)
        case Unknown():
            words = [*(["i64"] * (tree.width == 64)), *([f"div={tree.divisor}"] * (tree.divisor != 1))]
            return "?" + (f"{{{' '.join(words)}}}" if words else "")
        case Wildcard():
            return tree.value
        case _:
            return str(tree)


def leaves(tree: Tree) -> Iterator[Leaf]:
    """The leaves from left to right."""
    if isinstance(tree, tuple):
        for item in tree:
            yield from leaves(item)
    else:
        yield tree


def rank(tree: Tree) -> int:
    """Number of modes; a leaf is one mode."""
    return len(tree) if isinstance(tree, tuple) else 1


def depth(tree: Tree) -> int:
    """Levels of nesting; a leaf has none."""
    return 1 + max(map(depth, tree), default=0) if isinstance(tree, tuple) else 0


def is_static(tree: Tree) -> bool:
    """Whether no leaf is unknown."""
    return not any(isinstance(leaf, Unknown) for leaf in leaves(tree))


def congruent(first: Tree, second: Tree) -> bool:
    """Whether two trees have the same nesting."""
    if isinstance(first, tuple) and isinstance(second, tuple):
        return len(first) == len(second) and all(map(congruent, first, second))
    return not isinstance(first, tuple) and not isinstance(second, tuple)


def product(tree: Tree) -> int | None:
    """The product of all leaves; None unless all are plain numbers."""
    numbers = [leaf for leaf in leaves(tree) if isinstance(leaf, int)]
    return prod(numbers) if len(numbers) == len(list(leaves(tree))) else None
