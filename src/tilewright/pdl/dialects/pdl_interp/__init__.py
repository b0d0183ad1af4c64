"""The ``pdl_interp`` dialect: the byte-sized steps that patterns are turned into."""
