// Examples of the group "Kernels and globals": one module per operation, in generic form.

// module
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// entry
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<f32>>, %arg1: !cuda_tile.tile<i32>):
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// global
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.global"() <{alignment = 16 : i64, sym_name = "table", symbol_visibility = #cuda_tile.symbol_visibility<public>, value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> ()
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// get_global
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.global"() <{alignment = 16 : i64, sym_name = "table", symbol_visibility = #cuda_tile.symbol_visibility<public>, value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> ()
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.get_global"() <{name = @table}> : () -> !cuda_tile.tile<ptr<f32>>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
