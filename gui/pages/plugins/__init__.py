"""Page Plugins: what is installed, in which state and why; installing and removing."""
