"""An algorithm and a metric that shoal finds once this package is installed."""
