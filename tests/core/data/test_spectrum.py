"""The shapes of the public csv-spectrum suite, eleven files written anew: each reads as stated."""

from __future__ import annotations

import pytest

from tests.core.data.helpers import cells, load_text

#: name -> (file, column names, rows). Missing cells read as "".
SPECTRUM: dict[str, tuple[str, tuple[str, ...], list[tuple[str, ...]]]] = {
    "comma inside quotes": (
        'first,last,street,town\nAnna,Berg,"12 Hill Road, back door",Ulm\n',
        ("first", "last", "street", "town"),
        [("Anna", "Berg", "12 Hill Road, back door", "Ulm")],
    ),
    "empty cells, LF": (
        'a,b,c\n1,"",""\n2,3,4\n',
        ("a", "b", "c"),
        [("1", "", ""), ("2", "3", "4")],
    ),
    "empty cells, CR LF": (
        'a,b,c\r\n1,"",""\r\n2,3,4\r\n',
        ("a", "b", "c"),
        [("1", "", ""), ("2", "3", "4")],
    ),
    "doubled quotes": (
        'a,b\n1,"say ""ha"" twice"\n3,4\n',
        ("a", "b"),
        [("1", 'say "ha" twice'), ("3", "4")],
    ),
    "JSON in a cell": (
        'key,value\n1,"{""kind"": ""Point"", ""at"": [102.5, 0.5]}"\n',
        ("key", "value"),
        [("1", '{"kind": "Point", "at": [102.5, 0.5]}')],
    ),
    "line breaks inside quotes, LF": (
        'a,b,c\n1,2,3\n"Once upon \na time",5,6\n7,8,9\n',
        ("a", "b", "c"),
        [("1", "2", "3"), ("Once upon \na time", "5", "6"), ("7", "8", "9")],
    ),
    "line breaks inside quotes, CR LF": (
        'a,b,c\r\n1,2,3\r\n"Once upon \r\na time",5,6\r\n7,8,9\r\n',
        ("a", "b", "c"),
        [("1", "2", "3"), ("Once upon \r\na time", "5", "6"), ("7", "8", "9")],
    ),
    "quotes and line breaks": (
        'a,b\n1,"ha \n""ha"" \nha"\n3,4\n',
        ("a", "b"),
        [("1", 'ha \n"ha" \nha'), ("3", "4")],
    ),
    "plain, LF": ("a,b,c\n1,2,3\n", ("a", "b", "c"), [("1", "2", "3")]),
    "plain, CR LF, no end": ("a,b,c\r\n1,2,3", ("a", "b", "c"), [("1", "2", "3")]),
    "UTF-8": (
        "a,b,c\n1,2,3\n4,5,\u02a4\n",
        ("a", "b", "c"),
        [("1", "2", "3"), ("4", "5", "\u02a4")],
    ),
}


def test_there_are_eleven():
    assert len(SPECTRUM) == 11


@pytest.mark.parametrize("name", SPECTRUM)
def test_a_file_of_the_spectrum_reads_as_stated(tmp_path, name):
    text, columns, rows = SPECTRUM[name]
    table = load_text(tmp_path, text)
    assert table.columns == columns
    assert cells(table) == rows
