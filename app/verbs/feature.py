"""The verbs that draw with widgets, or that are about the command line itself."""

from editor.stack.contributions import CoreFeature, Verb, VerbModule


def _render() -> VerbModule:
    from app.verbs import render

    return render


def _batch() -> VerbModule:
    from app.verbs import batch

    return batch


APP = CoreFeature(
    "app",
    verbs=(
        Verb("render", "draw a picture of a frame", _render, place=170),
        Verb("batch", "do a verb over every motion file of a folder, in parallel", _batch, place=900),
    ),
)
