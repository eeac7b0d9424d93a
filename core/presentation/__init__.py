"""What is shown of an answer: ``(answer, labels) -> View``, without Qt, the same at every door."""
