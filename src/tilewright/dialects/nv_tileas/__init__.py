"""The ``nv_tileas`` dialect: tile programs scheduled into asynchronous pipelines of agents."""
