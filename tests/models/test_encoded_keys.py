"""Keys that an endpoint sends back in another form: in base64 and in percent signs."""

import base64
from urllib.parse import quote

import pytest

from agentdebate.models.credentials import Credentials


@pytest.mark.parametrize("key", ["sk-very-secret-0123456789", "k?~>>ey/with+signs=&more!"])
def test_an_encoded_key_is_taken_out_of_texts_and_bodies(key: str) -> None:
    credentials = Credentials(key, "MY_KEY")
    for shown in (key, base64.b64encode(key.encode()).decode(), quote(key, safe="")):
        said = f"got {shown} here"
        assert "[key]" in credentials.hide(said)
        assert shown.rstrip("=") not in credentials.hide(said) + credentials.clean(said.encode()).decode()
