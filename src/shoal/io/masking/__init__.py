"""Free text that is published on request, with what names people in it masked.

Read in this order: ``masked_table`` (a table), ``masker`` (one text), ``rules`` (what is looked for), ``known_words``
(what the row itself and the identifiers of the table give away). The audit searches with patterns of its own
(``io.published_as_is``).

``given_names`` is the list of names that are no ordinary words.
"""

from shoal.io.masking.masked_table import MASKING, mask_frame, refuse_no_texts, telling
from shoal.io.masking.masker import Masker

__all__ = ["MASKING", "Masker", "mask_frame", "refuse_no_texts", "telling"]
