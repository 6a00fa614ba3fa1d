"""One script per tool: same words, same rows, same goal; each runs in the tool's own environment."""
