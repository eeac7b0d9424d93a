"""Page Compare: the metric table and six charts of the same models on one cursor."""
