"""Measures emitted programs beside other implementations of the same derivatives; see scripts/bench."""
