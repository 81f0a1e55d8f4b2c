from .crew import Crew as Crew
from .crew import Worker as Worker
from .run_tables import Cost as Cost
from .run_tables import Costs as Costs
from .run_tables import RunCall as RunCall
from .run_tables import RunMessage as RunMessage
from .stored_run import Run as Run
from .stored_run import Store as Store
from .stored_run import StoredRecord as StoredRecord
from .upkeep import RunContent as RunContent
from .upkeep import StoreCheck as StoreCheck
from .upkeep import StoreInfo as StoreInfo
from .upkeep import check_store as check_store
from .upkeep import copy_runs as copy_runs
from .upkeep import delete_run as delete_run
from .upkeep import store_info as store_info

__all__: list[str]
