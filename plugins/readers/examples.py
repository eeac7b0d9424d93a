"""Small files of SAS, SPSS and Stata for the checks of their readers.

Three rows of id, score and y, written by pyreadstat 1.3.7 (write_xport, write_sav, write_dta),
packed with zlib and base64.
"""

from __future__ import annotations

import base64
import zlib
from pathlib import Path


def write_example(folder: str, name: str, packed: str) -> str:
    """Write one of the files of this module and return its path."""
    path = Path(folder) / name
    path.write_bytes(zlib.decompress(base64.b64decode(packed)))
    return str(path)


TRANSPORT = (
    "eNrzcHV0cQ1SCHJ19g9y0YIAH0+nIMegSAUPZDlFCDDACxQUgh2DFUAAiQYap6BgpmdgBuInFaeY6Bkp4ARGhn7+YU"
    "ZmVgaWVkaWViYm6HwFCoEHFv/6uvo6AcWI86+hGZxlYoDdPJdg56CAkCCKws/ZMdg1GBJ+Lo4hjoM6/PwcfV2DCfnX"
    "GLt/GZgYGBiYGRgzU8hzDwMUoPPJAoxAzMHAVJycX5RKrlsYMdzCTIFbmCsVKAgXTLdwk+MUaqcXf6dgTDki84eBgb"
    "mDA6rzDAwsHA5AmI4CMCFLhwZUIRzuAwCoRrSY"
)

SPSS_FILE = (
    "eNpTcfMxctBQ1lQIDggOVnBxDHFUcPP0cVXQVcgoKSkottLXT88syShN0kvOz9UPz6xKLErxTUzWD0pNTAkuSSxRYG"
    "JgYGBmQAAEO9LByFDBL79MwcjMwNLKyNLKxESBQgA0Fd0+BmZGMPZ0gShhYkAFTBysYBzs7B/kikc+EmoFM9QOuHxe"
    "PsxqIPhgz1yZWgziswB5jFC3sENpkBgHEIsg6f8PBIxQtSBzX/6FqIepZYaq+f///X8oXf8PymeHmgXSywrEoSFuuh"
    "YgQW6oAZxQSziQLOSAakBmg/TwQtmiQOzpYpuZwgkOEtvi5PyiVM5I20qQIgGoJiYkQ2Ch/RzKMDAwRwqRC/Ywiw0M"
    "LJDEX9jDQszAwBJJ/AFcHAB8ilm5"
)

STATA_FILE = (
    "eNorYmJkYAZCGgAjQwW//DIFIwMjMwUDSysjSwbm//8zUwjoKk7OL0rFp6CSWPtVdS2LSXKwqqGBnkE6LTVQDioNGE"
    "YBNmBgYA5hXLBHCFlAGC+gQh/sDQwsIcwHcCF5IkOVCYjZoWxYfmEE4rx8hsrUYgYAl90YaA=="
)
