"""Benchmarks: one script per question. ``make bench`` runs them all in one process tree."""
