"""One plug-in of each kind, which shoal finds once this package is installed."""
