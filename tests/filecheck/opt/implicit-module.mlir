// Everything but a single module is put into one, unless that is refused.
// RUN: tilewright-opt %s | FileCheck %s
// RUN: tilewright-opt %s --no-implicit-module | FileCheck %s --check-prefix=BARE
// RUN: echo module{}module{} > %t && not tilewright-opt %t --no-implicit-module 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: tilewright-opt %t | FileCheck %s --check-prefix=WRAPPED

// CHECK: module {
// CHECK-NEXT: func.func private @{{f|g}}()
// BARE-NOT: module
// BARE: func.func private
// TWO: error[TW0001]: expected a single operation at the top, got 2
// TWO: hint: put a module around them
// WRAPPED-COUNT-3: module {
func.func private @f() attributes {test.n = 1 : i8}
