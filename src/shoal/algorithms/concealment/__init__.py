"""(1,k)-, (k,1)-, (k,k)-anonymity and k-concealment: one step a file, and the pipeline that puts them together."""

from shoal.algorithms.concealment.pipeline import Concealment

__all__ = ["Concealment"]
