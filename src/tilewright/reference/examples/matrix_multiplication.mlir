// Examples of the group "Matrix multiplication": one module per operation, in generic form.

// mmaf
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<1.000000e+00> : !cuda_tile.tile<4x8xf16>}> : () -> !cuda_tile.tile<4x8xf16>
    %1 = "cuda_tile.constant"() <{value = dense<2.000000e+00> : !cuda_tile.tile<8x2xf16>}> : () -> !cuda_tile.tile<8x2xf16>
    %2 = "cuda_tile.constant"() <{value = dense<0.000000e+00> : !cuda_tile.tile<4x2xf32>}> : () -> !cuda_tile.tile<4x2xf32>
    %3 = "cuda_tile.mmaf"(%0, %1, %2) : (!cuda_tile.tile<4x8xf16>, !cuda_tile.tile<8x2xf16>, !cuda_tile.tile<4x2xf32>) -> !cuda_tile.tile<4x2xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// mmai
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<1> : !cuda_tile.tile<4x8xi8>}> : () -> !cuda_tile.tile<4x8xi8>
    %1 = "cuda_tile.constant"() <{value = dense<-1> : !cuda_tile.tile<8x2xi8>}> : () -> !cuda_tile.tile<8x2xi8>
    %2 = "cuda_tile.constant"() <{value = dense<0> : !cuda_tile.tile<4x2xi32>}> : () -> !cuda_tile.tile<4x2xi32>
    %3 = "cuda_tile.mmai"(%0, %1, %2) <{signedness_lhs = #cuda_tile.signedness<signed>, signedness_rhs = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<4x8xi8>, !cuda_tile.tile<8x2xi8>, !cuda_tile.tile<4x2xi32>) -> !cuda_tile.tile<4x2xi32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// mmaf_scaled
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<1.000000e+00> : !cuda_tile.tile<4x64xf8E4M3FN>}> : () -> !cuda_tile.tile<4x64xf8E4M3FN>
    %1 = "cuda_tile.constant"() <{value = dense<2.000000e+00> : !cuda_tile.tile<64x2xf8E4M3FN>}> : () -> !cuda_tile.tile<64x2xf8E4M3FN>
    %2 = "cuda_tile.constant"() <{value = dense<0.000000e+00> : !cuda_tile.tile<4x2xf32>}> : () -> !cuda_tile.tile<4x2xf32>
    %3 = "cuda_tile.constant"() <{value = dense<1.000000e+00> : !cuda_tile.tile<4x2xf8E8M0FNU>}> : () -> !cuda_tile.tile<4x2xf8E8M0FNU>
    %4 = "cuda_tile.constant"() <{value = dense<2.000000e+00> : !cuda_tile.tile<2x2xf8E8M0FNU>}> : () -> !cuda_tile.tile<2x2xf8E8M0FNU>
    %5 = "cuda_tile.mmaf_scaled"(%0, %1, %2, %3, %4) : (!cuda_tile.tile<4x64xf8E4M3FN>, !cuda_tile.tile<64x2xf8E4M3FN>, !cuda_tile.tile<4x2xf32>, !cuda_tile.tile<4x2xf8E8M0FNU>, !cuda_tile.tile<2x2xf8E8M0FNU>) -> !cuda_tile.tile<4x2xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
