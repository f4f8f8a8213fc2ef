"""Exaggerations with names: where to begin. Each is told by the settings of the edit that differ from its own."""

from collections.abc import Mapping

# By name, as the user reads it: settings of `editor.exaggerate.edit.Exaggerate`.
PRESETS: Mapping[str, Mapping[str, float | bool]] = {
    "Bigger": {"amount": 1.5},
    "Cartoon": {"amount": 2.2, "head": 0.6, "jumps": True},
    "Restrained": {"amount": 0.6},
    "Tired": {"amount": 0.5, "trunk": 0.6, "left_leg": 0.7, "right_leg": 0.7},
    "Swinging arms": {"amount": 2.0, "trunk": 0.5, "head": 0.5, "keep_legs": True},
    "Long steps": {"amount": 1.8, "left_arm": 0.5, "right_arm": 0.5, "head": 0.0, "trunk": 0.5},
    "Higher jumps": {"amount": 1.6, "jumps": True},
}
