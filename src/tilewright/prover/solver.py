"""The solver: z3, terms that are sums of products, and queries in linear arithmetic.

z3 proves statements about sums fast, and statements about products slowly or not at all. A proof replaces each product
by a variable, and adds what products need here: signs, and that a factor that grows makes the product grow. That is
sound, because it only forgets facts. A search for counterexamples keeps the products.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import gcd
from typing import Any

z3: Any = importlib.import_module("z3")
Term = Any
"""An integer or truth of z3."""
Monomial = tuple[int, ...]
PROOF_EFFORT, SEARCH_EFFORT = 100_000, 100_000
"""The limits of z3 for a query, in its own unit, so that results do not depend on the speed of a machine."""
BETTER_EFFORT = 10_000
"""The limit of z3 for a query that looks for a proof with fewer conditions than a known one."""
KERNEL_EFFORT = 700_000
"""The limit for all work on a kernel, in z3's unit: queries, terms that are made for them, and trials."""
_QUERIES_LEFT = 16
"""A query may use the effort that is left divided by this number, so that hard queries leave some for easy ones."""
_LEAST_EFFORT = 5_000
"""With less than this for a query the effort is spent."""
_TERM_EFFORT, _FACT_EFFORT = 150, 5
"""The effort to make one term of a statement, and one fact about products, in z3's unit."""
_MOST_PRODUCTS = 14
"""The maximum number of products in a query between which growth is compared."""


class SolverEffort:
    """The effort that is ``left`` for a kernel, in z3's unit. A query may use a part of it."""

    def __init__(self, left: int = KERNEL_EFFORT) -> None:
        self.left = left
        solver = z3.Solver()
        solver.check()
        self._count = _count(solver)

    def check(self, solver: Any, most: int, *assumptions: Term) -> Any:
        """Return the result of a query, which may use up to `most`: unknown if the effort is spent."""
        if self.is_spent:
            return z3.unknown
        solver.set("rlimit", min(most, self.left // _QUERIES_LEFT))
        found = solver.check(*assumptions)
        before, self._count = self._count, _count(solver)
        self.spend(self._count - before)
        return found

    @property
    def is_spent(self) -> bool:
        """Whether too little is left for a query."""
        return self.left < _LEAST_EFFORT * _QUERIES_LEFT

    def spend(self, effort: int) -> None:
        """Reduce the effort that is left by `effort`."""
        self.left -= effort


def _count(solver: Any) -> int:
    """Return the effort that z3 has used in this process so far, by the statistics of `solver` after a query."""
    return solver.statistics().get_key_value("rlimit count")


def ceiling(a: Term, divisor: Term) -> Term:
    """Return the quotient of integers, rounded up, for a positive divisor."""
    return (a + divisor - 1) / divisor


def is_numeral(term: Term) -> bool:
    """Return whether a term is an integer constant, of Python or of z3."""
    return isinstance(term, int) or z3.is_int_value(term)


def name_of(term: Term) -> str:
    """Return the name of a variable; for any other term its text in the notation of SMT-LIB."""
    is_variable = z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED
    return term.decl().name() if is_variable else term.sexpr()


def names_in(terms: Iterable[Term]) -> set[str]:
    """Return the names of the variables in terms."""
    found, seen, pending = set[str](), set[int](), list(terms)
    while pending:
        term = pending.pop()
        if isinstance(term, bool | int) or term.get_id() in seen:
            continue
        seen.add(term.get_id())
        if z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found.add(term.decl().name())
        pending += term.children()
    return found


@dataclass(slots=True)
class Linear:
    """Replaces products of variables in terms by new variables, which ``products`` has by the z3 numbers of
    the two factors: the factors and the variable. ``strides`` are the names of the variables by which
    products are grouped, the first ones before later ones: ``i*s + j*s`` is one product, ``(i+j)*s``.
    """

    strides: Sequence[str]
    products: dict[tuple[int, int], tuple[Term, Term, Term]] = field(
        default_factory=dict[tuple[int, int], tuple[Any, Any, Any]]
    )
    _atoms: dict[int, Term] = field(default_factory=dict[int, Any])
    _done: dict[int, tuple[Term, Term]] = field(default_factory=dict[int, tuple[Any, Any]])
    _statements: dict[int, tuple[Term, Term]] = field(default_factory=dict[int, tuple[Any, Any]])
    _lemmas: dict[Any, list[Term]] = field(default_factory=dict[Any, list[Any]])
    _names: dict[int, str] = field(default_factory=dict[int, str])
    _equal: dict[int, frozenset[int]] = field(default_factory=dict[int, frozenset[int]])
    _variables: dict[int, frozenset[str]] = field(default_factory=dict[int, frozenset[str]])
    is_exact: bool = True
    """Whether the statements that `lemmas` got last have no products."""
    work: int = 0
    """The effort for terms and facts that was not taken from the effort of the kernel yet, in z3's unit."""

    def linear(self, term: Term) -> Term:
        """Return a term without products of variables: each is replaced with its variable in ``products``.
        The result says less than the term, until `lemmas` are added.
        """
        known = self._done.get(term.get_id())
        if known is None:
            self.work += _TERM_EFFORT
            known = term, self._linear(term)  # the term is kept, so that its number is not used again
            self._done[term.get_id()] = known
        return known[1]

    def _linear(self, term: Term) -> Term:
        if not term.children():
            return term
        if z3.is_int(term) and _is_sum(term):
            return self._sum(self._polynomial(term))
        if z3.is_le(term) or z3.is_ge(term) or z3.is_lt(term) or z3.is_gt(term) or _equals_numbers(term):
            left, right = term.children()
            difference = self._sum(self._polynomial(left - right))
            return term.decl()(difference, z3.IntVal(0))
        return term.decl()(*map(self.linear, term.children()))

    def _polynomial(self, term: Term) -> Counter[Monomial]:
        if is_numeral(term):
            return Counter({(): term.as_long()})
        if z3.is_add(term):
            return _added([self._polynomial(child) for child in term.children()])
        if z3.is_sub(term):
            first, *others = term.children()
            return _added([self._polynomial(first), *(_scaled(self._polynomial(one), -1) for one in others)])
        if term.decl().kind() == z3.Z3_OP_UMINUS:
            return _scaled(self._polynomial(term.arg(0)), -1)
        if z3.is_mul(term):
            product: Counter[Monomial] = Counter({(): 1})
            for child in term.children():
                product = _multiplied(product, self._polynomial(child))
            return product
        atom = self.linear(term)
        if not _is_sum(atom) and not is_numeral(atom):
            self._atoms[atom.get_id()] = atom
            return Counter({(atom.get_id(),): 1})
        return self._polynomial(atom)

    def _sum(self, polynomial: Counter[Monomial]) -> Term:
        """Return a polynomial as a linear term: a sum of numbers, multiples of atoms, and multiples of the
        variables of products.
        """
        grouped: dict[int, Counter[Monomial]] = {}
        for monomial, factor in polynomial.items():
            if factor and len(monomial) > 1:
                last = self._stride(monomial)
                rest = list(monomial)
                rest.remove(last)
                grouped.setdefault(last, Counter())[tuple(rest)] += factor
        total: Term = z3.IntVal(0)
        for monomial, factor in polynomial.items():
            if factor and len(monomial) < 2:
                if monomial and monomial[0] in grouped:
                    grouped[monomial[0]][()] += factor  # (i - 1) * s is a product of two numbers
                else:
                    total = total + (factor * self._atoms[monomial[0]] if monomial else factor)
        for last, others in grouped.items():
            content = gcd(*others.values()) * (1 if others[max(others)] > 0 else -1)
            primitive = Counter({one: factor // content for one, factor in others.items()})
            total = total + content * self._product(self._sum(primitive), self._atoms[last])
        return total

    def _stride(self, monomial: Monomial) -> int:
        """Return the z3 number of the factor of a monomial that products are grouped by: the first one in
        ``strides``, otherwise the factor whose name is the last in alphabetical order.
        """
        names = {atom: self._name(atom) for atom in monomial}
        known = [atom for atom in monomial if names[atom] in self.strides]
        return max(known or monomial, key=lambda atom: (-self._rank(names[atom]), names[atom]))

    def _name(self, atom: int) -> str:
        if atom not in self._names:
            self._names[atom] = name_of(self._atoms[atom])
        return self._names[atom]

    def _rank(self, name: str) -> int:
        return self.strides.index(name) if name in self.strides else len(self.strides)

    def _product(self, a: Term, b: Term) -> Term:
        a = z3.simplify(a)
        if is_numeral(a):
            return a * b
        key = a.get_id(), b.get_id()
        if key not in self.products:
            self.products[key] = a, b, z3.Int(f"product.{len(self.products)}")
        return self.products[key][2]

    def statement(self, term: Term) -> Term:
        """Return a statement, simplified by z3, in which each product of variables is replaced with its
        variable in ``products``.
        """
        known = self._statements.get(term.get_id())
        if known is None:
            known = term, self.linear(z3.simplify(term))
            self._statements[term.get_id()] = known
        return known[1]

    def names(self, statements: Iterable[Term]) -> set[str]:
        """Return the names of the variables in statements that `statement` has returned, including the
        variables that replace products.
        """
        return set[str]().union(*map(self._names_in, statements))

    def variables(self, terms: Iterable[Term]) -> set[str]:
        """Return the names of the variables in terms, including the factors of products."""
        kept = list(terms)
        for term in kept:
            self.statement(term)  # the term is kept, so that its number is not used again
        return self.names(kept)

    def _names_in(self, term: Term) -> frozenset[str]:
        """Return the names of the variables in a term that is kept, and whose parts are kept by it."""
        key = term.get_id()
        if key not in self._variables:
            parts = map(self._names_in, term.children())
            is_variable = z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED
            own = frozenset([term.decl().name()]) if is_variable else frozenset[str]()
            self._variables[key] = own.union(*parts)
        return self._variables[key]

    def lemmas(self, statements: Sequence[Term]) -> list[Term]:
        """Return facts about the products in statements that `statement` has returned: their signs, and how
        they grow. Growth is compared between products with a common factor, and between products by two
        variables if the statements have an equation of the two variables.
        """
        names, equal = self.names(statements), set(self._equations(statements))
        used = [key for key, one in self.products.items() if one[2].decl().name() in names]
        self.is_exact = not used
        found = [fact for key in used for fact in self._signs(key)]
        pairs = combinations(used[:_MOST_PRODUCTS], 2)
        return found + [fact for pair in pairs for fact in self._grown(pair, equal)]

    def _equations(self, statements: Sequence[Term]) -> Iterator[frozenset[int]]:
        """Yield the z3 numbers of the two variables of each statement that is an equation of exactly two
        variables.
        """
        for term in statements:
            key = term.get_id()
            if key not in self._equal:
                self._equal[key] = _equal_variables(term)
            if self._equal[key]:
                yield self._equal[key]

    def _signs(self, key: tuple[int, int]) -> list[Term]:
        if key not in self._lemmas:
            self.work += _FACT_EFFORT
            self._lemmas[key] = [z3.substitute_vars(_SIGNS, *self.products[key])]
        return self._lemmas[key]

    def _grown(
        self, pair: tuple[tuple[int, int], tuple[int, int]], equal: set[frozenset[int]]
    ) -> Iterator[Term]:
        (a, b, one), (c, d, other) = (self.products[key] for key in pair)
        for x, s, y, t in ((a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)):
            numbers = s.get_id(), t.get_id()
            if numbers[0] != numbers[1] and frozenset(numbers) not in equal:
                continue
            key = (*pair, *numbers, x.get_id())
            if key not in self._lemmas:
                self.work += _FACT_EFFORT
                fact = _growth(x, y, s, one, other)
                self._lemmas[key] = [fact if numbers[0] == numbers[1] else z3.Implies(s == t, fact)]
            yield from self._lemmas[key]


def _equal_variables(term: Term) -> frozenset[int]:
    """Return the z3 numbers of the variables of a statement that is an equation of two integer variables; an
    empty set for any other statement. Coefficients and constants in the equation do not matter.
    """
    if not _equals_numbers(term):
        return frozenset()
    terms, seen, found = [term.arg(0)], set[int](), set[int]()
    while terms and len(found) < 3:
        one = terms.pop()
        if one.get_id() in seen:
            continue
        seen.add(one.get_id())
        if z3.is_const(one):
            found |= set[int]() if is_numeral(one) else {one.get_id()}
        else:
            terms += one.children()
    return frozenset(found) if len(found) == 2 else frozenset()


def _sign_template() -> Term:
    """Return facts about the sign and the magnitude of a product, as a formula with three variables for
    `z3.substitute_vars`: the two factors and the product.
    """
    a, b, product = (z3.Var(number, z3.IntSort()) for number in range(3))
    return z3.And(
        z3.Implies(z3.And(a >= 0, b >= 0), product >= 0),
        z3.Implies(z3.And(a <= 0, b >= 0), product <= 0),
        z3.Implies(z3.And(a >= 1, b >= 0), product >= b),
        z3.Implies(z3.And(a >= 0, b >= 1), product >= a),
        z3.Implies(z3.And(a <= -1, b >= 0), product <= -b),
        z3.Implies(z3.And(a <= 0, b >= 1), product <= a),
        z3.Implies(a == 1, product == b),
        z3.Implies(b == 1, product == a),
    )


def _growth_template() -> Term:
    """Return how the products of two numbers by a third grow, for `z3.substitute_vars`: the two numbers, the third
    and the two products.
    """
    x, y, s, xs, ys = (z3.Var(number, z3.IntSort()) for number in range(5))
    both = ((x, y, xs, ys), (y, x, ys, xs))
    return z3.And(
        *(z3.Implies(z3.And(a <= b, s >= 0), one <= other) for a, b, one, other in both),
        *(z3.Implies(z3.And(a < b, s >= 0), one + s <= other) for a, b, one, other in both),
        z3.Implies(z3.And(x + y >= 0, s >= 0), xs + ys >= 0),
        z3.Implies(z3.And(x + y < 0, s >= 0), xs + ys <= -s),
    )


_SIGNS, _GROWTH = _sign_template(), _growth_template()


def _growth(x: Term, y: Term, s: Term, xs: Term, ys: Term) -> Term:
    """Return facts about the products ``xs = x * s`` and ``ys = y * s``: how far they differ if ``y - x`` is
    a number, otherwise which one is larger if ``s`` is not negative.
    """
    distance = z3.simplify(y - x)
    if is_numeral(distance):
        return ys == xs + distance.as_long() * s
    return z3.substitute_vars(_GROWTH, x, y, s, xs, ys)


def _is_sum(term: Term) -> bool:
    return z3.is_add(term) or z3.is_sub(term) or z3.is_mul(term) or term.decl().kind() == z3.Z3_OP_UMINUS


def _equals_numbers(term: Term) -> bool:
    return z3.is_eq(term) and z3.is_int(term.arg(0))


def _added(parts: Sequence[Counter[Monomial]]) -> Counter[Monomial]:
    total: Counter[Monomial] = Counter()
    for part in parts:
        for monomial, factor in part.items():
            total[monomial] += factor
    return total


def _scaled(part: Counter[Monomial], factor: int) -> Counter[Monomial]:
    return Counter({monomial: factor * one for monomial, one in part.items()})


def _multiplied(a: Counter[Monomial], b: Counter[Monomial]) -> Counter[Monomial]:
    total: Counter[Monomial] = Counter()
    for left, one in a.items():
        for right, other in b.items():
            total[tuple(sorted((*left, *right)))] += one * other
    return total


class AbsenceProof:
    """Proves that statements cannot hold together, with the conditions that are assumed step by step. ``most`` is
    the limit of z3 for a query. ``is_refuted`` is set if the statements and all conditions of the last step have
    no products, and a solution: then no part of these conditions is a proof.
    """

    def __init__(self, fixed: Sequence[Term], linear: Linear, effort: SolverEffort) -> None:
        self._linear, self._effort = linear, effort
        self.most = PROOF_EFFORT
        self.is_refuted = False
        self._solver = z3.SolverFor("QF_LIA")
        self._said: dict[int, Term] = {}
        self._marks: dict[int, Term] = {}
        self._base = [linear.statement(term) for term in fixed]
        self._say(self._base)

    def _say(self, statements: Iterable[Term]) -> None:
        new = {one.get_id(): one for one in statements if one.get_id() not in self._said}
        self._said |= new
        self._solver.add(*new.values())

    def needed(self, formed: Sequence[Term], optional: Sequence[Term]) -> list[int] | None:
        """Return the indices, in ascending order, of the ``optional`` statements that are needed so that
        they, the fixed statements and those in ``formed`` cannot hold together. Return None if that is not
        proved. Statements later in ``optional`` are left out rather than earlier ones.
        """
        base = [*self._base, *map(self._linear.statement, formed)]
        choices = [self._linear.statement(term) for term in optional]
        self._say([*base, *self._linear.lemmas([*base, *choices])])
        marks = [self._mark(choice) for choice in choices]
        self._effort.spend(self._linear.work)
        self._linear.work = 0
        found = self._check(marks)
        self.is_refuted = found == z3.sat and self._linear.is_exact
        if found != z3.unsat:
            return None
        numbers = {mark.get_id(): number for number, mark in enumerate(marks)}
        core = sorted(numbers[mark.get_id()] for mark in self._solver.unsat_core())
        for number in reversed(core[:]):
            rest = [one for one in core if one != number]
            if self._check([marks[one] for one in rest]) == z3.unsat:
                core = rest
        return core

    def _check(self, marks: Sequence[Term]) -> Any:
        return self._effort.check(self._solver, self.most, *marks)

    def _mark(self, choice: Term) -> Term:
        """Return the Boolean variable that stands for the statement `choice` in assumptions: where it is
        true, the statement holds. Each statement has one variable, which is made at the first call.
        """
        key = choice.get_id()
        if key not in self._marks:
            self._marks[key] = z3.Bool(f"condition.{len(self._marks)}")
            self._solver.add(z3.Implies(self._marks[key], choice))
        return self._marks[key]


def proves_absent(fixed: Sequence[Term], optional: Sequence[Term], linear: Linear) -> list[int] | None:
    """Return the indices, in ascending order, of the ``optional`` statements that are needed so that they and
    the statements ``fixed`` cannot hold together, or None if that is not proved.
    """
    return AbsenceProof(fixed, linear, SolverEffort()).needed([], optional)


def example(statements: Sequence[Term], effort: SolverEffort) -> Any:
    """Return a z3 model of statements, or None if there is none, or if none was found with `SEARCH_EFFORT`
    and with the rest of `effort`.
    """
    solver = z3.Solver()
    solver.add(*statements)
    return solver.model() if effort.check(solver, SEARCH_EFFORT) == z3.sat else None
