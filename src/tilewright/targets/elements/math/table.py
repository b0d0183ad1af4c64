"""The functions of the library by name; each file of formulas has its own table."""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.targets.elements.math import angle, exponential, logarithm, power, remainder, trigonometry
from tilewright.targets.elements.math.polynomial import MathFunction

FUNCTIONS: Mapping[str, MathFunction] = {
    **exponential.FUNCTIONS,
    **logarithm.FUNCTIONS,
    **trigonometry.FUNCTIONS,
    **power.FUNCTIONS,
    **remainder.FUNCTIONS,
    **angle.FUNCTIONS,
}
"""Functions of f32 and f64, by the names in calls."""
