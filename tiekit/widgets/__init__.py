"""What moves in the browser: ES modules that evaluate small examples as the library does.

`bundle` makes one module of them for a host that takes a single string; `sources` holds their texts.
"""
