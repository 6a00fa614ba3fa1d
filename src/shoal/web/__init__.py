"""The workbench: pages and a REST API on the engine. No logic of its own.

Read in this order: ``settings`` and ``access`` (who may come in), ``gate`` and ``headers`` (what stands in front of
everything), ``folders`` and ``sessions`` (where data lives, and for how long), ``session`` and ``column_words`` (what
one user has, and says of columns), ``desk`` and ``runs`` (the processes that do the work), ``api`` and ``pages`` (two
faces of the same), ``app`` and ``serving``.
"""
