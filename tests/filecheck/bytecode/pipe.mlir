// Bytecode goes through a pipe and comes back as the text it was made of.
// RUN: tilewright translate %s --mlir-to-cudatilebc | tilewright translate - --cudatilebc-to-mlir | FileCheck %s

// CHECK: entry @k
"cuda_tile.module"() <{sym_name = "m"}> ({
  "cuda_tile.entry"() <{sym_name = "k", function_type = (!cuda_tile.tile<i32>) -> ()}> ({
  ^bb0(%x: !cuda_tile.tile<i32>):
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
