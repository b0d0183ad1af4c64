"""The Bessel functions of any order of NVIDIA's library, compiled for the CPU, against exact values.

The exact values have 20 digits and were computed by mpmath with 50, for the argument that the number in the table is in f64.
Orders are mixed within a tile, so that elements need different numbers of steps.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.lowering.triton_to_cuda_tile.library_calls import ARRAYS, SUFFIX, applied, error
from tests.lowering.triton_to_cuda_tile.test_triton_kernels import converted, kernel
from tilewright.driver.launch import launch

pytest.importorskip("llvmlite")

INFINITY, NAN = math.inf, math.nan
ONE_NUMBER = """    %x = tt.load %p : !tt.ptr<f64>
    %y = tt.extern_elementwise %k, %x {libname = "", libpath = "", pure = true, symbol = "__nv_jn"} : (i32, f64) -> f64
    tt.store %p, %y : !tt.ptr<f64>"""
MOST = 2**31 - 1
SPECIAL: dict[str, dict[tuple[int, float], float]] = {
    "jn": {
        (-1, 1.0): NAN,
        (0, 0.0): 1,
        (1, -0.0): -0.0,
        (2, -0.0): 0.0,
        (5, 0.0): 0.0,
        (3, -0.0): -0.0,
        (2, INFINITY): 0.0,
        (MOST, INFINITY): 0.0,
        (MOST, 1.0): 0.0,
        (MOST, 1e8): 0.0,
        (2, NAN): NAN,
        (MOST, NAN): NAN,
        (2, 1e-300): 0.0,
    },
    "yn": {
        (-1, 1.0): NAN,
        (0, 0.0): -INFINITY,
        (1, -0.0): -INFINITY,
        (2, 0.0): -INFINITY,
        (3, -0.0): -INFINITY,
        (2, -1.0): NAN,
        (7, -INFINITY): NAN,
        (2, INFINITY): 0.0,
        (MOST, INFINITY): 0.0,
        (MOST, 1.0): -INFINITY,
        (MOST, 1e8): -INFINITY,
        (2, NAN): NAN,
        (400, 0.5): -INFINITY,
    },
}
"""Results that are exact."""


DISTANCES = {"f32": 2.0**-24, "f64": 4e-16}
"""Up to the order of the argument; orders beyond it have no zeros, so that only units in the last place count."""


def results(name: str, kind: str, pairs: list[tuple[int, float]]) -> Any:
    """Of a function of an order and a number."""
    orders, arguments = zip(*pairs, strict=True)
    return applied(name + SUFFIX[kind], kind, ["i32", kind], orders, arguments)


@np.errstate(over="ignore", under="ignore")
@pytest.mark.parametrize("kind", SUFFIX)
@pytest.mark.parametrize("name", SPECIAL)
def test_results_are_near_the_exact_ones(name: str, kind: str) -> None:
    """Digits of f64 are lost with the number of steps."""
    exact = {
        pair: Fraction(value)
        for pair, value in EXACT[name].items()
        if float(ARRAYS[kind](pair[1])) == pair[1]
    }
    for (pair, wanted), found in zip(exact.items(), results(name, kind, list(exact)), strict=True):
        order, x = pair
        ulps = 2 if kind == "f32" else 8 + order / 4
        distance = Fraction(DISTANCES[kind] if order <= abs(x) else 0)
        assert error(found, wanted) <= ulps or abs(Fraction(float(found)) - wanted) <= distance, pair


@pytest.mark.parametrize("kind", SUFFIX)
@pytest.mark.parametrize("name", SPECIAL)
def test_special_arguments_have_exact_results(name: str, kind: str) -> None:
    exact = SPECIAL[name]
    found = dict(zip(exact, map(str, results(name, kind, list(exact)).tolist()), strict=True))
    assert found == {pair: str(float(value)) for pair, value in exact.items()}


def test_one_number_alone() -> None:
    x = np.array([2.0])
    launch(converted(kernel(ONE_NUMBER, "%k: i32, %p: !tt.ptr<f64>")), "k", 1, [3, x], target="cpu")
    assert abs(x[0] - 0.12894324947440205) < 1e-16


EXACT: dict[str, dict[tuple[int, float], str]] = {
    "jn": {
        (0, 1.5): "0.51182767173591812875",
        (0, 40.0): "0.0073668905842372895535",
        (1, 0.25): "0.12402597732272692273",
        (1, 33.5): "0.13320936573052397535",
        (2, -40.0): "-0.0010649746823580395933",
        (2, 1e-30): "1.2500000000000002083e-61",
        (2, 9.999999747378752e-06): "1.249999936834272041e-11",
        (2, 0.5): "0.030604023458682641307",
        (2, 1.75): "0.29400312425941209022",
        (2, 2.0): "0.35283402861563771915",
        (2, 5.135622301840683): "-8.3391627357639888047e-17",
        (2, 5.135622501373291): "-6.7774988941122034623e-8",
        (2, 7.875): "-0.14520062949282327164",
        (2, 100.0): "-0.021528757344505365585",
        (3, -4.5): "-0.42470397297745560025",
        (3, 0.699999988079071): "0.0069296544799898143244",
        (3, 3.25): "0.35104295646664990849",
        (4, 1000000.0): "0.00033104882147878318392",
        (5, 5.0): "0.26114054612017009005",
        (5, 15.70017407971167): "7.1788205842846295155e-17",
        (5, 15.700174331665039): "-4.9420413222326186781e-8",
        (6, -9.25): "0.15387879102003221439",
        (7, -2.0): "-0.00017494407486827416851",
        (7, 1234.5): "-0.017950645671818060828",
        (9, 8.5): "0.16942739560151048145",
        (10, 18.43346366696658): "-2.4091255664863511078e-16",
        (10, 18.43346405029297): "6.5363226141041629543e-8",
        (12, 0.125): "7.4146856828398507677e-24",
        (20, 19.899999618530273): "0.15932548047494133634",
        (20, 20.5): "0.1911102343850918639",
        (33, 10.0): "6.3758926566612502423e-15",
        (50, 64.0): "0.084532253199778497755",
        (64, 63.70000076293945): "0.10421977477637016214",
        (100, 25.0): "1.1064482655301666468e-49",
        (100, 300.0): "-0.014491227064785698861",
        (120, 119.5): "0.082329626003477833904",
        (150, 10.0): "1.0391182286617033373e-158",
        (500, 450.0): "4.3937153374586971478e-9",
        (1000, 1100.0): "-0.032631556608876544189",
        (1090, 900.0): "6.7000805166057728947e-38",
    },
    "yn": {
        (0, 1.5): "0.38244892379775884396",
        (0, 40.0): "0.12593641705826092925",
        (1, 0.25): "-2.7041052293152824441",
        (1, 33.5): "-0.035569438279097652608",
        (2, 1e-30): "-1.2732395447351624739e+60",
        (2, 9.999999747378752e-06): "-12732396090.96468764",
        (2, 0.5): "-5.4413708371742657196",
        (2, 1.75): "-0.75574746972832967767",
        (2, 2.0): "-0.61740810419068266648",
        (2, 3.3842417671495935): "-4.8417457052120807982e-18",
        (2, 3.384241819381714): "2.0851376321625915327e-8",
        (2, 7.875): "-0.24950322260107896541",
        (2, 100.0): "0.076836867125027956388",
        (3, 0.699999988079071): "-15.819479825728464112",
        (3, 3.25): "-0.44695008567102089744",
        (4, 1000000.0): "-0.00072596587397074214363",
        (5, 5.0): "-0.45369482249110188076",
        (5, 14.033803939819336): "-3.4012865340197107432e-8",
        (5, 14.033804104911232): "-1.7919629756047611149e-16",
        (7, 1234.5): "-0.013909455301936892805",
        (9, 8.5): "-0.46362242778212239408",
        (10, 16.52228355407715): "1.4753817398830484096e-7",
        (10, 16.522284394784425): "2.8545147138161432199e-16",
        (12, 0.125): "-3.5776665777173009751e+21",
        (20, 19.899999618530273): "-0.29546297469062490579",
        (20, 20.5): "-0.23585242413662188727",
        (33, 10.0): "-1587581567912.1094867",
        (50, 64.0): "-0.093608105527431170429",
        (64, 63.70000076293945): "-0.20728391414072941972",
        (100, 25.0): "-2.971221643256301784e+46",
        (100, 300.0): "0.045175089370923205711",
        (120, 119.5): "-0.17192211815750426765",
        (500, 450.0): "-332502.99597559041295",
        (1000, 1100.0): "0.018007825323052861898",
        (1090, 900.0): "-7.7262951230057698831e+33",
    },
}
