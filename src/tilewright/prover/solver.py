"""The solver: z3, terms that are sums of products, and queries in linear arithmetic.

z3 proves statements about sums fast, and statements about products slowly or not at all. A proof replaces each product
by a variable, and adds what products need here: signs, and that a factor that grows makes the product grow. That is
sound, because it only forgets facts. A search for counterexamples keeps the products.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import gcd
from typing import Any

z3: Any = importlib.import_module("z3")
Term = Any
"""An integer or truth of z3."""
Monomial = tuple[int, ...]
PROOF_EFFORT, SEARCH_EFFORT = 400_000, 1_500_000
"""The limits of z3 for a query, in its own unit, so that results do not depend on the speed of a machine."""
_MOST_PRODUCTS = 14
"""The maximum number of products in a query between which growth is compared."""


def ceiling(a: Term, divisor: Term) -> Term:
    """Return the quotient of integers, rounded up, for a positive divisor."""
    return (a + divisor - 1) / divisor


def is_numeral(term: Term) -> bool:
    """Return whether a term is an integer constant, of Python or of z3."""
    return isinstance(term, int) or z3.is_int_value(term)


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

    def linear(self, term: Term) -> Term:
        """Return a term without products of variables: each is replaced with its variable in ``products``.
        The result says less than the term, until `lemmas` are added.
        """
        known = self._done.get(term.get_id())
        if known is None:
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
        """Return the number of the atom of a monomial by which its product is grouped: the first one in
        ``strides``, and otherwise the last one by name.
        """
        names = {atom: str(self._atoms[atom]) for atom in monomial}
        known = [atom for atom in monomial if names[atom] in self.strides]
        return max(known or monomial, key=lambda atom: (-self._rank(names[atom]), names[atom]))

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
        """Return a statement, simplified by z3, without products of variables."""
        known = self._statements.get(term.get_id())
        if known is None:
            known = term, self.linear(z3.simplify(term))
            self._statements[term.get_id()] = known
        return known[1]

    def lemmas(self, names: set[str]) -> list[Term]:
        """Return true statements about the products whose variables are in ``names``: their signs, and for
        the first `_MOST_PRODUCTS` of them, in pairs, how a product grows with its factors.
        """
        used = [key for key, one in self.products.items() if str(one[2]) in names]
        found = [fact for key in used for fact in self._signs(key)]
        return found + [fact for pair in combinations(used[:_MOST_PRODUCTS], 2) for fact in self._grown(pair)]

    def _signs(self, key: tuple[int, int]) -> list[Term]:
        if key not in self._lemmas:
            a, b, product = self.products[key]
            self._lemmas[key] = [
                z3.Implies(z3.And(a >= 0, b >= 0), product >= 0),
                z3.Implies(z3.And(a <= 0, b >= 0), product <= 0),
                z3.Implies(z3.And(a >= 1, b >= 0), product >= b),
                z3.Implies(z3.And(a >= 0, b >= 1), product >= a),
                z3.Implies(z3.And(a <= -1, b >= 0), product <= -b),
                z3.Implies(z3.And(a <= 0, b >= 1), product <= a),
                z3.Implies(a == 1, product == b),
                z3.Implies(b == 1, product == a),
            ]
        return self._lemmas[key]

    def _grown(self, pair: tuple[tuple[int, int], tuple[int, int]]) -> list[Term]:
        if pair not in self._lemmas:
            (a, b, one), (c, d, other) = (self.products[key] for key in pair)
            found: list[Term] = []
            for x, s, y, t in ((a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)):
                facts = [*_growth(x, y, s, one, other), *_growth(y, x, s, other, one)]
                if s.eq(t):
                    found += facts
                elif z3.is_const(s) and z3.is_const(t):
                    found += [z3.Implies(s == t, fact) for fact in facts]
            self._lemmas[pair] = found
        return self._lemmas[pair]


def _growth(x: Term, y: Term, s: Term, xs: Term, ys: Term) -> list[Term]:
    """Return true statements about the products ``xs`` = `x` * `s` and ``ys`` = `y` * `s`."""
    distance = z3.simplify(y - x)
    if is_numeral(distance):
        return [ys == xs + distance.as_long() * s]
    return [
        z3.Implies(z3.And(x <= y, s >= 0), xs <= ys),
        z3.Implies(z3.And(x < y, s >= 0), xs + s <= ys),
        z3.Implies(z3.And(x + y >= 0, s >= 0), xs + ys >= 0),
        z3.Implies(z3.And(x + y < 0, s >= 0), xs + ys <= -s),
    ]


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


def proves_absent(fixed: Sequence[Term], optional: Sequence[Term], linear: Linear) -> list[int] | None:
    """Return the indices of the ``optional`` statements that, with all statements of `fixed`, cannot hold
    together: a proof of a contradiction. The result is ascending, and empty if `fixed` alone is
    contradictory. Return None if no contradiction is proved within `PROOF_EFFORT`. None of the indices can be
    left out, and later statements are dropped before earlier ones.
    """
    base, choices = [linear.statement(term) for term in fixed], [linear.statement(term) for term in optional]
    solver = z3.SolverFor("QF_LIA")
    solver.set("rlimit", PROOF_EFFORT)
    solver.add(*base, *linear.lemmas(names_in([*base, *choices])))
    marks = [z3.Bool(f"condition.{number}") for number in range(len(choices))]
    for mark, choice in zip(marks, choices, strict=True):
        solver.add(z3.Implies(mark, choice))
    if solver.check(*marks) != z3.unsat:
        return None
    numbers = {mark.get_id(): number for number, mark in enumerate(marks)}
    core = sorted(numbers[mark.get_id()] for mark in solver.unsat_core())
    for number in reversed(core[:]):
        rest = [one for one in core if one != number]
        if solver.check(*[marks[one] for one in rest]) == z3.unsat:
            core = rest
    return core


def example(statements: Sequence[Term]) -> Any:
    """Return a model of z3 in which all statements hold, or None if there is none, or none was found within
    `SEARCH_EFFORT`.
    """
    solver = z3.Solver()
    solver.set("rlimit", SEARCH_EFFORT)
    solver.add(*statements)
    return solver.model() if solver.check() == z3.sat else None
