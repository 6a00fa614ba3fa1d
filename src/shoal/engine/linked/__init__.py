"""Publishes several tables about the same people together; keys are replaced by fresh ones.

Read in this order: ``words`` (settings), ``keys`` (which row refers to which), ``anonymizing_tables`` (the public
function, and job files), ``check`` (what a reader who joins them sees), ``result`` (what is returned).
"""
