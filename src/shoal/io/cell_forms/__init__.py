"""Forms of published cells: the information in a release's labels, as columns suitable for computation.

Read in this order: ``taken_apart`` (what a label means), ``forms`` (what each form prints), ``estimate`` (how values
are distributed within cells, estimated from the release alone) and ``printing`` (all columns of a table, checked).

Everything here is a function of the labels, of the user's settings for the columns and of random numbers. No original
value is used, so the output is post-processing of a release that has already been checked.
"""

from __future__ import annotations

from shoal.io.cell_forms.forms import FORMS as FORMS
from shoal.io.cell_forms.printing import Printed as Printed
from shoal.io.cell_forms.printing import print_cells as print_cells
