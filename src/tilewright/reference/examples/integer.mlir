// Examples of the group "Integer": one module per operation, in generic form.

// addi
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1, -2, 3, 100]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %1 = "cuda_tile.constant"() <{value = dense<[5, 7, 2, 3]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %2 = "cuda_tile.addi"(%0, %1) <{overflow = #cuda_tile.overflow<no_signed_wrap>}> : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xi32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// subi
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1, -2, 3, 100]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %1 = "cuda_tile.constant"() <{value = dense<[5, 7, 2, 3]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %2 = "cuda_tile.subi"(%0, %1) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xi32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// muli
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1, -2, 3, 100]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %1 = "cuda_tile.constant"() <{value = dense<[5, 7, 2, 3]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %2 = "cuda_tile.muli"(%0, %1) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xi32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// mulhii
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1, -2, 3, 100]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %1 = "cuda_tile.constant"() <{value = dense<[5, 7, 2, 3]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %2 = "cuda_tile.mulhii"(%0, %1) : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xi32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// divi
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1, -2, 3, 100]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %1 = "cuda_tile.constant"() <{value = dense<[5, 7, 2, 3]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %2 = "cuda_tile.divi"(%0, %1) <{rounding = #cuda_tile.rounding<negative_inf>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xi32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// remi
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1, -2, 3, 100]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %1 = "cuda_tile.constant"() <{value = dense<[5, 7, 2, 3]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %2 = "cuda_tile.remi"(%0, %1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xi32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// maxi
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1, -2, 3, 100]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %1 = "cuda_tile.constant"() <{value = dense<[5, 7, 2, 3]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %2 = "cuda_tile.maxi"(%0, %1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xi32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// mini
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1, -2, 3, 100]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %1 = "cuda_tile.constant"() <{value = dense<[5, 7, 2, 3]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %2 = "cuda_tile.mini"(%0, %1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xi32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// absi
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1, -2, 3, 100]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %1 = "cuda_tile.absi"(%0) : (!cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xi32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// negi
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1, -2, 3, 100]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %1 = "cuda_tile.negi"(%0) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xi32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// cmpi
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.constant"() <{value = dense<[1, -2, 3, 100]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %1 = "cuda_tile.constant"() <{value = dense<[5, 7, 2, 3]> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %2 = "cuda_tile.cmpi"(%0, %1) <{comparison_predicate = #cuda_tile.comparison_predicate<less_than>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xi1>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
