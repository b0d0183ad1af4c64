// Special registers and barriers.
// RUN: tilewright-opt %s --mlir-print-op-generic | tilewright-opt --mlir-print-op-generic | FileCheck %s

// CHECK-LABEL: "func.func"() <{function_type = (i32) -> i32, sym_name = "registers"}> ({
// CHECK-NEXT:  ^bb0(%arg0: i32):
// CHECK-NEXT:  %0 = "nvvm.read.ptx.sreg.tid.x"() : () -> i32
// CHECK-NEXT:  "nvvm.barrier0"() : () -> ()
// CHECK-NEXT:  %1 = "nvvm.redux.sync"(%0, %arg0) <{abs = false, kind = #nvvm<redux_kind add>, nan = false}> : (i32, i32) -> i32
// CHECK-NEXT:  "func.return"(%1) : (i32) -> ()

func.func @registers(%n: i32) -> i32 {
  %0 = nvvm.read.ptx.sreg.tid.x : i32
  nvvm.barrier0
  %1 = nvvm.redux.sync add %0, %n : i32 -> i32
  return %1 : i32
}
