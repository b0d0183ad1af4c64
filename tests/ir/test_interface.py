"""Interface maps: concepts by the capability they implement."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tilewright.ir.interfaces.interface import Interface, InterfaceMap


class Folding(Interface):
    def fold(self) -> int:
        raise NotImplementedError


class Inlining(Interface): ...


class Costing(Interface): ...


class FoldToOne(Folding):
    def fold(self) -> int:
        return 1


class FoldToTwo(FoldToOne):
    def fold(self) -> int:
        return 2


class InlineAlways(Inlining): ...


class FreeOfCost(Costing): ...


def test_a_concept_is_found_under_its_capability() -> None:
    concepts = InterfaceMap([FoldToOne()])
    found = concepts.lookup(Folding)
    assert found is not None
    assert found.fold() == 1
    assert Folding in concepts
    assert Inlining not in concepts
    assert concepts.lookup(Inlining) is None


def test_a_later_concept_replaces_an_earlier_one() -> None:
    concepts = InterfaceMap([FoldToOne(), FoldToTwo()])
    assert len(concepts) == 1
    found = concepts.lookup(Folding)
    assert isinstance(found, FoldToTwo)


def test_capabilities_have_one_id_each() -> None:
    assert FoldToTwo.type_id() is Folding.type_id()
    assert FoldToTwo.interface_class() is Folding
    assert Folding.type_id() is not Inlining.type_id()
    with pytest.raises(TypeError, match="names no capability"):
        Interface.type_id()


@given(st.permutations([FoldToOne, InlineAlways, FreeOfCost]))
def test_the_map_is_sorted_whatever_the_order(order: list[type[Interface]]) -> None:
    concepts = InterfaceMap(concept() for concept in order)
    numbers = [type(concept).type_id().number for concept in concepts]
    assert numbers == sorted(numbers)
    assert all(isinstance(concepts.lookup(kind.interface_class()), kind) for kind in order)


def test_a_frozen_map_refuses_more() -> None:
    concepts = InterfaceMap()
    concepts.freeze()
    with pytest.raises(ValueError, match="frozen"):
        concepts.insert(FoldToOne())
    assert len(concepts) == 0
