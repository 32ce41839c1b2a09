"""The phrases of each language: a module with PHRASES, under the keys of `en`, and TEXTS, translations of tables.

Adding a language takes such a module and a row in LANGUAGES of `phrasing`. A test compares its keys and its fields with
the English ones.
"""
