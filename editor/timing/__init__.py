"""When a clip happens: trimmed, retimed, at another frame rate."""
