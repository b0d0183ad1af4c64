"""The language server of MLIR text, for editors: ``tilewright lsp``.

`documents` analyses one text; `server` speaks the Language Server Protocol, which needs the extra ``lsp``.
"""
