"""PTX of several producers goes through and back unchanged in meaning.

Two texts are written by hand in the manner of Triton and of nvcc.  LLVM makes more in this process, and nvcc where it is
installed.  An assembler, where one is installed, makes the same machine code of a text and of what is printed for it.
"""

from __future__ import annotations

import functools
import subprocess
from pathlib import Path

import pytest

from tilewright.ptx.checks import read
from tilewright.ptx.parser import parse
from tilewright.ptx.printer import print_module
from tilewright.targets.nvptx.assemble.assembling import assemble
from tilewright.targets.nvptx.tools import programs

DATA = Path(__file__).parent / "data"
ARCHITECTURES = {
    "sm_75": "+ptx64",
    "sm_80": "+ptx70",
    "sm_90a": "+ptx80",
    "sm_100a": "+ptx86",
    "sm_120a": "+ptx87",
}

LLVM_IR = """
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [256 x float] poison, align 16
@weights = addrspace(4) constant [4 x float] [float 1.0, float 2.0, float 3.0, float 4.0]
@names = addrspace(1) global [2 x ptr addrspace(4)] [ptr addrspace(4) @weights, ptr addrspace(4) @weights]
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.ctpop.i32(i32)
declare i64 @llvm.bitreverse.i64(i64)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare float @llvm.sqrt.f32(float)
declare double @llvm.fma.f64(double, double, double)
declare i32 @helper(i32, ptr)

define ptx_kernel void @sums(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ %tid, %entry ], [ %next, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %at = getelementptr <4 x float>, ptr addrspace(1) %in, i32 %i
  %v = load <4 x float>, ptr addrspace(1) %at, align 16
  %more = fadd <4 x float> %sum, %v
  %next = add i32 %i, 32
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  %x = extractelement <4 x float> %more, i32 2
  %root = call float @llvm.sqrt.f32(float %x)
  %slot = getelementptr float, ptr addrspace(3) @tile, i32 %tid
  store float %root, ptr addrspace(3) %slot
  call void @llvm.nvvm.barrier0()
  %y = load float, ptr addrspace(3) %slot
  %bits = bitcast float %y to i32
  %other = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %bits, i32 16, i32 31)
  store i32 %other, ptr addrspace(1) %out
  ret void
}

define i64 @bits(i32 %a, i64 %b, i16 %c, i8 %d, i128 %e) {
  %p = call i32 @llvm.ctpop.i32(i32 %a)
  %f = call i32 @llvm.fshl.i32(i32 %a, i32 %p, i32 7)
  %r = call i64 @llvm.bitreverse.i64(i64 %b)
  %w = zext i32 %f to i64
  %x = sext i16 %c to i64
  %y = sext i8 %d to i64
  %t = trunc i128 %e to i64
  %h = lshr i128 %e, 65
  %u = trunc i128 %h to i64
  %m = mul i64 %r, %w
  %q = sdiv i64 %m, %x
  %s = urem i64 %q, %y
  %z = xor i64 %s, %t
  %k = select i1 true, i64 %z, i64 %u
  ret i64 %k
}

define ptx_kernel void @paths(i32 %which, ptr %p, double %d, half %h) {
entry:
  %stack = alloca [8 x double], align 8
  switch i32 %which, label %rest [ i32 0, label %zero
                                   i32 1, label %one
                                   i32 2, label %two
                                   i32 3, label %three ]
zero:
  %old = atomicrmw add ptr %p, i32 1 monotonic
  br label %rest
one:
  %pair = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst
  br label %rest
two:
  %fused = call double @llvm.fma.f64(double %d, double %d, double 0x3FF8000000000000)
  %slot = getelementptr double, ptr %stack, i32 %which
  store double %fused, ptr %slot
  %answer = call i32 @helper(i32 %which, ptr %slot)
  store i32 %answer, ptr %p
  br label %rest
three:
  %wide = fpext half %h to float
  %less = fcmp olt float %wide, 2.0
  %number = fptosi float %wide to i32
  %chosen = select i1 %less, i32 %number, i32 -1
  store volatile i32 %chosen, ptr %p
  br label %rest
rest:
  fence seq_cst
  ret void
}
"""

CUDA = """
__device__ __noinline__ double slow(double x, int k) {
  double parts[8];
  for (int i = 0; i < 8; ++i) parts[i] = x / (i + k);
  return parts[k & 7];
}
__constant__ int table[4] = {1, 2, 3, 4};
extern "C" __global__ void mixed(const float* in, double* out, int n) {
  __shared__ float part[32];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += in[i] * table[i & 3];
  for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(~0u, sum, d);
  part[threadIdx.x >> 5] = sum;
  __syncthreads();
  switch (n) {
    case 0: out[0] = part[1]; break;
    case 1: out[1] = slow(sum, n); break;
    case 2: atomicAdd((float*)out, sum); break;
    case 3: out[3] = __ballot_sync(~0u, n & 1); break;
    case 4: out[4] = clock64(); break;
    default: out[5] = sqrt((double)sum);
  }
}
"""


@functools.cache
def by_llvm(architecture: str) -> str:
    binding = pytest.importorskip("llvmlite.binding")
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    target = binding.Target.from_triple("nvptx64-nvidia-cuda")
    machine = target.create_target_machine(cpu=architecture, features=ARCHITECTURES[architecture], opt=2)
    return str(machine.emit_assembly(binding.parse_assembly(LLVM_IR, binding.create_context())))


def by_nvcc(folder: Path) -> str:
    found = programs("nvcc")
    if not found:
        pytest.skip("nvcc is not installed")
    (folder / "mixed.cu").write_text(CUDA, encoding="utf-8")
    command = [str(found[0].path), "-ptx", "-arch=sm_90", "-lineinfo", "mixed.cu", "-o", "mixed.ptx"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    if done.returncode:
        pytest.skip(f"nvcc cannot compile here: {done.stderr.strip()[:200]}")
    return (folder / "mixed.ptx").read_text(encoding="utf-8")


def goes_through(text: str) -> str:
    """What is printed for a text, which means the same and is printed alike again."""
    module = read(text)
    printed = print_module(module)
    assert parse(printed) == module
    assert print_module(read(printed)) == printed
    return printed


@pytest.mark.parametrize("name", ["triton_style", "nvcc_style", "every_statement"])
def test_texts_by_hand(name: str) -> None:
    goes_through((DATA / f"{name}.ptx").read_text(encoding="utf-8"))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_texts_of_llvm(architecture: str) -> None:
    goes_through(by_llvm(architecture))


def test_text_of_nvcc(tmp_path: Path) -> None:
    goes_through(by_nvcc(tmp_path))


@pytest.mark.parametrize("name", ["triton_style", "nvcc_style", "llvm"])
def test_the_machine_code_is_the_same(name: str) -> None:
    if not programs("ptxas"):
        pytest.skip("ptxas is not installed")
    text = (
        by_llvm("sm_90a").replace("helper", "vprintf")
        if name == "llvm"
        else (DATA / f"{name}.ptx").read_text()
    )
    text = "\n".join(
        line for line in text.splitlines() if not line.lstrip().startswith((".loc\t", ".file\t"))
    )
    text = text.partition("\t.section")[0]  # what debuggers read names places of the text
    assert assemble(text).cubin == assemble(goes_through(text)).cubin
