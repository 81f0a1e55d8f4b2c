"""Problems that pydantic finds with a value, in our words."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from agentdebate.errors import UsageError, nearest
from agentdebate.visible import shortened

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_NUMBER, _WHOLE, _SWITCH = "it is a number", "it is a whole number", "it is true or false"
_TABLE, _LIST, _TEXT = "it is a table of names and values", "it is a list", "it is text"
_PLAIN: Mapping[str, str] = {
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float", "int_parsing_size"), _WHOLE),
    **dict.fromkeys(("float_type", "float_parsing"), _NUMBER),
    **dict.fromkeys(("bool_type", "bool_parsing"), _SWITCH),
    **dict.fromkeys(("list_type", "tuple_type", "iterable_type", "set_type", "frozen_set_type"), _LIST),
    **dict.fromkeys(("string_type", "string_sub_type", "string_unicode"), _TEXT),
    **dict.fromkeys(("dict_type", "mapping_type", "model_type", "model_attributes_type"), _TABLE),
    "missing": "it is missing",
    "extra_forbidden": "this means nothing here",
    "path_type": "it is a path",
    "literal_error": "it is {expected}",
    "finite_number": "it is a finite number",
    "greater_than": "it is more than {gt:g}",
    "greater_than_equal": "it is at least {ge:g}",
    "less_than": "it is less than {lt:g}",
    "less_than_equal": "it is at most {le:.15g}",
    "string_too_short": "it has too few characters: at least {min_length}",
    "string_too_long": "it has too many characters: at most {max_length:,}",
    "too_short": "it has too few entries: at least {min_length}",
    "too_long": "it has too many entries: at most {max_length:,}",
    "dataclass_type": "it is a {class_name}",
    "is_instance_of": "it must be an object of the class {class}",
    "callable_type": "it is a function",
}
"""Messages in place of pydantic's own, by the kind of error."""
_PATTERNS: Mapping[str, str] = {
    r"^[a-z][a-z0-9_]*$": "it is a name of small letters, digits and _, which begins with a letter",
    r"^[A-Za-z_][A-Za-z0-9_]*$": "it is the name of a variable, of letters, digits and _",
    r"^[A-Z]{3}$": "it is a currency's three capital letters, such as USD",
}
"""Descriptions of the required text, by the pattern."""
_VALUELESS = {
    "missing", "extra_forbidden", "string_too_short", "string_too_long", "too_short", "too_long",
}  # fmt: skip
"""Kinds of errors that are not about which value stands there: about its name, or its length."""
_ADDRESS = re.compile(r"\A<.* at 0x[0-9a-f]+>\Z", re.DOTALL)
"""Pattern of Python's default repr of an object."""
_LONGEST = 200
"""Characters of a value that an error shows."""


def plain_problem(found: "ErrorDetails") -> str:
    """Describe the problem that pydantic found with a value: "it is a whole number"; where we have no words, in its own."""
    if found["type"] == "string_pattern_mismatch":
        pattern = found["ctx"]["pattern"]
        return _PATTERNS.get(pattern, f"it is text of the form {pattern}")
    words = _PLAIN.get(found["type"])
    return words.format(**found.get("ctx", {})) if words else found["msg"].removeprefix("Value error, ")


def problem_and_value(found: "ErrorDetails", most: int = _LONGEST) -> str:
    """Describe a problem, with the value that is there, where it says anything: "it is a whole number, not 'x'"."""
    problem = plain_problem(found)
    value = shortened(_shown(found["input"]), most)
    # A hint at what is nearest names the value itself, and so may our own words.
    named = problem.endswith(("?", ".")) or (found["type"] == "value_error" and value in problem)
    return problem if named or found["type"] in _VALUELESS else f"{problem}, not {value}"


def problem_and_type(found: "ErrorDetails") -> str:
    """Describe the problem of a value that must not be shown: where it is of a wrong type, with the type: "it must be text, not int"."""
    problem = plain_problem(found)
    if not found["type"].endswith("_type"):
        return problem
    return f"{problem.replace('it is', 'it must be', 1)}, not {type(found['input']).__name__}"


def in_words(error: Exception) -> str:
    """Return an error's message; for data made in code that does not fit its class, the first problem with its place."""
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False)[0]
    place = ".".join((error.title, *map(str, first["loc"])))
    return f"{place}: {problem_and_value(first)}"


def _shown(value: object) -> str:
    """A value as Python writes it; of an object that only has an address, its class."""
    text = repr(value)
    return type(value).__name__ if _ADDRESS.search(text) else text


class WrongValue(UsageError, ValueError):
    """A value made in code has a field that it cannot have; `option` names the field."""


class SaysWhatIsWrong(type(BaseModel)):  # type: ignore[misc]  # pydantic's own metaclass has no public name
    """Classes whose objects people make in code: a wrong field is a WrongValue in our words instead of pydantic's error.

    Where an object is read (`model_validate`) and where it lies inside another one, pydantic's error is as it was.
    """

    def __call__(cls, *args: Any, **fields: Any) -> Any:
        """Make an object. Raises WrongValue."""
        try:
            return super().__call__(*args, **fields)
        except ValidationError as error:
            raise wrong_field(cls, error) from error


def wrong_field(kind: Any, error: ValidationError) -> WrongValue:
    """Make the error for a wrong field of an object.

    An unknown field goes before everything else: where one is missing too, it is most often the same one, misspelt.
    """
    found = error.errors(include_url=False)
    first = next((one for one in found if one["type"] == "extra_forbidden"), found[0])
    place = [str(part) for part in first["loc"]]
    of = f"{kind.__name__}(...)"
    if first["type"] == "extra_forbidden" and len(place) == 1:
        return WrongValue(
            f"{of} has no {place[0]!r}. {nearest(place[0], kind.model_fields)}", option=place[0]
        )
    if not place:
        return WrongValue(f"{of}: {plain_problem(first)}")
    return WrongValue(f"{of}, {'.'.join(place)!r}: {problem_and_value(first)}", option=place[0])
