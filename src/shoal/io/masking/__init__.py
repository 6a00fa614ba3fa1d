"""Free text that is published on request, with references to people masked.

Read in this order: ``masked_table`` (a table), ``masker`` (one text, with the words that its row and the identifiers of
the table provide), ``rules`` (the patterns). The audit searches with
patterns of its own (``io.published_as_is``).
"""

from shoal.io.masking.masked_table import MASKING, mask_frame, refuse_no_texts, telling
from shoal.io.masking.masker import Masker

__all__ = ["MASKING", "Masker", "mask_frame", "refuse_no_texts", "telling"]
