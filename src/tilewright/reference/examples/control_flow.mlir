// Examples of the group "Control flow": one module per operation, in generic form.

// for
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<0> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %1 = "cuda_tile.constant"() <{value = dense<8> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %2 = "cuda_tile.constant"() <{value = dense<2> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %3 = "cuda_tile.constant"() <{value = dense<0> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %4 = "cuda_tile.for"(%0, %1, %2, %3) ({
    ^bb0(%arg0: !cuda_tile.tile<i32>, %arg1: !cuda_tile.tile<i32>):
      %5 = "cuda_tile.addi"(%arg1, %arg0) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
      "cuda_tile.continue"(%5) : (!cuda_tile.tile<i32>) -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// loop
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<1> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %1 = "cuda_tile.loop"(%0) ({
    ^bb0(%arg0: !cuda_tile.tile<i32>):
      %2 = "cuda_tile.addi"(%arg0, %arg0) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
      %3 = "cuda_tile.constant"() <{value = dense<100> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
      %4 = "cuda_tile.cmpi"(%2, %3) <{comparison_predicate = #cuda_tile.comparison_predicate<greater_than>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i1>
      "cuda_tile.if"(%4) ({
        "cuda_tile.break"(%2) : (!cuda_tile.tile<i32>) -> ()
      }, {
      }) : (!cuda_tile.tile<i1>) -> ()
      "cuda_tile.continue"(%2) : (!cuda_tile.tile<i32>) -> ()
    }) : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// if
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<i1>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<i1>):
    %0 = "cuda_tile.if"(%arg0) ({
      %2 = "cuda_tile.constant"() <{value = dense<1.000000e+00> : !cuda_tile.tile<f32>}> : () -> !cuda_tile.tile<f32>
      "cuda_tile.yield"(%2) : (!cuda_tile.tile<f32>) -> ()
    }, {
      %1 = "cuda_tile.constant"() <{value = dense<2.000000e+00> : !cuda_tile.tile<f32>}> : () -> !cuda_tile.tile<f32>
      "cuda_tile.yield"(%1) : (!cuda_tile.tile<f32>) -> ()
    }) : (!cuda_tile.tile<i1>) -> !cuda_tile.tile<f32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// yield
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<i1>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<i1>):
    %0 = "cuda_tile.if"(%arg0) ({
      %2 = "cuda_tile.constant"() <{value = dense<1.000000e+00> : !cuda_tile.tile<f32>}> : () -> !cuda_tile.tile<f32>
      "cuda_tile.yield"(%2) : (!cuda_tile.tile<f32>) -> ()
    }, {
      %1 = "cuda_tile.constant"() <{value = dense<2.000000e+00> : !cuda_tile.tile<f32>}> : () -> !cuda_tile.tile<f32>
      "cuda_tile.yield"(%1) : (!cuda_tile.tile<f32>) -> ()
    }) : (!cuda_tile.tile<i1>) -> !cuda_tile.tile<f32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// continue
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<0> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %1 = "cuda_tile.constant"() <{value = dense<8> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %2 = "cuda_tile.constant"() <{value = dense<2> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %3 = "cuda_tile.constant"() <{value = dense<0> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %4 = "cuda_tile.for"(%0, %1, %2, %3) ({
    ^bb0(%arg0: !cuda_tile.tile<i32>, %arg1: !cuda_tile.tile<i32>):
      %5 = "cuda_tile.addi"(%arg1, %arg0) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
      "cuda_tile.continue"(%5) : (!cuda_tile.tile<i32>) -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// break
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<1> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %1 = "cuda_tile.loop"(%0) ({
    ^bb0(%arg0: !cuda_tile.tile<i32>):
      %2 = "cuda_tile.addi"(%arg0, %arg0) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
      %3 = "cuda_tile.constant"() <{value = dense<100> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
      %4 = "cuda_tile.cmpi"(%2, %3) <{comparison_predicate = #cuda_tile.comparison_predicate<greater_than>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i1>
      "cuda_tile.if"(%4) ({
        "cuda_tile.break"(%2) : (!cuda_tile.tile<i32>) -> ()
      }, {
      }) : (!cuda_tile.tile<i1>) -> ()
      "cuda_tile.continue"(%2) : (!cuda_tile.tile<i32>) -> ()
    }) : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// return
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
