"""Items from files: files.py reads rows, items.py makes items of them by their columns, published.py knows datasets as their
authors publish them.
"""
