"""Kernels written in LLVM IR by hand, so that the runtime is tested without the compiler."""

from __future__ import annotations

from functools import cache

from tilewright.ir.location import FileLineColLocation
from tilewright.runtime.context import ReportSite
from tilewright.runtime.description import KernelImage, Parameter
from tilewright.runtime.image import Image
from tilewright.runtime.kernel import LoadedImage, LoadedKernel
from tilewright.targets.cpu.machine.compile import object_code
from tilewright.targets.cpu.machine.host import host

SIGNATURE = "(ptr %arguments, ptr %grid, ptr %counter, i64 %count, ptr %scratch)"

LOOP = """
define void @{name}(ptr %arguments, ptr %grid, ptr %counter, i64 %count, ptr %scratch) {{
entry:
  %all = and i64 %count, 2305843009213693951
  br label %next
next:
  %block = atomicrmw add ptr %counter, i64 1 monotonic
  %more = icmp ult i64 %block, %all
  br i1 %more, label %body, label %done
body:
{body}
  br label %next
done:
  ret void
}}
"""
"""A kernel: ``body`` is run for each tile block, whose number is ``%block``."""

SQUARE = """
  %out = load ptr, ptr %arguments
  %place = getelementptr i64, ptr %out, i64 %block
  %square = mul i64 %block, %block
  %old = load i64, ptr %place
  %new = add i64 %old, %square
  store i64 %new, ptr %place
"""
"""``out[block] += block * block``."""

PROBE = """
  %out = load ptr, ptr %arguments
  %slot = getelementptr i64, ptr %out, i64 %block
  %source = getelementptr i64, ptr %arguments, i64 1
  %raw = load i64, ptr %source
  store i64 %raw, ptr %slot
"""
"""``out[block]`` becomes the eight bytes of the second argument."""

SCRATCH = """
  %out = load ptr, ptr %arguments
  %last = getelementptr i8, ptr %scratch, i64 99999
  store i8 7, ptr %last
  %address = ptrtoint ptr %scratch to i64
  %odd = and i64 %address, 63
  %place = getelementptr i64, ptr %out, i64 %block
  store i64 %odd, ptr %place
"""
"""``out[block]`` becomes how far scratch memory is from the beginning of a cache line."""

EXP = """
  %out = load ptr, ptr %arguments
  %x = load double, ptr %out
  %y = call double @exp(double %x)
  store double %y, ptr %out
"""

FAIL = """
  %is = icmp eq i64 %block, 5
  br i1 %is, label %fail, label %next
fail:
  %report = getelementptr i8, ptr %counter, i64 64
  %who = getelementptr i8, ptr %counter, i64 72
  store i64 %block, ptr %who
  store i64 1, ptr %report
  store atomic i64 4611686018427387904, ptr %counter monotonic, align 8
"""
"""Tile block 5 reports site 0 and stops the launch."""

PRINT = """
  store i32 -3, ptr %scratch
  %second = getelementptr i8, ptr %scratch, i64 64
  store <2 x float> <float 1.5, float 2.0>, ptr %second
  %held = getelementptr i8, ptr %counter, i64 80
  %callback = load ptr, ptr %held
  call void %callback(ptr %counter, i64 0, i64 %block, ptr %scratch)
"""
"""Prints an i32 and a tile of two f32."""

PLACE = FileLineColLocation.at("kernel.py", 12, 3)
POINTER, WORD = Parameter("i64", is_pointer=True), Parameter("i64")


@cache
def library() -> LoadedImage:
    """All kernels of this file, loaded."""
    bodies = {
        "square": SQUARE,
        "probe": PROBE,
        "scratch": SCRATCH,
        "exp_": EXP,
        "fail": FAIL,
        "print_": PRINT,
    }
    text = "declare double @exp(double)\n" + "".join(
        LOOP.format(name=name, body=body) for name, body in bodies.items()
    )
    rows = [
        KernelImage("square", "square", (POINTER,), 0),
        KernelImage("scratch", "scratch", (POINTER,), 100_000),
        KernelImage("exp", "exp_", (Parameter("f64", is_pointer=True),), 0),
        KernelImage("fail", "fail", (), 0, (ReportSite("assert", "must hold", PLACE),)),
        KernelImage(
            "print", "print_", (), 128, (ReportSite("print", "%d %.1f\n", PLACE, ("i32", "f32"), ((), (2,))),)
        ),
    ]
    rows += [KernelImage(f"probe {name}", "probe", (POINTER, Parameter(name)), 0) for name in SCALARS]
    image = Image(object_code(text, host()), tuple(rows))
    assert Image.from_bytes(image.to_bytes()) == image
    return LoadedImage(image)


SCALARS = ("i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "tf32", "f8E4M3FN", "f8E5M2")


def kernel(name: str) -> LoadedKernel:
    return library().kernels[name]
