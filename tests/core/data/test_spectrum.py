"""The files of the public csv-spectrum suite by name, each written anew: each reads as stated.

Eleven files made the suite for years; ``LATER`` has those that were added since, and two that were
proposed there.
"""

from __future__ import annotations

import pytest

from tests.core.data.helpers import cells, load_text

#: name -> (file, column names, rows). Missing cells read as "".
SPECTRUM: dict[str, tuple[str, tuple[str, ...], list[tuple[str, ...]]]] = {
    "comma_in_quotes": (
        'first,last,street,town\nAnna,Berg,"12 Hill Road, back door",Ulm\n',
        ("first", "last", "street", "town"),
        [("Anna", "Berg", "12 Hill Road, back door", "Ulm")],
    ),
    "empty": (
        'a,b,c\n1,"",""\n2,3,4\n',
        ("a", "b", "c"),
        [("1", "", ""), ("2", "3", "4")],
    ),
    "empty_crlf": (
        'a,b,c\r\n1,"",""\r\n2,3,4\r\n',
        ("a", "b", "c"),
        [("1", "", ""), ("2", "3", "4")],
    ),
    "escaped_quotes": (
        'a,b\n1,"say ""ha"" twice"\n3,4\n',
        ("a", "b"),
        [("1", 'say "ha" twice'), ("3", "4")],
    ),
    "json": (
        'key,value\n1,"{""kind"": ""Point"", ""at"": [102.5, 0.5]}"\n',
        ("key", "value"),
        [("1", '{"kind": "Point", "at": [102.5, 0.5]}')],
    ),
    "newlines": (
        'a,b,c\n1,2,3\n"Once upon \na time",5,6\n7,8,9\n',
        ("a", "b", "c"),
        [("1", "2", "3"), ("Once upon \na time", "5", "6"), ("7", "8", "9")],
    ),
    "newlines_crlf": (
        'a,b,c\r\n1,2,3\r\n"Once upon \r\na time",5,6\r\n7,8,9\r\n',
        ("a", "b", "c"),
        [("1", "2", "3"), ("Once upon \r\na time", "5", "6"), ("7", "8", "9")],
    ),
    "quotes_and_newlines": (
        'a,b\n1,"ha \n""ha"" \nha"\n3,4\n',
        ("a", "b"),
        [("1", 'ha \n"ha" \nha'), ("3", "4")],
    ),
    "simple": ("a,b,c\n1,2,3\n", ("a", "b", "c"), [("1", "2", "3")]),
    "simple_crlf": ("a,b,c\r\n1,2,3", ("a", "b", "c"), [("1", "2", "3")]),
    "utf8": (
        "a,b,c\n1,2,3\n4,5,\u02a4\n",
        ("a", "b", "c"),
        [("1", "2", "3"), ("4", "5", "\u02a4")],
    ),
}

LATER: dict[str, tuple[str | bytes, tuple[str, ...], list[tuple[str, ...]]]] = {
    "location_coordinates": (  # degrees in Latin-1, an unpaired quote, a number with its 0 first
        "Phone,Place,Town\n0451778,48\u00b024'1.2\"N 9\u00b059'33\"E,Ulm".encode("latin-1"),
        ("Phone", "Place", "Town"),
        [("0451778", "48\u00b024'1.2\"N 9\u00b059'33\"E", "Ulm")],
    ),
    "latin1": (
        "name,town\nJos\u00e9,K\u00f6ln\nZo\u00eb,M\u00e1laga\n".encode("latin-1"),
        ("name", "town"),
        [("Jos\u00e9", "K\u00f6ln"), ("Zo\u00eb", "M\u00e1laga")],
    ),
    "newlines_cr": (
        "a,b\r1,x\r2,y\r",
        ("a", "b"),
        [("1", "x"), ("2", "y")],
    ),
    "null": (
        'a,b,c\n1,,2\n3,"NULL",4\n5,NULL,6\n',
        ("a", "b", "c"),
        [("1", "", "2"), ("3", "", "4"), ("5", "", "6")],  # a missing mark, quoted too
    ),
}


def test_there_are_the_eleven_by_name():
    assert set(SPECTRUM) == {
        "comma_in_quotes",
        "empty",
        "empty_crlf",
        "escaped_quotes",
        "json",
        "newlines",
        "newlines_crlf",
        "quotes_and_newlines",
        "simple",
        "simple_crlf",
        "utf8",
    }


@pytest.mark.parametrize("name", [*SPECTRUM, *LATER])
def test_a_file_of_the_spectrum_reads_as_stated(tmp_path, name):
    text, columns, rows = (SPECTRUM | LATER)[name]
    table = load_text(tmp_path, text)
    assert table.columns == columns
    assert cells(table) == rows
