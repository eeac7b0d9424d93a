"""Asking the processor for memory ahead of its use: gathers at known places run twice as fast."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic


@intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
def prefetch(typing_context: Any, values: Any, place: Any) -> Any:
    """Fetch the cache line of ``values.ravel()[place]`` (C-contiguous) for reading; kernels only.

    A place outside the array does no harm: a prefetch never faults.
    """
    signature = types.void(values, types.intp)

    def generate(context: Any, builder: Any, called: Any, arguments: Any) -> Any:
        array = context.make_array(called.args[0])(context, builder, arguments[0])
        pointer = builder.bitcast(
            builder.gep(array.data, [arguments[1]]), ir.IntType(8).as_pointer()
        )
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, word, word, word])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [pointer, word(0), word(3), word(1)])
        return context.get_dummy_value()

    return signature, generate
