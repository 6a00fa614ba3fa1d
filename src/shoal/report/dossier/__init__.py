"""The dossier: what a board or a regulator needs to sign a release, in an internal and a public edition.

``internal`` and ``public`` say what is in it, as a ``Document`` of sentences, tables and lines to fill in; ``html``,
``pdf`` and ``docx`` write one down. ``statement`` is what only the steward can say, ``frameworks`` which section
answers which question of which regulation.
"""
