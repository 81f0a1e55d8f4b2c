"""Tables: rows with typed columns, read one after the other, for pandas, polars, Arrow and notebooks."""
