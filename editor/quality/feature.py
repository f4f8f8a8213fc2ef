"""The figures by which motions are judged."""

from editor.stack.contributions import CoreFeature, Verb, VerbModule


def _verb() -> VerbModule:
    from editor.quality import verb

    return verb


QUALITY = CoreFeature(
    "quality",
    verbs=(
        Verb(
            "quality", "measure sliding and sinking feet, pops, stretch, and how well a path is kept", _verb, place=160
        ),
    ),
)
