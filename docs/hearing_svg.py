"""A picture of who hears whom for a page: an SVG in the page's own colours, and the same in words."""

from collections.abc import Iterator, Sequence
from html import escape

from agentdebate.talk.messages import Message
from agentdebate.viewer.colours import Colours
from agentdebate.viewer.hearing_picture import Arrow, HearingPicture, Node, hearing_picture

_HEAD = (
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto" '
    'markerUnits="userSpaceOnUse"><path d="M0 0L8 4L0 8z" fill="currentColor"/></marker></defs>'
)


def picture(transcript: Sequence[Message]) -> str:
    """Draw a transcript's picture, and list below it who hears whom in which rounds."""
    drawn = hearing_picture(transcript, Colours())
    words = [f"- {one.speaker} → {one.hearer}: {one.rounds}" for one in drawn.arrows]
    return "\n".join([*_svg(drawn), "", *words]) + "\n" if words else "Nobody hears anybody.\n"


def _svg(drawn: HearingPicture) -> Iterator[str]:
    if drawn.nodes:
        yield f'<svg viewBox="0 0 {drawn.width} {drawn.height}" role="img" style="max-width: 40rem" font-size="14">{_HEAD}'
        yield from (_arrow(one) for one in drawn.arrows)
        yield from (_node(one) for one in drawn.nodes)
        yield "</svg>"


def _arrow(arrow: Arrow) -> str:
    return (
        f'<path d="{arrow.path}" fill="none" stroke="currentColor" stroke-width="{arrow.width:.2f}" opacity=".6" '
        f'marker-end="url(#head)"><title>{escape(f"{arrow.speaker} to {arrow.hearer}: {arrow.rounds}")}</title></path>'
    )


def _node(node: Node) -> str:
    return (
        f'<circle cx="{node.x}" cy="{node.y}" r="15" fill="var(--color-brand-primary)"/>'
        f'<text x="{node.label_x}" y="{node.label_y}" text-anchor="{node.anchor}" fill="currentColor">{escape(node.label)}</text>'
    )
