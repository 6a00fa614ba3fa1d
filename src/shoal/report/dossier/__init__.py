"""The dossier: what a board or a regulator needs to approve a release, in an internal and a public edition.

Read in this order: ``statement`` (the steward's answers), ``document`` (sentences, tables and lines to fill in),
``sections`` (their titles, and which of them answers which question of which regulation), ``variables``, ``threats``
and ``forms`` (their content), ``internal`` and ``public`` (the two editions). ``html``, ``pdf`` and ``docx`` write the
files; ``files`` lists the available formats.
"""
