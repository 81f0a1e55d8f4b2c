"""Where judgements come from: runs, files of scores or replies, published data, and people in them."""
