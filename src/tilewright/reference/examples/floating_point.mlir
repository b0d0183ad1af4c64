// Examples of the group "Floating point": one module per operation, in generic form.

// absf
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.absf"(%0) : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// negf
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.negf"(%0) : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// addf
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.constant"() <{value = dense<[4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %2 = "cuda_tile.addf"(%0, %1) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// subf
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.constant"() <{value = dense<[4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %2 = "cuda_tile.subf"(%0, %1) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// mulf
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.constant"() <{value = dense<[4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %2 = "cuda_tile.mulf"(%0, %1) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// divf
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.constant"() <{value = dense<[4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %2 = "cuda_tile.divf"(%0, %1) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<approx>}> : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// fma
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.constant"() <{value = dense<[4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %2 = "cuda_tile.constant"() <{value = dense<1.000000e+00> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %3 = "cuda_tile.fma"(%0, %1, %2) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// sqrt
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 4.000000e+00, 9.000000e+00, 2.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.sqrt"(%0) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// rsqrt
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.rsqrt"(%0) : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// exp
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.exp"(%0) <{rounding_mode = #cuda_tile.rounding<approx>}> : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// exp2
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.exp2"(%0) : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// log
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.log"(%0) : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// log2
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.log2"(%0) : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// sin
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.sin"(%0) : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// cos
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.cos"(%0) : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// tan
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.tan"(%0) : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// sinh
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.sinh"(%0) : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// cosh
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.cosh"(%0) : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// tanh
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.tanh"(%0) <{rounding_mode = #cuda_tile.rounding<approx>}> : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// pow
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.constant"() <{value = dense<5.000000e-01> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %2 = "cuda_tile.pow"(%0, %1) : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// fpowi
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.constant"() <{value = dense<[2, 3, 1, 0]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %2 = "cuda_tile.fpowi"(%0, %1) : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// atan2
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.constant"() <{value = dense<[4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %2 = "cuda_tile.atan2"(%0, %1) : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// remf
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.constant"() <{value = dense<[4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %2 = "cuda_tile.remf"(%0, %1) : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// ceil
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.ceil"(%0) : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// floor
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.floor"(%0) : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// maxf
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.constant"() <{value = dense<[4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %2 = "cuda_tile.maxf"(%0, %1) <{propagate_nan}> : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// minf
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.constant"() <{value = dense<[4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %2 = "cuda_tile.minf"(%0, %1) <{propagate_nan}> : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// cmpf
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %1 = "cuda_tile.constant"() <{value = dense<[4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %2 = "cuda_tile.cmpf"(%0, %1) <{comparison_ordering = #cuda_tile.comparison_ordering<ordered>, comparison_predicate = #cuda_tile.comparison_predicate<less_than>}> : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xi1>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
