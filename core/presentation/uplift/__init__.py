"""What is shown of a treatment experiment: the cards of page Uplift, its tabs, its dialogs."""
