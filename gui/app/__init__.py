"""Starting the window: the first process, Qt, what is caught."""
