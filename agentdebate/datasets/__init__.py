"""Items from files. files.py reads rows of any format, items.py makes items of them by their columns, and published.py knows
datasets as their authors publish them: one module each says in which forms, and dataset.py what a form is. data_source.py puts
these together for a run, and supply.py hands the items over.
"""
