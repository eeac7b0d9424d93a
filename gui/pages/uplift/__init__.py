"""Page Uplift: rankings by predicted uplift, judged on an experiment."""
