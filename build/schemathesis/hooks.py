"""What Schemathesis cannot know of the values of the API. SCRATCH is the folder of the run."""
import os

import schemathesis
from hypothesis import strategies as st

scratch = os.environ["SCRATCH"]

# Our formats; a cursor is only valid for the list that gave it, so the first page is read.
schemathesis.openapi.format("bcp47", st.sampled_from(["en", "de", "en-GB", "pt-BR"]))
schemathesis.openapi.format("cursor", st.just(""))
schemathesis.openapi.format("path", st.sampled_from([scratch + "/import.bin", scratch + "/empty"]))
