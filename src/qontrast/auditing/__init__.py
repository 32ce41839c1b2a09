"""Audits of trained networks for bias."""
