"""The compiled half of dpverify. Use dpverify itself."""

from typing import Any, Callable, List, Optional, Sequence, Tuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Function = Callable[..., Any]
_Found = Tuple[str, str, List[BaseException]]

class Releases:
    @overload
    def laplace(self, value: float, sensitivity: float, scale: float) -> float: ...
    @overload
    def laplace(
        self, value: ArrayLike, sensitivity: float, scale: float
    ) -> NDArray[np.float64]: ...
    @overload
    def gaussian(self, value: float, sensitivity: float, standard_deviation: float) -> float: ...
    @overload
    def gaussian(
        self, value: ArrayLike, sensitivity: float, standard_deviation: float
    ) -> NDArray[np.float64]: ...
    @overload
    def generalised_gaussian(
        self,
        value: float,
        sensitivity: float,
        scale: float,
        norm: float = 2.0,
        change_norm: float = 2.0,
    ) -> float: ...
    @overload
    def generalised_gaussian(
        self,
        value: ArrayLike,
        sensitivity: float,
        scale: float,
        norm: float = 2.0,
        change_norm: float = 2.0,
    ) -> NDArray[np.float64]: ...
    def select(
        self, scores: ArrayLike, sensitivity: float, epsilon: float, change: str = "largest"
    ) -> int: ...
    def permute_and_flip(self, scores: ArrayLike, sensitivity: float, epsilon: float) -> int: ...
    def noisy_max(
        self, scores: ArrayLike, sensitivity: float, scale: float, noise: str = "laplace"
    ) -> int: ...
    def permutation(self, count: int) -> NDArray[np.int64]: ...

def version() -> str: ...
def validate(report: str) -> List[str]: ...
def run(mechanism: _Function, data: Any, seed: int) -> Any: ...
def check(
    mechanism: _Function,
    name: str,
    where: str,
    reproduce: str,
    epsilon: Optional[float],
    delta: float,
    records: int,
    rows_per_user: int,
    low: Sequence[float],
    high: Sequence[float],
    integers: bool,
    pair: Any,
    plan: str,
    significance: float,
    seed: int,
) -> _Found: ...
def audit(
    function: _Function,
    data: Any,
    neighbour: Any,
    name: str,
    where: str,
    reproduce: str,
    epsilon: float,
    delta: float,
    significance: float,
    most_runs: int,
    fault: float,
    bits: Optional[bool],
    seed: int,
) -> _Found: ...
