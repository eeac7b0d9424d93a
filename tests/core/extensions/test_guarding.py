"""What a plugin changes of the whole process at its import is put back, and it is quarantined."""

from __future__ import annotations

import numpy as np

from core.extensions import Registry
from core.extensions.finding import USER_FOLDER, FoundPlugin
from tests.core.extensions.making import metric_code, write_file_plugin


def test_numpy_goes_on_handling_errors_as_it_did(tmp_path):
    before = np.geterr()
    code = metric_code("careful") + "\nimport numpy\nnumpy.seterr(all='raise')\n"
    path = write_file_plugin(tmp_path / "own.py", code, "org.example.own")
    record = Registry().add(FoundPlugin(path=path, source=USER_FOLDER))
    assert (record.state, record.failing) == ("quarantined", "Leaves the program as it was")
    assert "numpy's handling of errors" in record.why
    assert np.geterr() == before
