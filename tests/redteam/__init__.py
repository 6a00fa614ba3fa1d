"""A fuzzer of the whole program: nasty little tables in, and what comes out judged from the written file.

``python -m redteam --minutes 10`` (with ``tests`` on the path; ``make fuzz MINUTES=10`` does it) draws cases until the
time is up, prints the seed of each failure and makes it small. The judge (``cells``, ``files``, ``graphs``,
``promises``, ``judge``) imports nothing of shoal: it reads the files as a stranger would and goes by the definitions.
"""
