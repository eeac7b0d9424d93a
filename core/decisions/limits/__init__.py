"""The best decisions under limits on actions and amounts."""
