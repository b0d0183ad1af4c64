"""Rewrite patterns: their root, their benefit, and how they decline.

A pattern plays one of four roles:

A. `RewritePattern` rewrites an operation in place (canonicalisation, small folds);
B. `ConversionPattern` rewrites an operation whose operands were converted before;
C. a `ConversionPattern` with a type converter, shared with every other pattern of its set;
D. `ClosurePattern`: a conversion that asks a predicate ``(int) -> bool`` whether to match at all.

``match_and_rewrite`` returns None when it rewrote, and ``rewriter.no_match("why")`` when it declines, so
that the reason can be shown. A pattern whose test is expensive separates ``match`` from ``rewrite``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, IntEnum
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, get_args

from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.declaration.traits import Trait
from tilewright.ir.interfaces.interface import Interface, interface_map
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.ir.context import Context
    from tilewright.rewrite.rewriter import Rewriter

_Op = TypeVar("_Op", bound=Operation)

MAXIMUM_BENEFIT = 0xFFFF
"""Benefits are 16 bits wide."""


class PatternRootKind(IntEnum):
    """The kind of root of a pattern. Of equal benefit, the more particular root is tried first."""

    OPERATION = 0
    INTERFACE = 1
    TRAIT = 2
    ANY = 3


class PatternRole(Enum):
    """The role of a pattern: it rewrites operations in place, or converts them without a type converter, with
    one, or if a predicate holds.
    """

    REWRITE = "A"
    CONVERSION = "B"
    TYPE_CONVERSION = "C"
    CLOSURE = "D"


class NoMatch:
    """The reason why a pattern declined. ``{}`` in the template are replaced with ``arguments`` when the
    text is read.
    """

    __slots__ = ("arguments", "template")

    def __init__(self, template: str, arguments: tuple[object, ...] = ()) -> None:
        self.template = template
        self.arguments = arguments

    @property
    def reason(self) -> str:
        """The template with its arguments filled in."""
        return self.template.format(*self.arguments) if self.arguments else self.template

    def __repr__(self) -> str:
        return f"NoMatch({self.reason!r})"


Root = type[Operation] | str | type[Interface] | type[Trait] | None
"""An op class, the name of an operation, an interface, a trait, or None for any operation."""
Definers = tuple[OperationKind | None, ...]
"""The kinds of the operations that define the operands of an operation; None for arguments of blocks."""
DefinedBy = Mapping[int, type[Operation] | type[Trait]]
"""Maps the index of an operand to the class, or a trait, of the operation that must define it."""


@cache
def _kind_of_root(root: Root) -> PatternRootKind:
    if root is None:
        return PatternRootKind.ANY
    if isinstance(root, str) or issubclass(root, Operation):
        return PatternRootKind.OPERATION
    return PatternRootKind.INTERFACE if issubclass(root, Interface) else PatternRootKind.TRAIT


@cache
def rank_of_root(root: Root) -> int:
    """Return the number of the root's `PatternRootKind` as a plain int, which sorts faster."""
    return int(_kind_of_root(root))


@cache
def name_of_root(root: Root) -> str | None:
    """Return the name of the operation that a pattern's root names. Return None if the root is an interface,
    a trait, or None (any operation).
    """
    if root is None or isinstance(root, str):
        return root
    return root.op_kind.name if issubclass(root, Operation) else None


class Pattern(Generic[_Op]):
    """The base of all patterns.

    ``root`` (the class of operations, interface or trait to which the pattern is applied; None: all
    operations) and ``benefit`` (patterns of higher benefit are tried first) are set by the class (``class
    X(RewritePattern[AddFOp], benefit=2)``: the root is the type argument unless ``root=`` names it) or for
    one object by the constructor. ``labels`` are names by which users enable or disable patterns, besides the
    debug name.

    ``generated_ops`` names the operations a pattern may create: conversion drivers see which patterns lead to
    legal operations, and the greedy driver puts operations of these names on its worklist when the pattern
    has made them inside of others. ``defined_by`` has an entry for each way in which the pattern can match:
    the operations that must define its operands. Drivers do not try the pattern on operations that fit no
    entry. With ``has_bounded_recursion`` a pattern may be applied to operations that it made.
    """

    root: Root = None
    benefit: int = 1
    generated_ops: tuple[str, ...] = ()
    defined_by: tuple[DefinedBy, ...] = ()
    labels: tuple[str, ...] = ()
    role: PatternRole = PatternRole.REWRITE
    has_bounded_recursion: ClassVar[bool] = False
    """Whether the pattern may be applied again to operations that it made. It must terminate."""

    def __init_subclass__(cls, *, root: Root = None, benefit: int | None = None, **named: Any) -> None:
        super().__init_subclass__(**named)
        if root is None:
            root = _root_argument(cls)
        if root is not None:
            cls.root = root
        if benefit is not None:
            cls.benefit = benefit

    def __init__(
        self,
        context: Context | None = None,
        *,
        root: Root = None,
        benefit: int | None = None,
        debug_name: str = "",
        generated_ops: Sequence[str] | None = None,
    ) -> None:
        self.context = context
        if root is not None:
            self.root = root
        if benefit is not None:
            self.benefit = benefit
        if generated_ops is not None:
            self.generated_ops = tuple(generated_ops)
        if not 0 <= self.benefit <= MAXIMUM_BENEFIT:
            raise ValueError(
                f"benefit {self.benefit} of {type(self).__name__} is not in 0..{MAXIMUM_BENEFIT}"
            )
        self._debug_name = debug_name

    @property
    def kind(self) -> PatternRootKind:
        """The kind of the pattern's root."""
        return _kind_of_root(self.root)

    @property
    def root_name(self) -> str | None:
        """The name of the operation the pattern is rooted at; None if the root is an interface, a trait, or
        any operation.
        """
        return name_of_root(self.root)

    @property
    def debug_name(self) -> str:
        """The name in debug output: the class name, unless the constructor was given another."""
        return self._debug_name or type(self).__name__

    @property
    def type_name(self) -> str:
        """The qualified class name, with ``::`` for dots, followed by ``]``, as it is in the text of
        ``__PRETTY_FUNCTION__`` of C++ compilers.
        """
        return f"{type(self).__module__}.{type(self).__qualname__}]".replace(".", "::")

    def applies_to(self, kind: OperationKind) -> bool:
        """Return whether the pattern's root covers operations of `kind`, so that drivers try the pattern on
        them.
        """
        root = self.root
        match self.kind:
            case PatternRootKind.OPERATION:
                return kind.name == self.root_name
            case PatternRootKind.TRAIT:
                return root in kind.trait_classes
            case PatternRootKind.INTERFACE:
                return has_interface(kind, root)
            case PatternRootKind.ANY:
                return True

    def may_match(self, definers: Definers) -> bool:
        """Return whether the pattern can match an operation whose operands are defined by operations of the
        kinds `definers`. True if the pattern has no `defined_by`.
        """
        ways = self.defined_by
        return not ways or any(_are_defined(way, definers) for way in ways)

    def close(self) -> None:
        """Release the resources of the pattern; called once, when its frozen set is torn down."""

    def __repr__(self) -> str:
        return f"<{self.debug_name} on {self.root_name or self.kind.name.lower()}, benefit {self.benefit}>"


def _are_defined(way: DefinedBy, definers: Definers) -> bool:
    """True if the operands of an operation are defined as one entry of `Pattern.defined_by` requires."""
    return all(at < len(definers) and _is_of(definers[at], wanted) for at, wanted in way.items())


def _is_of(kind: OperationKind | None, wanted: type[Operation] | type[Trait]) -> bool:
    if kind is None:
        return False
    return (
        issubclass(kind.op_class, wanted) if issubclass(wanted, Operation) else wanted in kind.trait_classes
    )


def _root_argument(cls: type[Any]) -> Root:
    """Return the op class between the brackets of ``RewritePattern[AddFOp]``; None if there is none."""
    for base in getattr(cls, "__orig_bases__", ()):
        for argument in get_args(base):
            if (
                isinstance(argument, type)
                and issubclass(argument, Operation)
                and hasattr(argument, "op_kind")
            ):
                return argument
    return None


def has_interface(kind: OperationKind, interface: Any) -> bool:
    """Return whether the op class of `kind` implements `interface`, an interface class."""
    return interface in interface_map(kind.op_class)


class RewritePattern(Pattern[_Op]):
    """A pattern that rewrites an operation in place.

    Override `match_and_rewrite`, or `match` and `rewrite`.
    """

    def match_and_rewrite(self, op: _Op, rewriter: Rewriter) -> NoMatch | None:
        """Rewrite ``op`` through ``rewriter`` and return None, or change nothing and return why not."""
        refused = self.match(op)
        if refused is None:
            self.rewrite(op, rewriter)
        return refused

    def match(self, op: _Op) -> NoMatch | None:
        """Return None if the pattern applies, else the reason."""
        raise NotImplementedError(f"{type(self).__name__} overrides neither match_and_rewrite nor match")

    def rewrite(self, op: _Op, rewriter: Rewriter) -> None:
        """Rewrite an operation that `match` accepted; must not fail."""
        raise NotImplementedError(f"{type(self).__name__} overrides neither match_and_rewrite nor rewrite")


class FunctionPattern(RewritePattern[Operation]):
    """A plain function used as a pattern; made by `pattern`."""

    def __init__(
        self,
        function: Callable[[Any, Rewriter], NoMatch | None],
        root: Root,
        benefit: int,
        debug_name: str,
        defined_by: Sequence[DefinedBy] = (),
    ) -> None:
        super().__init__(root=root, benefit=benefit, debug_name=debug_name)
        self.function = function
        self.defined_by = tuple(defined_by)

    def match_and_rewrite(self, op: Operation, rewriter: Rewriter) -> NoMatch | None:
        return self.function(op, rewriter)


def pattern(
    root: Root, *, benefit: int = 1, name: str = "", defined_by: Sequence[DefinedBy] = ()
) -> Callable[[Callable[[Any, Rewriter], NoMatch | None]], FunctionPattern]:
    """Return a decorator that makes a `FunctionPattern` of a function ``(op, rewriter)``:
    ``@pattern(AddIOp)``. The function returns None after a rewrite, or the reason why it declines. ``name``
    is the debug name (default: the name of the function). ``defined_by`` maps, for each way to match, indices
    of operands to the operations or traits that must define them; without it, all operations of ``root`` are
    tried.
    """

    def make(function: Callable[[Any, Rewriter], NoMatch | None]) -> FunctionPattern:
        return FunctionPattern(function, root, benefit, name or function.__name__, defined_by)

    return make
