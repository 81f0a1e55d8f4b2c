"""A Ray cluster of two nodes on this machine, for the tests marked `ray`: skipped where Ray is not installed, an error where it has to be."""

import importlib.util
import os
from collections.abc import Iterator
from typing import Any

import pytest

REQUIRE = "AGENTDEBATE_REQUIRE_RAY"


@pytest.fixture
def ray_cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The head alone, with one core; on loopback, and telling nobody of its use."""
    if importlib.util.find_spec("ray") is None:
        reason = "Ray is not installed: pip install 'agentdebate[ray]' (make test-ray)"
        if os.environ.get(REQUIRE):
            pytest.fail(reason)
        pytest.skip(reason)
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_metrics_report_interval_ms", "500")
    monkeypatch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # or loopback becomes the machine's address
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        yield cluster
    finally:
        cluster.shutdown()
