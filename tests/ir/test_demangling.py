"""Names of C++ functions as programs write them."""

from __future__ import annotations

import pytest

from tilewright.ir.support.demangling import matching, source_name

pytest.importorskip("cxxfilt")

FLOATS, HALVES = "_Z5scaleIfLi256EEvPKT_PS0_S0_i", "_Z5scaleI6__halfLi1024EEvPKT_PS1_S1_i"


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        (FLOATS, "scale<float, 256>"),
        (HALVES, "scale<__half, 1024>"),
        ("_ZN2ns3addEPfi", "ns::add"),
        ("_Z1kIN2ns1SILb1EEELj3EEvDpT_", "k<ns::S<true>, 3>"),
        ("_ZN12_GLOBAL__N_14testEPi", "(anonymous namespace)::test"),
        ("_ZN4cuda5tiles3__13bidEv", "cuda::tiles::bid"),
        ("plain", "plain"),
        ("_Zbroken", "_Zbroken"),
    ],
)
def test_source_names(symbol: str, name: str) -> None:
    assert source_name(symbol) == name


def test_a_name_without_arguments_stands_for_each_instance() -> None:
    assert matching("scale", [FLOATS, HALVES, "other"]) == [FLOATS, HALVES]
    assert matching("scale<float,256>", [FLOATS, HALVES]) == [FLOATS]
    assert matching("scal", [FLOATS]) == []
