"""Lists and records in the cells of a typed file, as columns of their own.

Where models are run by a database or a cloud, the chances of all classes stand in one cell: a list
in the order of the classes, records of a label and its chance, or a list of each.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from payoff.counting import counted

_MOST = 50  # columns that one may become
LABELS = ("label", "class", "name", "key", "category", "classes", "labels", "names", "keys")
"""What the field that says which class a chance is of is called."""
_VECTOR = {"type", "size", "indices", "values"}  # a vector as Spark keeps it
_SHOWN = 3

Columns = dict[str, pa.Array]


def spread(table: pa.Table, told: list[str]) -> pa.Table:
    """Return a table whose lists and records are columns; what cannot be is left out, and told.

    Parameters
    ----------
    table : pyarrow.Table
    told : list of str
        Is given a sentence for each column of lists or records.
    """
    columns: dict[str, pa.ChunkedArray] = {}
    for name, values in zip(table.column_names, table.columns, strict=True):
        if not pa.types.is_nested(values.type):
            columns[name] = values
            continue
        whole = values.combine_chunks()
        whole = pa.concat_arrays(whole.chunks) if isinstance(whole, pa.ChunkedArray) else whole
        found = nested_columns(name, whole)
        is_new = not found.keys() & {*columns, *table.column_names} - {name}
        if not 0 < len(found) <= _MOST or not is_new:
            told.append(f"Column '{name}' holds lists or records: left out.")
            continue
        columns |= {own: pa.chunked_array([part]) for own, part in found.items()}
        names = ", ".join(list(found)[:_SHOWN]) + ", ..." * (len(found) > _SHOWN)
        told.append(
            f"Column '{name}' holds lists or records: read as {counted(len(found), 'column')} "
            f"({names})."
        )
    return pa.table(columns)


def nested_columns(name: str, values: pa.Array) -> Columns:
    """The plain columns in one of lists or records; none where lists differ in length."""
    kind = values.type
    if pa.types.is_struct(kind):
        return _of_records(name, values)
    if pa.types.is_map(kind):
        pair = pa.struct([("key", kind.key_type), ("value", kind.item_type)])
        values = values.cast(pa.list_(pair))
    inner = values.type.value_type
    if pa.types.is_struct(inner):
        return _by_label(name, values)
    lengths = pc.unique(pc.list_value_length(values).drop_null()).to_pylist()
    if not _is_number(inner) or len(lengths) != 1 or lengths[0] > _MOST:
        return {}
    return {f"{name}_{at}": pc.list_element(values, at) for at in range(lengths[0])}


def _of_records(name: str, values: pa.Array) -> Columns:
    """The fields of records; a list of chances is named by the list of labels beside it."""
    fields = {field.name: pc.struct_field(values, field.name) for field in values.type}
    if fields.keys() >= _VECTOR and fields["indices"].null_count == len(values):
        return nested_columns(name, fields["values"])
    labels = next((own for own in fields if own.casefold() in LABELS), "")
    known = _one_list(fields[labels]) if labels else []
    found: Columns = {}
    for own, part in fields.items():
        if not pa.types.is_nested(part.type):
            found[f"{name}.{own}"] = part
        elif own != labels or not known:
            found |= named_by(name, nested_columns(f"{name}.{own}", part), known)
    return found


def named_by(name: str, parts: Columns, labels: list[str]) -> Columns:
    """The columns of a list under the names of their classes, where these are known."""
    if len(parts) != len(labels):
        return parts
    return dict(zip((f"{name}_{label}" for label in labels), parts.values(), strict=True))


def _by_label(name: str, values: pa.Array) -> Columns:
    """A column for each label of lists of records, each of a label and a number."""
    flat = pc.list_flatten(values)
    fields = {field.name: field.type for field in flat.type}
    labels = next((own for own in fields if own.casefold() in LABELS), "")
    numbers = [own for own, kind in fields.items() if own != labels and _is_number(kind)]
    if not labels or len(numbers) != 1 or pa.types.is_nested(fields[labels]):
        return {}
    said = pc.struct_field(flat, labels)
    forms = pc.unique(said.drop_null()).to_pylist()
    if not 0 < len(forms) <= _MOST:
        return {}
    rows = np.asarray(pc.list_parent_indices(values))
    chances = np.asarray(pc.struct_field(flat, numbers[0]).cast(pa.float64()))
    found: Columns = {}
    for form in sorted(forms, key=str):
        is_this = np.asarray(pc.fill_null(pc.equal(said, form), False))
        cells = np.full(len(values), np.nan)
        cells[rows[is_this]] = chances[is_this]
        found[f"{name}_{form}"] = pa.array(cells, from_pandas=True)
    return found


def _one_list(values: pa.Array) -> list[str]:
    """The list of labels that all rows have; nothing where there is not one."""
    if not (pa.types.is_list(values.type) or pa.types.is_large_list(values.type)):
        return []
    cells = values.drop_null()
    first = cells[0].as_py() if len(cells) else []
    if not first or len(first) > _MOST or len(set(first)) < len(first):
        return []
    lengths = pc.unique(pc.list_value_length(cells)).to_pylist()
    if lengths != [len(first)] or pa.types.is_nested(values.type.value_type):
        return []
    alike = all(
        pc.all(pc.equal(pc.list_element(cells, at), label)).as_py()
        for at, label in enumerate(first)
    )
    return [str(label) for label in first] if alike else []


def _is_number(kind: pa.DataType) -> bool:
    kinds = (pa.types.is_floating, pa.types.is_integer, pa.types.is_decimal)
    return any(is_such(kind) for is_such in kinds)
