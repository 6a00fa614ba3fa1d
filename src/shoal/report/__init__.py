"""Numbers to text, JSON and HTML with plots.

``summary.summarize`` gathers the numbers, ``html_edition``, ``text_edition`` and ``json_edition`` write them down.
Each edition comes in two forms: internal, and public (``published`` says what that one holds and why). Import from
the modules: this package imports nothing, so that a command that needs one of them does not pay for all.
"""
