"""k-concealment and its relatives."""
