"""The jobs of page Plugins, and how every job calls a plugin of third parties."""
