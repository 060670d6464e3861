package whisper

import (
	"context"
	"runtime"
	"strings"

	"github.com/shirou/gopsutil/v4/cpu"

	"github.com/voicewright/voicewright/backend"
)

// checkCPU compares the instruction sets that the library was compiled for with those of this CPU. Error:
// backend.CodeUnsupportedCPU naming the missing ones.
func checkCPU(needed []string, has map[string]bool) error {
	var missing []string
	for _, set := range needed {
		if !has[set] {
			missing = append(missing, strings.ToUpper(set))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	list := strings.Join(missing, ", ")
	return backend.E(backend.CodeUnsupportedCPU, "Transcription in this build needs instructions that this processor lacks: "+list+".",
		"Build Voicewright on this machine, or with `make build WHISPER=baseline`.").With("missing", list)
}

// maxThreads is the number of threads beyond which a run gets no faster.
const maxThreads = 8

// threads returns the number of threads of a run: those that are asked for, else all, but never more than there are physical
// cores. The threads of the library wait for each other without sleeping, so that with more of them a run can take ten times as
// long.
func threads(requested, cores int) int {
	n := min(cores, maxThreads)
	if requested > 0 {
		n = min(n, requested)
	}
	return max(n, 1)
}

// physicalCores returns the number of physical cores that this process may use.
func physicalCores(ctx context.Context) int {
	usable := runtime.GOMAXPROCS(0) // fewer than there are under an affinity mask or a container's limit
	if n, err := cpu.CountsWithContext(ctx, false); err == nil && n > 0 {
		return min(n, usable)
	}
	return usable
}
