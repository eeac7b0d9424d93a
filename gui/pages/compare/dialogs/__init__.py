"""The dialogs of page Compare, and the menu that opens them."""
