"""Downloads with huggingface_hub: download_hub.py ENDPOINT. A piece of work is repository, commit, file and a new folder.

hf_hub_download does not compare the hash of what it got, which a download of ours does: it is computed here. The amount is whether
it is the one of the hub.
"""

import hashlib
import os
import sys

os.environ["HF_ENDPOINT"] = sys.argv[1]
os.environ["HF_HUB_DISABLE_XET"] = "1"

from huggingface_hub import hf_hub_download  # noqa: E402, for the endpoint

from work import serve  # noqa: E402


def download(work):
    path = hf_hub_download(work["Repo"], work["File"], revision=work["Commit"], cache_dir=work["Folder"], token=False)
    if not work["Hash"]:
        return 1
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        return int(hashlib.file_digest(file, "sha256").hexdigest() == work["Hash"])


serve(download)
