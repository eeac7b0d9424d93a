"""Names of array types used by every contract."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
CodeArray: TypeAlias = NDArray[np.int32]
OrderArray: TypeAlias = NDArray[np.uint32]
BoolArray: TypeAlias = NDArray[np.bool_]
AnyArray: TypeAlias = NDArray[np.generic]
StopFlag: TypeAlias = NDArray[np.uint8]
