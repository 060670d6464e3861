package models_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
)

// waitLimit is how long a test waits for an expected event.
const waitLimit = 2 * time.Minute

// holdHub makes the hub send half of each graph, and the other half after releaseHub, so that a test can act in the middle of a
// download.
func (l *fixture) holdHub() {
	l.hold = make(chan struct{})
	l.server.Storage("", hubtest.Always, hubtest.Hold(size/2, l.hold))
}

// releaseHub makes the hub send the complete graphs.
func (l *fixture) releaseHub() {
	close(l.hold)
	l.server.Heal()
}

func (l *fixture) download(name string) {
	l.t.Helper()
	_, err := l.manager.Download(l.t.Context(), name, false)
	require.NoError(l.t, err)
	l.until(name, backend.DownloadComplete)
}

// until waits for a status of the progress.
func (l *fixture) until(name string, want backend.DownloadStatus) backend.ModelProgress {
	l.t.Helper()
	var p backend.ModelProgress
	for late := time.Now().Add(waitLimit); time.Now().Before(late); time.Sleep(time.Millisecond) {
		var err error
		p, err = l.manager.Progress(name)
		require.NoError(l.t, err)
		if p.Status == want {
			return p
		}
	}
	require.Failf(l.t, "the status is never reached", "%s is not %s: %+v", name, want, p)
	return p
}

// waitHalf waits until a download from a held hub is running, and half of the graph is on the disk.
func (l *fixture) waitHalf(name string) {
	l.t.Helper()
	part := filepath.Join(l.dir, "models--acme--"+name, "blobs", l.server.SHA256("acme/"+name, name+".graph")+".resume.incomplete")
	require.Eventually(l.t, func() bool {
		p, err := l.manager.Progress(name)
		info, statErr := os.Stat(part)
		return err == nil && p.Status == backend.DownloadRunning && statErr == nil && info.Size() == size/2
	}, waitLimit, time.Millisecond)
}

// requireResumed checks that a graph was requested once, and once more from the byte after the partial file.
func (l *fixture) requireResumed(name string) {
	l.t.Helper()
	var ranges []string
	for _, r := range l.server.Requests(name + ".graph") {
		if r.Storage {
			ranges = append(ranges, r.Range)
		}
	}
	require.Equal(l.t, []string{"", fmt.Sprintf("bytes=%d-", size/2)}, ranges, "the partial file is not downloaded again")
}

// waitGated waits until the gate of a model is closed.
func (l *fixture) waitGated(name string) {
	l.t.Helper()
	require.Eventually(l.t, func() bool { return l.manager.Gated(name) }, waitLimit, time.Millisecond)
}

// reports returns the reported progress of a model, up to the current one, which the Manager reports a moment after it changed.
func (l *fixture) reports(name string) []backend.ModelProgress {
	l.t.Helper()
	require.Eventually(l.t, func() bool {
		now, err := l.manager.Progress(name)
		l.mu.Lock()
		defer l.mu.Unlock()
		sent := l.progress[name]
		return err == nil && (now.Status == backend.DownloadIdle || len(sent) > 0 && sent[len(sent)-1] == now)
	}, waitLimit, time.Millisecond, "the progress of %s is not complete", name)
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.progress[name])
}
