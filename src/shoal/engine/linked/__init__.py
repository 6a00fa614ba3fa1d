"""Several tables about the same people, published together: keys in, fresh keys out."""
