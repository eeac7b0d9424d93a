"""The jobs an engine answers, a folder for each page: functions ``(arguments, context) -> result``.

Which kind leads where is declared in ``core.engine.kinds``; from a document to arrays leads
``core.assembly``. What a job takes and gives is said where it is done, and in
``core.engine.messages`` and ``core.document.studies``.
"""
