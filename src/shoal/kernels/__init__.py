"""Numba kernels: arrays and scalars in, arrays out. They import nothing else from shoal.

Each has a slow, obvious twin in ``tests/naive``. All are compiled once and cached on disk.

Read in this order. How functions become kernels: ``arrays`` (the type of all arguments), ``decorators``, ``compiled``,
``machine_code``, ``bundled_code`` and ``callee_code``; ``signature``, ``signatures`` and ``compile_signatures`` (what
default runs need). Small tools: ``small`` (sorting), ``grouping``, ``distinct``, ``histograms``, ``descending``. Cells:
``closure``, ``planes`` and ``tariff`` (prices of cells), ``distances``. Which rows fit which records: ``fitting`` and
``sweeps``. Who may own which record: ``assignment_graph``, ``matching``, ``assignment``, ``scc`` and
``dynamic_components``. How likely that is: ``permanent``, ``belief``, ``mixing``, ``learning``, ``population``.

Kernels that serve one algorithm begin with its name: ``clustering_``, ``concealment_``, ``patterns_``, ``relaxation_``.
Others: ``mondrian``; ``hilbert`` and ``runs``; ``rollup`` for lattices, ``splitting`` for k-Optimize;
``expansion_greedy`` and ``expansion_optimal`` for (k,1)-anonymity; ``rings`` for nonhomogeneous; ``freeform``;
``microaggregation`` and ``microaggregation_search``; ``cover`` and ``blossom`` for covers and matchings of rows.
"""
