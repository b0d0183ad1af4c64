"""The look of everything that a browser shows: colours and style, and the one place where text becomes HTML.

It knows no IR, and what it writes names no file and no address.  `markup` makes elements, `page` whole files, `code`
highlights programs, and `notebook` makes the outputs of cells.
"""
