"""The cost of a debate here and elsewhere: the same debate by hand, in agentdebate, AutoGen and LangGraph (`compare.py`).

Every peer is measured in a virtual environment of its own (`environment.py`), so that the modules that hold the debates
(`by_*.py`, `ours.py`, `loop.py`, `texts.py`) import nothing but what their peer needs.
"""
