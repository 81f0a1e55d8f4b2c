"""A call's lists may go on from those of an earlier call, which older versions cannot read; what is there stays as it is."""

revision = "6"
down_revision = "5"


def upgrade() -> None:
    """Change nothing: lists that were written whole are read as such."""
