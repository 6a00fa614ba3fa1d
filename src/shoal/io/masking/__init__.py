"""Free text that is published on request, with references to people masked.

Read in this order: ``masker`` (one text, with the words that its row and the identifiers of the table provide, and a
table), ``rules`` (the patterns). The audit searches with patterns of its own (``io.published_as_is``).
"""

from shoal.io.masking.masker import MASKING, Masker, mask_frame, refuse_no_texts, telling

__all__ = ["MASKING", "Masker", "mask_frame", "refuse_no_texts", "telling"]
