"""Publishes several tables about the same people together; keys are replaced by fresh ones.

Read in this order: ``words`` and ``job`` (settings), ``keys`` (which row refers to which), ``anonymizing_tables`` (the
public function), ``check`` (what a reader who joins them sees), ``result`` (what is returned).
"""
