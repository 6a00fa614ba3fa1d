"""The dossier: what a board or a regulator needs to sign a release, in an internal and a public edition.

Read in this order: ``statement`` (what only the steward can say), ``document`` (sentences, tables and lines to fill
in), ``sections`` (their titles), ``variables``, ``threats`` and ``forms`` (what stands in them), ``internal`` and
``public`` (the two editions), ``frameworks`` (which section answers which question of which regulation). ``html``,
``pdf`` and ``docx`` write one down; ``formats`` and ``files`` say which can be.
"""
