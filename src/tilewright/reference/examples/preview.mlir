// preview$call
"cuda_tile.module"() <{sym_name = "m"}> ({
  "cuda_tile.entry"() <{sym_name = "k", function_type = (!cuda_tile.tile<4xf32>) -> ()}> ({
  ^bb0(%x: !cuda_tile.tile<4xf32>):
    %y = "cuda_tile.preview$call"(%x) <{callee = @scale, const_args = []}> : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
