// Types of cutlass.
// RUN: tilewright-opt %s --allow-unregistered-dialect | tilewright-opt --allow-unregistered-dialect | FileCheck %s
// RUN: tilewright-opt %s --allow-unregistered-dialect --mlir-print-op-generic | tilewright-opt --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: %0:2 = "test.pipelines"() : () -> (!cutlass.pipeline<4, 1, 2>, !cutlass.pipeline_state<4>)
// CHECK-NEXT:  %1:2 = "test.barriers"() : () -> (!cutlass.seq_bar<2, 3>, !cutlass.seq_bar_state<2>)
// CHECK-NEXT:  %2:3 = "test.schedulers"() : () -> (!cutlass.tile_scheduler<static_persistent>, !cutlass.tile_scheduler_params<streamk>, !cutlass.work_tile_info<dp>)

"test.pipelines"() : () -> (!cutlass.pipeline<4, 1, 2>, !cutlass.pipeline_state<4>)
"test.barriers"() : () -> (!cutlass.seq_bar<2, 3>, !cutlass.seq_bar_state<2>)
"test.schedulers"() : () -> (!cutlass.tile_scheduler<static_persistent>, !cutlass.tile_scheduler_params<streamk>, !cutlass.work_tile_info<dp>)
