"""Several tables about the same people, published together: keys in, fresh keys out.

Read in this order: ``words`` and ``job`` (what is said), ``keys`` (which row hangs on which),
``anonymizing_tables`` (the verb), ``check`` (what a reader who joins them sees), ``table`` and ``result`` (what comes
back), ``datapackage``.
"""
