"""The look of all pages for browsers: colours and style, and the conversion of text to HTML.

It uses no IR, and its pages refer to no file and no address. `markup` makes elements, `page` whole files, `code`
highlights programs, and `notebook` makes the outputs of cells.
"""
