"""Page Experiments: how far can a learned evaluation be trusted?"""
