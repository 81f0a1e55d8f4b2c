"""agentdebate datasets; agentdebate run on published datasets, on Parquet and on parts of a dataset."""

from agentdebate.extras import optional

pa, parquet = optional("pyarrow", "parquet"), optional("pyarrow.parquet", "parquet")
