"""What this plugin registers."""

from __future__ import annotations

import payoff
from plugins.readers.arff import ARFF
from plugins.readers.excel import EXCEL
from plugins.readers.fixed_width import FIXED_WIDTH
from plugins.readers.html_table import HTML_TABLE
from plugins.readers.libsvm import LIBSVM
from plugins.readers.packed import COMPRESSED
from plugins.readers.plain import DELIMITED, PARQUET
from plugins.readers.ruled import RULED
from plugins.readers.sas import SAS
from plugins.readers.spss import SPSS
from plugins.readers.stata import STATA


@payoff.hookimpl
def payoff_register_readers() -> list[payoff.TableReader]:
    """Return the built-in readers."""
    columns = [EXCEL, SAS, SPSS, STATA]
    return [DELIMITED, PARQUET, COMPRESSED, *columns, FIXED_WIDTH, LIBSVM, RULED, HTML_TABLE, ARFF]
