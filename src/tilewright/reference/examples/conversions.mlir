// Examples of the group "Conversions": one module per operation, in generic form.

// bitcast
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.bitcast"(%0) : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xi32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// exti
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[-1, 0, 1, 127]> : !cuda_tile.tile<4xi8>}> : () -> !cuda_tile.tile<4xi8>
    %1 = "cuda_tile.exti"(%0) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<4xi8>) -> !cuda_tile.tile<4xi32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// trunci
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1, -2, 3, 100]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %1 = "cuda_tile.trunci"(%0) <{overflow = #cuda_tile.overflow<no_signed_wrap>}> : (!cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xi8>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// itof
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1, -2, 3, 100]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %1 = "cuda_tile.itof"(%0) <{rounding_mode = #cuda_tile.rounding<nearest_even>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xf16>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// ftoi
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.ftoi"(%0) <{rounding_mode = #cuda_tile.rounding<nearest_int_to_zero>, saturating, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xi8>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// ftof
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.ftof"(%0) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf8E4M3FN>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// int_to_ptr
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<i64>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<i64>):
    %0 = "cuda_tile.int_to_ptr"(%arg0) : (!cuda_tile.tile<i64>) -> !cuda_tile.tile<ptr<f32>>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// ptr_to_int
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<f32>>):
    %0 = "cuda_tile.ptr_to_int"(%arg0) : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tile<i64>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// ptr_to_ptr
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<f32>>):
    %0 = "cuda_tile.ptr_to_ptr"(%arg0) : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tile<ptr<i32>>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// pack
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[5.000000e-01, 1.000000e+00, 1.500000e+00, -6.000000e+00]> : !cuda_tile.tile<4xf4E2M1FN>}> : () -> !cuda_tile.tile<4xf4E2M1FN>
    %1 = "cuda_tile.pack"(%0) : (!cuda_tile.tile<4xf4E2M1FN>) -> !cuda_tile.tile<2xi8>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// unpack
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[0, 0, -128, 63]> : !cuda_tile.tile<4xi8>}> : () -> !cuda_tile.tile<4xi8>
    %1 = "cuda_tile.unpack"(%0) : (!cuda_tile.tile<4xi8>) -> !cuda_tile.tile<1xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
