"""What the scripts of this folder share: work comes as lines of JSON, and so do the answers."""

import json
import resource
import sys
import time


def answer(amount, processor):
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    print(json.dumps({"Amount": amount, "Processor": processor, "PeakMB": peak}), flush=True)


def serve(do):
    """Calls do for each line, and says what it returned and how much processor time it took."""
    answer(0, 0)
    for line in sys.stdin:
        start = time.process_time()
        amount = do(json.loads(line))
        answer(amount, time.process_time() - start)
