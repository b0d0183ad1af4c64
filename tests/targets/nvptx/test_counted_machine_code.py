"""Loops that real assemblers make: functions that they call and loops of other warps are counted."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")
pytest.importorskip("elftools")

from tilewright.inspect.sass.figures import CodeFigures, code_figures
from tilewright.targets.nvptx.assemble.assembling import assemble
from tilewright.targets.nvptx.disassemble import disassemble
from tilewright.targets.nvptx.tools import programs

pytestmark = pytest.mark.skipif(
    not (programs("ptxas") and programs("nvdisasm")), reason="ptxas or nvdisasm is not installed"
)
CALLS, POWERS = 8, 40
POWER = "ex2.approx.f32 %f2, %f1;\n  fma.rn.f32 %f1, %f2, %f1, %f2;\n  "
CALL = """{ .param .b32 a; .param .b32 b;
  st.param.f32 [a], %f1;
  call.uni (b), power, (a);
  ld.param.f32 %f1, [b]; }
  """
CALLING = f"""
.version 8.0
.target sm_90
.address_size 64
.func (.param .b32 out) power (.param .b32 in)
{{ .reg .f32 %f<3>;
  ld.param.f32 %f1, [in];
  {POWER * POWERS}
  st.param.f32 [out], %f1;
  ret; }}
.visible .entry k(.param .u64 place, .param .u32 count)
{{ .reg .pred %p<2>; .reg .b32 %r<2>; .reg .f32 %f<3>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [place];
  ld.param.u32 %r1, [count];
  mov.f32 %f1, 0f3F800000;
again:
  {CALL * CALLS}
  sub.s32 %r1, %r1, 1;
  setp.ne.s32 %p1, %r1, 0;
  @%p1 bra again;
  st.global.f32 [%rd1], %f1;
  ret; }}
"""
WAIT = """
{name}:
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [{barrier}], %r3;
  @!%p2 bra {name};"""
SHARING = f"""
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 source, .param .u64 place, .param .u32 count)
{{ .reg .pred %p<4>; .reg .b32 %r<20>; .reg .f32 %f<5>; .reg .b64 %rd<4>;
  .shared .align 16 .b64 full; .shared .align 16 .b64 empty; .shared .align 128 .b8 buffer[1024];
  ld.param.u64 %rd1, [source];
  ld.param.u64 %rd2, [place];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, 0;
  mov.f32 %f1, 0f00000000; mov.f32 %f2, %f1; mov.f32 %f3, %f1; mov.f32 %f4, %f1;
  setp.lt.u32 %p1, %r2, 32;
  @!%p1 bra multiply;
copy:{WAIT.format(name="until_empty", barrier="empty")}
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 1024;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [buffer], [%rd1], 1024, [full];
  add.s64 %rd1, %rd1, 1024;
  xor.b32 %r3, %r3, 1;
  sub.s32 %r1, %r1, 1;
  setp.ne.s32 %p3, %r1, 0;
  @%p3 bra copy;
  ret;
multiply:{WAIT.format(name="until_full", barrier="full")}
  shl.b32 %r4, %r2, 4;
  and.b32 %r4, %r4, 511;
  mov.u32 %r5, buffer;
  add.s32 %r5, %r5, %r4;
  ld.shared.v4.b32 {{%r6, %r7, %r8, %r9}}, [%r5];
  ld.shared.v2.b32 {{%r10, %r11}}, [%r5+512];
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
    {{%f1, %f2, %f3, %f4}}, {{%r6, %r7, %r8, %r9}}, {{%r10, %r11}}, {{%f1, %f2, %f3, %f4}};
  mbarrier.arrive.shared::cta.b64 _, [empty];
  xor.b32 %r3, %r3, 1;
  sub.s32 %r1, %r1, 1;
  setp.ne.s32 %p3, %r1, 0;
  @%p3 bra multiply;
  st.global.v4.f32 [%rd2], {{%f1, %f2, %f3, %f4}};
  ret; }}
"""


def figures(text: str) -> CodeFigures:
    listing = disassemble(assemble(text, "sm_90", assembler=programs("ptxas")[0].path).cubin)
    assert listing.unread == ()
    codes = {code.name: code for code in listing.codes}
    return code_figures(codes["k"], listing.codes)


def test_a_function_that_a_loop_calls_is_counted() -> None:
    hot = figures(CALLING).hot
    assert hot is not None
    assert hot.calls == CALLS
    assert hot.mix.opcodes["MUFU"] == CALLS * POWERS
    assert hot.cycles is not None
    assert hot.cycles.issue >= CALLS * POWERS


def test_the_loop_of_warps_that_copy_is_counted() -> None:
    found = figures(SHARING)
    assert found.hot is not None
    assert "HMMA" in found.hot.mix.opcodes
    (agent,) = found.agents
    assert "UBLKCP" in agent.mix.opcodes
    assert "HMMA" not in agent.mix.opcodes
