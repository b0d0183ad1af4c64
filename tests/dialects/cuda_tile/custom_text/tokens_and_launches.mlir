// make_token
cuda_tile.module @example {
  entry @kernel() {
    %0 = make_token : token
    return
  }
}

// -----

// join_tokens
cuda_tile.module @example {
  entry @kernel() {
    %0 = make_token : token
    %1 = make_token : token
    %2 = join_tokens %0, %1 : token
    return
  }
}

// -----

// gdc_launch_dependents_tko
cuda_tile.module @example {
  entry @kernel() {
    %0 = gdc_launch_dependents_tko -> token
    return
  }
}

// -----

// gdc_wait_tko
cuda_tile.module @example {
  entry @kernel() {
    %0 = gdc_wait_tko -> token
    return
  }
}

// -----

// memory_fence_alias_tko
cuda_tile.module @example {
  entry @kernel() {
    %0 = make_token : token
    %1 = memory_fence_alias_tko %0
    return
  }
}
