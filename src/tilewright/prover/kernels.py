"""Proofs about a kernel: each access stays inside of its memory, and no two tile blocks race.

A statement is proved if its opposite has no solution. Relations that hold in all launches are assumed where they are
needed, and become conditions of the proof. A solution gives arguments, which the interpreter then tries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np

from tilewright.dialects.cuda_tile.attributes import function_name
from tilewright.dialects.cuda_tile.enums import MemoryOrderingSemantics
from tilewright.dialects.cuda_tile.ops import control, memory
from tilewright.interp.launch import LoadedModule
from tilewright.ir.block import Block
from tilewright.ir.diagnostic import Diagnostic
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value, defining_op
from tilewright.optimizer.analysis.facts import stored_bytes
from tilewright.optimizer.analysis.query import ValueFactsAnalysis
from tilewright.prover import accesses, conditions, replay
from tilewright.prover.accesses import MemoryAccess, Touched
from tilewright.prover.block import BlockTerms
from tilewright.prover.solver import (
    BETTER_EFFORT,
    PROOF_EFFORT,
    AbsenceProof,
    Linear,
    SolverEffort,
    Term,
    names_in,
    z3,
)
from tilewright.prover.symbols import LaunchSymbols, ObservedLaunch, array_of

Subject = Literal["bounds", "races"]
Status = Literal["proved", "refuted", "not proved"]
BOUNDS: Final = "bounds"
RACES: Final = "races"
PROVED: Final = "proved"
REFUTED: Final = "refuted"
OPEN: Final = "not proved"
TOO_HARD = "the arithmetic is too hard"
SPENT = "the effort for proofs about one kernel is spent"


@dataclass(frozen=True, slots=True)
class ProofResult:
    """The result for the access `op`. ``subject`` is bounds or races, and `status` says whether the statement
    is proved, refuted or not proved. A proof has ``conditions``, empty if it holds for all arguments; a
    statement that is not proved has the reason (`because`); a refutation has the arguments as text, and the
    finding of the interpreter.
    """

    op: MemoryAccess
    subject: Subject
    status: Status
    conditions: tuple[str, ...] = ()
    because: str = ""
    arguments: tuple[str, ...] = ()
    finding: Diagnostic | None = None


@dataclass(slots=True)
class KernelProver:
    """Proves statements about the accesses of the kernel `entry` of `module`. The proofs hold for all
    launches that meet the relations which all `launches`, the observed ones, have in common; `results`
    returns them. `symbols` are the variables of the solver for the arguments and the grid.
    """

    module: Operation
    entry: control.EntryOp
    launches: Sequence[ObservedLaunch]
    symbols: LaunchSymbols = field(init=False)
    _bounds: ValueFactsAnalysis = field(init=False)
    _formed: list[tuple[Term, frozenset[str]]] = field(init=False)
    _natural: list[conditions.LaunchCondition] = field(init=False)
    _special: list[conditions.LaunchCondition] = field(init=False)
    _values: dict[str, conditions.LaunchCondition] = field(init=False)
    """The special conditions that say the value of a variable, by its name."""
    _valued: dict[int, Term] = field(default_factory=dict[int, Any])
    """The terms of conditions with these values, by the z3 numbers of the terms."""
    _linear: Linear = field(init=False)
    _loaded: LoadedModule = field(init=False)
    _effort: SolverEffort = field(default_factory=SolverEffort)
    _kept: list[Term] = field(default_factory=list[Any])
    """Terms that are kept, so that no other term gets their numbers."""
    _reached: dict[tuple[Operation, str], tuple[BlockTerms, Touched | None]] = field(
        default_factory=dict[tuple[Operation, str], tuple[BlockTerms, Touched | None]]
    )
    _covered: dict[tuple[int, ...], bool] = field(default_factory=dict[tuple[int, ...], bool])

    def __post_init__(self) -> None:
        self.symbols = LaunchSymbols(self.entry, self.launches)
        self._loaded = LoadedModule(self.module)
        self._bounds = ValueFactsAnalysis(self.entry)
        self._formed = [(one, frozenset(names_in([one]))) for one in conditions.well_formed(self.symbols)]
        self._natural, self._special = conditions.relations(self.symbols)
        self._values = {next(iter(one.names)): one for one in self._special if one.value is not None}
        strides = [str(one) for array in self.symbols.arrays.values() for one in array.strides]
        self._linear = Linear([*strides, *map(str, self.symbols.numbers.values())])

    @property
    def name(self) -> str:
        """The name of the kernel in the source program, from the location of the entry point; its symbol if
        the location has none.
        """
        return function_name(self.entry.location, self.entry.sym_name)

    def results(self) -> list[ProofResult]:
        """Return the results in the order of the accesses: for each access the result about bounds, and after
        it for each store, except atomic ones, the result about races.
        """
        found: list[ProofResult] = []
        every = list(accesses.accesses_of(self.entry))
        for op in every:
            found.append(self.bounds_of(op))
            if not isinstance(op, (*accesses.LOADS, *accesses.ATOMICS)):
                found.append(self.races_of(op, every))
        return found

    def bounds_of(self, op: MemoryAccess) -> ProofResult:
        """Return the result of the proof that an access stays inside of its memory, and its tile index inside
        of the index space of its view.
        """
        needed: dict[str, None] = {}
        open_: ProofResult | None = None
        for violation in self._violations(op):
            if isinstance(violation, str):
                return ProofResult(op, BOUNDS, OPEN, because=violation)
            terms, statements = violation
            fixed = [*terms.facts, *statements]
            core = self._absent(fixed)
            if core is None:
                found = self._refuted(op, BOUNDS, [terms], fixed)
                if found.status == REFUTED:
                    return found
                open_ = open_ or found
            needed |= dict.fromkeys(core or ())
        return open_ or ProofResult(op, BOUNDS, PROVED, tuple(needed))

    def _violations(self, op: MemoryAccess) -> list[tuple[BlockTerms, list[Term]] | str]:
        """Return the ways in which an access may leave its memory or the index space of its view: for each
        the terms of a tile block and the statements of the violation. The list is empty if the access cannot;
        a text in it is the reason why the memory is not known.
        """
        found: list[tuple[BlockTerms, list[Term]] | str] = []
        if not isinstance(op, accesses.POINTER_ACCESSES):
            terms = BlockTerms(self.symbols, self._bounds)
            outside = accesses.outside_index_space(terms, op)
            if outside is None:
                return ["the view is chosen at run time"]
            runs = terms.runs(op)
            found += [(terms, [*runs, one]) for one in outside]
        terms = BlockTerms(self.symbols, self._bounds)
        one = accesses.touched(terms, op)
        if one is None:
            return ["the view is chosen at run time"]
        size = self._size(one)
        if isinstance(size, str):
            return [size]
        if self._covers(terms, one):
            return found
        low, high = one.address.bytes < 0, one.address.bytes + one.bytes > size
        return [*found, (terms, [*one.when, low]), (terms, [*one.when, high])]

    def _size(self, one: Touched) -> Term | str:
        """Return the number of bytes of the memory that the address in `one` leads into: an array of the
        launch or an `alloca`. Return a text, the reason, if it is not known.
        """
        root = one.address.root
        if root is None:
            return "the address comes from memory or from arithmetic"
        op = defining_op(root)
        if isinstance(op, memory.AllocaOp):
            type: Any = root.type
            return z3.IntVal(op.num_elem * (stored_bytes(type.element_type.pointee) or 1))
        if op is not None:
            return "the memory is a global"
        array = self.symbols.arrays.get(root.index)
        return f"argument {root.index} is an address without an array" if array is None else array.bytes

    def _covers(self, terms: BlockTerms, one: Touched) -> bool:
        """Return whether the tensor of a view is proved to be inside of the array of an argument: it has the
        same start, rank and size of elements, and no larger extents and strides. False if this is not proved,
        or if there is no view.
        """
        root, tensor = one.address.root, one.tensor
        if tensor is None or root is None or defining_op(root) is not None:
            return False
        array = self.symbols.arrays[root.index]
        if len(array.shape) != len(tensor.shape):
            return False
        same = [tensor.base.bytes == 0, z3.BoolVal(array.element_bytes == tensor.element_bytes)]
        for extent, length in zip(tensor.shape, array.shape, strict=True):
            same.append(extent <= length)
        for stride, step, extent in zip(tensor.strides, array.strides, tensor.shape, strict=True):
            same.append(z3.Or(stride <= step, extent <= 1))
        key = tuple(one.get_id() for one in same)
        if key not in self._covered:
            opposite = z3.Not(z3.And(*same))
            self._kept += same
            self._covered[key] = self._absent([*terms.facts, opposite], of_layouts=True) is not None
        return self._covered[key]

    def _absent(self, statements: Sequence[Term], *, of_layouts: bool = False) -> list[str] | None:
        """Return the texts of the conditions under which ``statements`` cannot hold together: a proof, with
        an empty list if no condition is needed. Return None if that is not proved. Conditions about the
        variables of the statements are tried first, special conditions last. With ``of_layouts``, only
        conditions about extents and strides of arrays are tried.
        """
        if self._effort.is_spent:
            return None
        names = self._linear.variables(statements)
        names = names.union(*(one.names for one in self._natural if one.is_layout and one.names & names))
        own = [one for one in self._natural if one.names <= names]
        near = [one for one in self._natural if not one.names <= names and one.names & names]
        special = [one for one in self._special if one.names <= names]
        proof = AbsenceProof(statements, self._linear, self._effort)
        if of_layouts:
            return self._core(proof, names, [one for one in own if one.is_layout])
        core, most = self._core(proof, names, own), [*own, *near, *special]
        if core is not None:
            return core
        pairs = [(self.symbols.terms[name], z3.IntVal(one.value)) for name, one in self._values.items()]
        valued = [z3.substitute(one, *pairs) for one in statements]
        of_values = AbsenceProof(valued, self._linear, self._effort)
        last = self._with_values(of_values, pairs, names, most)
        if of_values.is_refuted:
            return None
        proof.most = BETTER_EFFORT if last is not None else PROOF_EFFORT
        tried = (self._core(proof, names, known) for known in ([*own, *special], [*own, *near], most))
        return next((one for one in tried if one is not None), last)

    def _with_values(
        self,
        proof: AbsenceProof,
        pairs: Sequence[tuple[Term, Term]],
        names: set[str],
        known: Sequence[conditions.LaunchCondition],
    ) -> list[str] | None:
        """Return the texts of the conditions that a proof about statements with the variables `names` needs where
        each variable that is the same in all launches has its value, as in `pairs`. Products of such variables are
        numbers, so this is easy to prove or to refute. Return None if it is not proved.
        """
        rest = [one for one in known if not one.names <= self._values.keys()]
        assumed, optional = (
            [self._with_value(one, pairs) for one in part] for part in self._assumed(names, rest)
        )
        core = proof.needed(assumed, optional)
        if core is None:
            return None
        used = names.union(*(rest[number].names for number in core))
        of_values = (one for name, one in self._values.items() if name in used)
        needed = [*of_values, *(rest[number] for number in core)]
        return [one.text for one in needed if one.text]

    def _with_value(self, term: Term, pairs: Sequence[tuple[Term, Term]]) -> Term:
        """Return the term of a condition with values for variables, which are always the same."""
        key = term.get_id()
        if key not in self._valued:
            self._valued[key] = z3.substitute(term, *pairs)
        return self._valued[key]

    def _core(
        self, proof: AbsenceProof, names: set[str], known: Sequence[conditions.LaunchCondition]
    ) -> list[str] | None:
        """Return the texts of those conditions in ``known`` that a proof about statements with the variables
        `names` needs. Return None if it is not found.
        """
        core = proof.needed(*self._assumed(names, known))
        return None if core is None else [known[number].text for number in core if known[number].text]

    def _assumed(
        self, names: set[str], known: Sequence[conditions.LaunchCondition]
    ) -> tuple[list[Term], list[Term]]:
        """Return two lists: the statements, true in every launch, about the variables `names` and the variables of
        ``known``, and the terms of ``known``.
        """
        every = names.union(*(one.names for one in known))
        return [term for term, named in self._formed if named <= every], [one.term for one in known]

    def _refuted(
        self, op: MemoryAccess, subject: Subject, blocks: Sequence[BlockTerms], fixed: Sequence[Term]
    ) -> ProofResult:
        """Return a refutation, whose arguments are a solution of the statements `fixed` and which the
        interpreter confirms at the source line of `op`. If there is none, return the result "not proved" with
        the reason: the first unknown value that `fixed` depends on in one of the tile blocks `blocks`, if
        there is one.
        """
        assumed = [one.term for one in (*self._natural, *self._special)]
        statements = [*(term for term, _ in self._formed), *fixed, *assumed]
        tried = replay.attempts(self.symbols, statements, self._effort)
        because = ""
        for attempt in tried:
            found = replay.run(self.entry, self._loaded, attempt, self._effort, races=subject == RACES)
            mine = [one for one in found if one.location.source == op.location.source]
            if mine:
                return ProofResult(op, subject, REFUTED, (), "", attempt.words, mine[0])
            because = "the interpreter does not confirm the arguments that were found"
        unknown = {name: why for terms in blocks for name, why in terms.unknown.items()}
        reasons = [unknown[name] for name in sorted(names_in(fixed) & set(unknown))]
        if self._effort.is_spent:
            because = SPENT
        else:
            because = f"it depends on {reasons[0]}" if reasons else because or TOO_HARD
        return ProofResult(op, subject, OPEN, because=because)

    def races_of(self, op: MemoryAccess, every: Sequence[MemoryAccess]) -> ProofResult:
        """Return the result of the proof that no other tile block accesses the elements that the store `op`
        writes. `every` has all accesses of the kernel, with which it is compared. Nothing is proved for
        kernels that synchronise tile blocks.
        """
        if any(_orders(one) for one in every):
            return ProofResult(op, RACES, OPEN, because="tile blocks synchronise by release and acquire")
        needed: dict[str, None] = {}
        for other in every:
            (first, one), (second, two) = self._touched(op, ".1"), self._touched(other, ".2")
            if one is None or two is None or one.address.root is None or two.address.root is None:
                return ProofResult(op, RACES, OPEN, because="an address is not known")
            if one.address.root is not two.address.root:
                if self._share(one.address.root, two.address.root):
                    return ProofResult(op, RACES, OPEN, because="arrays of the launch share memory")
                continue
            apart = [a != b for a, b in zip(first.position, second.position, strict=True)]
            meets, layouts = self._meet(one, two)
            fixed = [*first.facts, *second.facts, *one.when, *two.when, z3.Or(*apart), *meets]
            core = self._absent(fixed)
            if core is None:
                return self._refuted(op, RACES, (first, second), fixed)
            needed |= dict.fromkeys([*core, *layouts])
        return ProofResult(op, RACES, PROVED, tuple(needed))

    def _touched(self, op: MemoryAccess, suffix: str) -> tuple[BlockTerms, Touched | None]:
        """Return the terms of an arbitrary tile block, whose variables end with ``suffix``, and an arbitrary
        element that an access touches in this tile block. The element is None if the tensor of the view is
        not known.
        """
        key = op, suffix
        if key not in self._reached:
            terms = BlockTerms(self.symbols, self._bounds, suffix)
            self._reached[key] = terms, accesses.touched(terms, op)
        return self._reached[key]

    def _meet(self, one: Touched, two: Touched) -> tuple[list[Term], list[str]]:
        """Return the statements that two accesses touch one byte, and the texts of the conditions under which
        these statements are complete. Accesses to equal tensors are compared by their indices if the elements
        of the tensor do not overlap, otherwise by their addresses.
        """
        a, b = one.tensor, two.tensor
        if a is not None and b is not None and _is_same(a, b):
            apart = self._apart(one)
            if apart is not None:
                return [x == y for x, y in zip(one.at, two.at, strict=True)], apart
        x, y = one.address.bytes, two.address.bytes
        return [x < y + two.bytes, y < x + one.bytes], []

    def _apart(self, one: Touched) -> list[str] | None:
        """Return the texts of the conditions under which the elements of the tensor of an access have
        different addresses: each stride is at least the extent times the stride of the next dimension. Return
        None if that is not proved.
        """
        tensor = one.tensor
        assert tensor is not None
        needed: list[str] = []
        terms = BlockTerms(self.symbols, self._bounds)
        for d, stride in enumerate(tensor.strides):
            inner = (
                tensor.shape[d + 1] * tensor.strides[d + 1] if d + 1 < len(tensor.strides) else z3.IntVal(1)
            )
            core = self._absent([*terms.facts, z3.Not(stride >= inner)])
            if core is None:
                return None
            needed += core
        return needed

    def _share(self, a: Value, b: Value) -> bool:
        """Return whether the arrays of two parameters may share memory in one of the launches; True for
        arguments that are no arrays, False if `a` or `b` is not a parameter.
        """
        if not (isinstance(a.owner, Block) and isinstance(b.owner, Block)):
            return False
        for launch in self.launches:
            one, other = array_of(launch.arguments[a.index]), array_of(launch.arguments[b.index])
            if one is None or other is None or np.may_share_memory(one, other):
                return True
        return False


def _is_same(a: Any, b: Any) -> bool:
    pairs = [*zip(a.shape, b.shape, strict=True), *zip(a.strides, b.strides, strict=True)]
    return len(a.shape) == len(b.shape) and all(x.eq(y) for x, y in [*pairs, (a.base.bytes, b.base.bytes)])


def _orders(op: MemoryAccess) -> bool:
    """Return whether an access is neither weak nor relaxed: it orders accesses of other tile blocks."""
    semantics = op.memory_ordering_semantics
    return semantics not in (MemoryOrderingSemantics.WEAK, MemoryOrderingSemantics.RELAXED)
