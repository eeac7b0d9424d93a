"""What tests share: engines (a fake and the real one), a harness for pages, factories of inputs."""
