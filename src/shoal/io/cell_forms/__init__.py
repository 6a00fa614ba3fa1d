"""Forms of published cells: what the labels of a release say, in columns that can be computed with.

Read in this order: ``taken_apart`` (a label's meaning), ``forms`` (what each form prints), ``estimate`` (how values
spread inside cells, by the release alone) and ``printing`` (all columns of a table, checked).

Everything here is a function of the labels, of what the user said about the columns and of random numbers. No original
value comes in, so whatever comes out is post-processing of a release that was judged before.
"""

from __future__ import annotations

from shoal.io.cell_forms.forms import FORMS as FORMS
from shoal.io.cell_forms.printing import Printed as Printed
from shoal.io.cell_forms.printing import print_cells as print_cells
