"""The jobs of pages Models and Explain: training, other programs' models, what a model learned."""
