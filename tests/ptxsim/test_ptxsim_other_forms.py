"""Every form outside of the arithmetic and matrix chapters is executed by a test, which this file has or names."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.ptxsim.definitions.kernels import ARITHMETIC
from tests.ptxsim.harness import run
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptx.table.instructions import FORMS, lookup
from tilewright.ptx.table.notation import InstructionForm
from tilewright.ptxsim.instructions.registry import rule_of

HERE = Path(__file__).parent
ELSEWHERE: dict[str, list[str]] = json.loads((HERE / "data" / "forms.json").read_text(encoding="utf-8"))
"""Forms by the tests that execute them, or that show how they are refused."""
MATRICES = frozenset({"mma", "wgmma", "wmma", "ldmatrix", "stmatrix", "movmatrix", "tcgen05"})
"""First words of instructions that have tests of their own."""
LANES = np.arange(64, dtype=np.uint32)
BARRIER = ".shared .b64 bar; @%p mbarrier.init.shared::cta.b64 [bar], {0}; bar.sync 0;"
SMALL = "setp.lt.u32 %q, %t, 5;"
AT = "ld.param.b64 %x, [in0]; mad.wide.u32 %x, %t, 4, %x;"
FIRST = "setp.eq.u32 %p, %t, 0;"
FLAG = "selp.b32 %r, 1, 0, %q;"
MASKED = """.shared .align 16 .b8 tile[256]; .reg .b64 %o; .reg .b16 %m; mov.b16 %m, 0x8421; mov.b32 %r, 0;
    mov.u32 %w0, tile; mad.lo.u32 %w0, %t, 4, %w0; st.shared.b32 [%w0], 0x01020304;
    fence.proxy.async.shared::cta; bar.sync 0;
    ld.param.b64 %o, [out]; @%p cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%o], [tile], 256, %m;
    @%p cp.async.bulk.commit_group; @%p cp.async.bulk.wait_group 0; bar.sync 0;
    ld.param.b64 %x, [out]; mad.wide.u32 %x, %t, 4, %x; ld.global.b32 %r, [%x];"""
STATE = ".reg .b64 %s;"

CASES: dict[str, tuple[str, Any]] = {
    "mov.v2.b32 {%w0, %r}, {%t, %a};": ("{0}", LANES),
    "ldu.global.v2.b32 {%w0, %r}, [%x];": (
        f"{AT} and.b32 %w1, %t, 62; ld.param.b64 %x, [in0]; mad.wide.u32 %x, %w1, 4, %x; {{0}}",
        LANES | 1,
    ),
    "prefetch.global.L2::evict_last [%x];": (f"{AT} {{0}} mov.b32 %r, 7;", 7),
    "prefetch.tensormap [%x];": (f"{AT} cvta.global.u64 %x, %x; {{0}} mov.b32 %r, 7;", 7),
    "pmevent.mask 5;": ("{0} mov.b32 %r, 7;", 7),
    "fence.acquire.sync_restrict::shared::cluster.cluster;": ("{0} mov.b32 %r, 7;", 7),
    "fence.release.sync_restrict::shared::cta.cluster;": ("{0} mov.b32 %r, 7;", 7),
    "bar.red.popc.u32 %r, 1, %q;": (SMALL + "{0}", 5),
    "bar.cta.red.popc.u32 %r, 1, 64, !%q;": (SMALL + "{0}", 59),
    "barrier.red.or.pred %q, 1, 64, %q;": (SMALL + "{0}" + FLAG, 1),
    "barrier.cta.red.and.pred %q, 1, %q;": (SMALL + "{0}" + FLAG, 0),
    "barrier.cta.red.aligned.and.pred %q, 15, 64, !%q;": ("setp.gt.u32 %q, %t, 64; {0}" + FLAG, 1),
    "barrier.cta.arrive.aligned 1, 64;": (
        "setp.lt.u32 %q, %t, 32; mov.b32 %r, 1; @%q bra first; {0} bra end;\nfirst: barrier.sync 1, 64;\nend:",
        1,
    ),
    "barrier.cta.sync.aligned 3, 64;": (
        ".shared .b32 w[64]; mov.u32 %w0, w; mad.lo.u32 %w1, %t, 4, %w0; st.shared.b32 [%w1], %t; {0}"
        "xor.b32 %w1, %t, 32; mad.lo.u32 %w1, %w1, 4, %w0; ld.shared.b32 %r, [%w1];",
        LANES ^ 32,
    ),
    "vote.all.pred %q, %q;": (SMALL + "{0}" + FLAG, 0),
    "vote.any.pred %q, %q;": (SMALL + "{0}" + FLAG, (LANES < 32) * 1),
    "vote.uni.pred %q, %q;": (SMALL + "{0}" + FLAG, (LANES >= 32) * 1),
    "redux.sync.and.b32 %r, %a, -1;": ("or.b32 %a, %a, 64; {0}", np.where(LANES < 32, 64, 96)),
    "redux.sync.or.b32 %r, %a, -1;": ("{0}", np.where(LANES < 32, 31, 63)),
    "redux.sync.xor.b32 %r, %a, 0xFFFFFFFF;": ("or.b32 %a, %a, 1; {0}", 0),
    "redux.sync.min.s32 %r, %a, -1;": (
        "sub.u32 %a, 3, %a; {0}",
        np.where(LANES < 32, 2**32 - 28, 2**32 - 60),
    ),
    "redux.sync.max.u32 %r, %a, -1;": ("sub.u32 %a, 3, %a; {0}", np.where(LANES < 32, 2**32 - 1, 2**32 - 29)),
    "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%o], [tile], 256, %m;": (
        FIRST + MASKED,
        np.tile(np.array([4, 3 << 8, 2 << 16, 1 << 24], np.uint32), 16),
    ),
    "mbarrier.inval.shared::cta.b64 [bar];": (
        FIRST
        + BARRIER.format(64)
        + "@%p {0} bar.sync 0; @%p mbarrier.init.shared::cta.b64 [bar], 1; bar.sync 0; mov.b32 %r, 7;",
        7,
    ),
    "mbarrier.arrive_drop.expect_tx.shared::cta.b64 _, [bar], 64;": (
        FIRST + BARRIER.format(2) + "@%p {0} @%p mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 64;"
        "@%p mbarrier.arrive.shared::cta.b64 _, [bar];\n"
        "one: mbarrier.try_wait.parity.shared::cta.b64 %q, [bar], 0; @!%q bra one; bar.sync 0;"
        "@%p mbarrier.arrive.shared::cta.b64 _, [bar];\n"
        "two: mbarrier.try_wait.parity.shared::cta.b64 %q, [bar], 1; @!%q bra two;" + FLAG,
        1,
    ),
    "mbarrier.arrive_drop.noComplete.shared::cta.b64 %s, [bar], 2;": (
        STATE + FIRST + BARRIER.format(3) + "mov.b32 %r, 3;"
        "@%p {0} @%p mbarrier.pending_count.b64 %r, %s; @%p mbarrier.arrive.shared::cta.b64 _, [bar];\n"
        "one: mbarrier.test_wait.parity.shared::cta.b64 %q, [bar], 0; @!%q bra one; bar.sync 0;"
        "@%p mbarrier.arrive.shared::cta.b64 _, [bar];\n"
        "two: mbarrier.test_wait.parity.shared::cta.b64 %q, [bar], 1; @!%q bra two;",
        3,
    ),
    "mbarrier.test_wait.parity.shared::cta.b64 %q, [bar], 1;": (FIRST + BARRIER.format(64) + "{0}" + FLAG, 1),
    "mbarrier.try_wait.shared::cta.b64 %q, [bar], %s, 100;": (
        STATE
        + FIRST
        + BARRIER.format(64)
        + "mbarrier.arrive.shared::cta.b64 %s, [bar];\nagain: {0} @!%q bra again;"
        + FLAG,
        1,
    ),
    "tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32 [map], 2;": (
        FIRST
        + ".shared .align 128 .b32 map[32]; mov.u32 %w0, map; and.b32 %w1, %t, 31; mad.lo.u32 %w0, %w1, 4, %w0;"
        "setp.lt.u32 %q, %t, 32; @%q st.shared.b32 [%w0], 0; bar.sync 0; @%p {0} bar.sync 0; ld.shared.b32 %r, [%w0];",
        np.where(LANES % 32 == 3, 2 << 24, 0),
    ),
}
"""An instruction, the lines round it, and the results of 64 threads."""
REFUSED = (
    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%x], [%x], 16, [%x];",
)
"""Instructions of which other forms are simulated."""


@pytest.mark.parametrize("spelling", CASES)
def test_results(spelling: str) -> None:
    body, expected = CASES[spelling]
    whole = body.replace("{0}", spelling)
    assert spelling in whole
    found = run(whole, "b32 -> b32", LANES.copy(), sm="sm_100a")
    assert found.tolist() == np.broadcast_to(np.asarray(expected, np.uint32), 64).tolist()


@pytest.mark.parametrize("spelling", REFUSED)
def test_forms_without_a_meaning_are_refused(spelling: str) -> None:
    with pytest.raises(DiagnosticError, match="is not simulated"):
        run(f"{spelling} mov.b32 %r, 7;", "b32 -> b32", LANES)


def _of(spelling: str) -> set[str]:
    """The forms that the words of an instruction may be."""
    return {form.syntax() for form, _ in lookup(tuple(spelling.rstrip(";").split()[0].split(".")))}


def _is_walked(form: InstructionForm) -> bool:
    return (
        form not in ARITHMETIC and form.name.split(".")[0] not in MATRICES and rule_of(form.name) is not None
    )


def test_every_form_has_a_test() -> None:
    tested = {one for forms in ELSEWHERE.values() for one in forms}.union(*map(_of, (*CASES, *REFUSED)))
    assert [form.syntax() for form in FORMS if _is_walked(form) and form.syntax() not in tested] == []


@pytest.mark.parametrize("test", ELSEWHERE)
def test_tests_that_are_named_are_there(test: str) -> None:
    file, _, function = test.partition("::")
    assert re.search(rf"^def {function}\(", (HERE / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert set(ELSEWHERE[test]) <= {form.syntax() for form in FORMS}
