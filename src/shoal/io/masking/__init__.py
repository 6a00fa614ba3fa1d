"""Free text that is published on request, with references to people masked.

Read in this order: ``masked_table`` (a table), ``masker`` (one text), ``rules`` (the patterns), ``known_words`` (words
taken from the row itself and from the identifiers of the table). The audit searches with patterns of its own
(``io.published_as_is``).

``given_names`` lists given names that are not ordinary words.
"""

from shoal.io.masking.masked_table import MASKING, mask_frame, refuse_no_texts, telling
from shoal.io.masking.masker import Masker

__all__ = ["MASKING", "Masker", "mask_frame", "refuse_no_texts", "telling"]
