// Private symbols without references go away.
// RUN: tilewright-opt %s --symbol-dce --mlir-pass-statistics 2>%t | FileCheck %s
// RUN: cat %t | FileCheck %s --check-prefix=STATISTICS

// STATISTICS: symbol-dce
// STATISTICS-NEXT: (S) 2 num-dce'd

// CHECK: func.func private @used()
// CHECK-NOT: @first
// CHECK-NOT: @second
// CHECK: func.func @visible()
func.func private @used()
func.func private @first() {
  call @second() : () -> ()
  return
}
func.func private @second() {
  call @first() : () -> ()
  return
}
func.func @visible() {
  call @used() : () -> ()
  return
}
