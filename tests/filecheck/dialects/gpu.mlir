// A module of device code in generic form.
// RUN: tilewright-opt %s --mlir-print-op-generic | tilewright-opt --mlir-print-op-generic | FileCheck %s

// CHECK-LABEL: "gpu.func"() <{function_type = (index) -> ()}> ({
// CHECK-NEXT:  ^bb0(%arg0: index):
// CHECK-NEXT:  %0 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
// CHECK-NEXT:  "gpu.barrier"() : () -> ()
// CHECK-NEXT:  "gpu.return"() : () -> ()
// CHECK-NEXT:  }) {gpu.kernel, sym_name = "f"} : () -> ()

"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (index) -> (), gpu.kernel, sym_name = "f"}> ({
  ^bb0(%n: index):
    %0 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    "gpu.barrier"() : () -> ()
    "gpu.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
