"""The code of docs/compare.md about scikit-learn."""

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from shoal.sklearn import Anonymizer

ages = np.array([[20 + i * 7 % 45] for i in range(200)], float)
is_old = ages[:, 0] > 40

model = make_pipeline(Anonymizer(k=10), LogisticRegression())
model.fit(ages, is_old)
model.score(ages, is_old)
