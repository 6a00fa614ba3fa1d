"""Slow, obvious twins: plain Python, no arrays, written from the definitions."""
