// Examples of the group "Reductions and scans": one module per operation, in generic form.

// reduce
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<1.500000e+00> : !cuda_tile.tile<2x4xf32>}> : () -> !cuda_tile.tile<2x4xf32>
    %1 = "cuda_tile.reduce"(%0) <{dim = 1 : i32, identities = [0.000000e+00 : f32]}> ({
    ^bb0(%arg0: !cuda_tile.tile<f32>, %arg1: !cuda_tile.tile<f32>):
      %2 = "cuda_tile.addf"(%arg0, %arg1) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
      "cuda_tile.yield"(%2) : (!cuda_tile.tile<f32>) -> ()
    }) : (!cuda_tile.tile<2x4xf32>) -> !cuda_tile.tile<2xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// scan
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<1.500000e+00> : !cuda_tile.tile<2x4xf32>}> : () -> !cuda_tile.tile<2x4xf32>
    %1 = "cuda_tile.scan"(%0) <{dim = 1 : i32, identities = [0.000000e+00 : f32], reverse = false}> ({
    ^bb0(%arg0: !cuda_tile.tile<f32>, %arg1: !cuda_tile.tile<f32>):
      %2 = "cuda_tile.addf"(%arg0, %arg1) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
      "cuda_tile.yield"(%2) : (!cuda_tile.tile<f32>) -> ()
    }) : (!cuda_tile.tile<2x4xf32>) -> !cuda_tile.tile<2x4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
