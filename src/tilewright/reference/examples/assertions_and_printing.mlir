// Examples of the group "Assertions and printing": one module per operation, in generic form.

// assert
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[true, true, true, true]> : !cuda_tile.tile<4xi1>}> : () -> !cuda_tile.tile<4xi1>
    "cuda_tile.assert"(%0) <{message = "lanes must agree"}> : (!cuda_tile.tile<4xi1>) -> ()
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// assume
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<f32>>):
    %0 = "cuda_tile.assume"(%arg0) <{predicate = #cuda_tile.div_by<16>}> : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tile<ptr<f32>>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// print_tko
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<3> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %1 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %2 = "cuda_tile.print_tko"(%0, %1) <{operandSegmentSizes = array<i32: 2, 0>, str = "i = %d, x = %f\0A"}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.token
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
