"""What has to be said beside verdicts of the small model on this machine."""

LOCAL_ABOUT = (
    "SmolLM2-135M-Instruct is a real language model, and a very small one. It shows that debates work with a model; its "
    "verdicts say little about the texts."
)
