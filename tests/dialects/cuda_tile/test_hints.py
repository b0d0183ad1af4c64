"""Optimization hints: in silence by default, with warnings on request."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.dialects.cuda_tile.scratch import Scratch
from tests.dialects.cuda_tile.test_verifier_control import kernel, module
from tests.dialects.cuda_tile.test_verifier_memory import pointer_access
from tests.dialects.cuda_tile.test_verifier_views import access
from tests.dialects.cuda_tile.views import view
from tilewright.dialects.cuda_tile.attributes import OptimizationHintsAttr
from tilewright.dialects.cuda_tile.rules.hints import check_hints
from tilewright.ir.builtin_attributes import DictionaryAttr, StringAttr, boolean, integer32
from tilewright.ir.diagnostic import Severity

Value = int | bool | str


def hints(**targets: Mapping[str, Value]) -> OptimizationHintsAttr:
    """Hints from plain values."""

    def spell(value: Value) -> StringAttr | object:
        if isinstance(value, str):
            return StringAttr(value)
        return boolean(value) if isinstance(value, bool) else integer32(value)

    entries = {t: DictionaryAttr(tuple((k, spell(v)) for k, v in d.items())) for t, d in targets.items()}
    return OptimizationHintsAttr(DictionaryAttr(tuple(entries.items())))


def build(op: str, given: OptimizationHintsAttr) -> Scratch:
    """One operation with hints."""
    scratch = Scratch()
    if op == "entry":
        module(kernel(optimization_hints=given))(scratch)
    elif op == "load_ptr_tko":
        scratch.op(op, **pointer_access("load", optimization_hints=given))
    else:
        scratch.op(op, **access(op, view(), optimization_hints=given))
    return scratch


CTA, WARPS = "num_cta_in_cga", "num_worker_warps_per_cta"
WRONG: dict[str, tuple[str, OptimizationHintsAttr, list[str]]] = {
    "target": ("entry", hints(sm_91={CTA: 1}), ["unknown hint key sm_91"]),
    "not-here": ("entry", hints(sm_90={"latency": 1}), ["latency is not known hint for current Operation"]),
    "tma-by-pointer": (
        "load_ptr_tko",
        hints(sm_90={"allow_tma": True}),
        ["allow_tma is not known hint for current Operation"],
    ),
    "cta-power": ("entry", hints(sm_90={CTA: 3}), [f"expected power-of-two \u2264 16 for sm_90.{CTA}"]),
    "cta-large": ("entry", hints(default={CTA: 32}), [f"expected power-of-two \u2264 16 for default.{CTA}"]),
    "cta-old": ("entry", hints(sm_86={CTA: 2}), [f"expected 1 for sm_86.{CTA}"]),
    "cta-string": ("entry", hints(sm_86={CTA: "2"}), [f"integer value expected for sm_86.{CTA}"]),
    "warps": ("entry", hints(sm_90={WARPS: 64}), [f"expected power-of-two \u2264 32 for sm_90.{WARPS}"]),
    "occupancy": (
        "entry",
        hints(sm_90={"occupancy": 33}),
        ["integer value in the range [1, 32] is expected for sm_90.occupancy"],
    ),
    "latency": (
        "load_view_tko",
        hints(sm_90={"latency": 11}),
        ["integer value in the range [1, 10] is expected for sm_90.latency"],
    ),
    "tma": ("store_view_tko", hints(sm_90={"allow_tma": 1}), ["boolean value expected for sm_90.allow_tma"]),
    "several": (
        "entry",
        hints(sm_91={}, sm_90={"occupancy": 0, CTA: 0}),
        [
            f"expected power-of-two \u2264 16 for sm_90.{CTA}",
            "integer value in the range [1, 32] is expected for sm_90.occupancy",
            "unknown hint key sm_91",
        ],
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_hints_warn_on_request_only(name: str) -> None:
    op, given, expected = WRONG[name]
    scratch = build(op, given)
    assert scratch.verify() == []
    found = check_hints(scratch.root)
    assert [diagnostic.message for diagnostic in found] == expected
    assert {diagnostic.severity for diagnostic in found} == {Severity.WARNING}
    assert all(diagnostic.location is scratch.last(op).location for diagnostic in found)


@pytest.mark.parametrize(
    ("op", "given"),
    [
        (
            "entry",
            hints(sm_90={CTA: 16, WARPS: 32, "occupancy": 32}, sm_80={CTA: 1}, default={"occupancy": 1}),
        ),
        ("load_ptr_tko", hints(sm_121={"latency": 10})),
        ("load_view_tko", hints(sm_100={"latency": 1, "allow_tma": False})),
        ("store_view_tko", hints()),
    ],
)
def test_right_hints(op: str, given: OptimizationHintsAttr) -> None:
    scratch = build(op, given)
    assert scratch.verify() == []
    assert check_hints(scratch.root) == []
