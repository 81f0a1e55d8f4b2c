"""Items from files. files.py reads rows (parquet.py and hub.py what their libraries read), items.py makes items of them by
their columns, and published.py knows datasets as their authors publish them: one module each says in which forms, tables.py
tells the forms apart, dataset.py holds what came out, and download.py fetches the files.
"""
