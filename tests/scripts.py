"""Scripts of documents, run as they are printed."""

import re

from app.features import FEATURES


def replayed(document, project, **names):
    """What the document's script makes of a project that stands in the place of its start. names : the tests' own."""
    script, starts = re.subn(
        r"^project = (?!\w+\(project).*\n", "", document.script(FEATURES.values), flags=re.MULTILINE
    )
    assert starts == 1
    known = {"project": project, **names}
    exec(script, known)
    return known["project"]
