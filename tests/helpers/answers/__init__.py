"""Made-up answers that tests of core and tests of the window share: no Qt, no engine."""
