"""What Wine 10 lacks and the libraries ask for; for trials and kernels only, never shipped.

``python installer/windows/trial_shims.py UCRTBASE`` gives Wine's own ``ucrtbase.dll`` the functions
that take a complex number apart: it exports them, but each only ends the program, and numpy 2.2 and
later calls one when it is imported. The code is put where the ending call was.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

FUNCTIONS = {
    "crealf": "66 0f 6e c1 c3",  # movd xmm0, ecx; ret
    "cimagf": "48 c1 e9 20 66 0f 6e c1 c3",  # shr rcx, 32; movd xmm0, ecx; ret
    "creal": "f2 0f 10 01 c3",  # movsd xmm0, [rcx]; ret
    "creall": "f2 0f 10 01 c3",
    "cimag": "f2 0f 10 41 08 c3",  # movsd xmm0, [rcx + 8]; ret
    "cimagl": "f2 0f 10 41 08 c3",
}
_ENDING_CALL = bytes.fromhex("48 83 ec 28 48 8d 0d")  # sub rsp, 40; lea rcx, [rip + ...]


def give_functions(library: Path) -> list[str]:
    """Write the functions into the library; the names of those that were missing."""
    content = bytearray(library.read_bytes())
    places = exported_places(content)
    given = []
    for name, code in FUNCTIONS.items():
        place = places[name]
        if content[place : place + len(_ENDING_CALL)] == _ENDING_CALL:
            content[place : place + len(bytes.fromhex(code))] = bytes.fromhex(code)
            given.append(name)
    library.write_bytes(content)
    return given


def exported_places(content: bytes | bytearray) -> dict[str, int]:
    """Names that a 64-bit library exports, with the place of each in the file."""
    header = struct.unpack_from("<I", content, 0x3C)[0]
    if content[header : header + 4] != b"PE\0\0":
        raise ValueError("this is no program of Windows")
    sections, optional = struct.unpack_from("<H12xH", content, header + 6)
    table = header + 24 + optional
    spans = [struct.unpack_from("<8x4I", content, table + 40 * i) for i in range(sections)]

    def place(address: int) -> int:
        for size, start, _, offset in spans:
            if start <= address < start + size:
                return int(address - start + offset)
        raise ValueError(f"address {address:#x} is in no section")

    (exports,) = struct.unpack_from("<I", content, header + 24 + 112)
    count, functions, names, ordinals = struct.unpack_from("<24x4I", content, place(exports))
    found = {}
    for number in range(count):
        (name_at,) = struct.unpack_from("<I", content, place(names) + 4 * number)
        start = place(name_at)
        name = bytes(content[start : content.index(0, start)]).decode("ascii")
        (ordinal,) = struct.unpack_from("<H", content, place(ordinals) + 2 * number)
        (address,) = struct.unpack_from("<I", content, place(functions) + 4 * ordinal)
        found[name] = place(address)
    return found


if __name__ == "__main__":
    print("given to Wine:", ", ".join(give_functions(Path(sys.argv[1]))) or "nothing, all there")
