// A loop that asks where its counter is becomes two that need not.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(cuda_tile.module(cuda_tile.entry(loop-split)))' | FileCheck %s
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(cuda_tile.module(cuda_tile.entry(loop-split{split-threshold=0})))' | FileCheck %s --check-prefix=NEVER

// NEVER-LABEL: entry @below
// NEVER-COUNT-1: = for
// NEVER: if
// CHECK-LABEL: entry @below
// CHECK-SAME: %[[N:[a-z0-9]+]]: tile<i32>, %[[K:[a-z0-9]+]]: tile<i32>)
// CHECK: %[[END:.*]] = mini %[[K]], %[[N]] signed
// CHECK-NEXT: %[[START:.*]] = maxi %[[K]], %[[ZERO:.*]] signed
// CHECK-NEXT: %[[FIRST:.*]] = for %{{.*}} in (%[[ZERO]] to %[[END]], step %{{.*}})
// CHECK-NEXT: addi
// CHECK-NEXT: continue
// CHECK: for %{{.*}} in (%[[START]] to %[[N]], step %{{.*}}) : {{.*}} iter_values(%{{.*}} = %[[FIRST]])
// CHECK-NEXT: muli
// CHECK-NEXT: continue
cuda_tile.module @m {
  entry @below(%out: tile<ptr<i32>>, %n: tile<i32>, %k: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %one) -> (tile<i32>) {
      %c = cmpi less_than %i, %k, signed : tile<i32> -> tile<i1>
      %next = if %c -> (tile<i32>) {
        %s = addi %acc, %i : tile<i32>
        yield %s : tile<i32>
      } else {
        %p = muli %acc, %i : tile<i32>
        yield %p : tile<i32>
      }
      continue %next : tile<i32>
    }
    store_ptr_tko weak %out, %r : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
