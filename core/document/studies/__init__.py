"""What page Decide's studies ask and answer: a module each, plain frozen records."""
