"""Verifies privacy models on the cluster in plain SQL, which shares no code with the algorithms or the models.

Models about all classes together are judged by the model itself, from the sizes that the cluster counts.

Read in this order: ``scope`` and ``views`` (what is queried), ``promise_queries``, ``diversity``, ``closeness``,
``matches``.
"""
