// Examples of the group "Tiles": one module per operation, in generic form.

// constant
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<1.500000e+00> : !cuda_tile.tile<2x4xf32>}> : () -> !cuda_tile.tile<2x4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// iota
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.iota"() : () -> !cuda_tile.tile<8xi32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// broadcast
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]> : !cuda_tile.tile<1x4xf32>}> : () -> !cuda_tile.tile<1x4xf32>
    %1 = "cuda_tile.broadcast"(%0) : (!cuda_tile.tile<1x4xf32>) -> !cuda_tile.tile<2x4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// reshape
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.iota"() : () -> !cuda_tile.tile<8xi32>
    %1 = "cuda_tile.reshape"(%0) : (!cuda_tile.tile<8xi32>) -> !cuda_tile.tile<2x4xi32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// permute
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<1.500000e+00> : !cuda_tile.tile<2x4xf32>}> : () -> !cuda_tile.tile<2x4xf32>
    %1 = "cuda_tile.permute"(%0) <{permutation = array<i32: 1, 0>}> : (!cuda_tile.tile<2x4xf32>) -> !cuda_tile.tile<4x2xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// cat
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<1.000000e+00> : !cuda_tile.tile<2x4xf32>}> : () -> !cuda_tile.tile<2x4xf32>
    %1 = "cuda_tile.constant"() <{value = dense<2.000000e+00> : !cuda_tile.tile<2x4xf32>}> : () -> !cuda_tile.tile<2x4xf32>
    %2 = "cuda_tile.cat"(%0, %1) <{dim = 1 : i64}> : (!cuda_tile.tile<2x4xf32>, !cuda_tile.tile<2x4xf32>) -> !cuda_tile.tile<2x8xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// extract
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<1.500000e+00> : !cuda_tile.tile<4x8xf32>}> : () -> !cuda_tile.tile<4x8xf32>
    %1 = "cuda_tile.constant"() <{value = dense<1> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %2 = "cuda_tile.constant"() <{value = dense<3> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %3 = "cuda_tile.extract"(%0, %1, %2) : (!cuda_tile.tile<4x8xf32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<2x2xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// insert
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<9.000000e+00> : !cuda_tile.tile<2x2xf32>}> : () -> !cuda_tile.tile<2x2xf32>
    %1 = "cuda_tile.constant"() <{value = dense<1.500000e+00> : !cuda_tile.tile<4x8xf32>}> : () -> !cuda_tile.tile<4x8xf32>
    %2 = "cuda_tile.constant"() <{value = dense<1> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %3 = "cuda_tile.constant"() <{value = dense<3> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %4 = "cuda_tile.insert"(%0, %1, %2, %3) : (!cuda_tile.tile<2x2xf32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<4x8xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// select
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[true, false, false, true]> : !cuda_tile.tile<4xi1>}> : () -> !cuda_tile.tile<4xi1>
    %1 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %2 = "cuda_tile.constant"() <{value = dense<[4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %3 = "cuda_tile.select"(%0, %1, %2) : (!cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// offset
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<f32>>):
    %0 = "cuda_tile.constant"() <{value = dense<16> : !cuda_tile.tile<i64>}> : () -> !cuda_tile.tile<i64>
    %1 = "cuda_tile.offset"(%arg0, %0) : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i64>) -> !cuda_tile.tile<ptr<f32>>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
