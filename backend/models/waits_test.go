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

// patience is how long a test waits for what must happen.
const patience = 30 * time.Second

// pausing makes the hub give half of each graph and wait with the rest until goOn: what happens meanwhile happens in the
// middle of a download, however slow the machine is.
func (l *lab) pausing() {
	l.rest = make(chan struct{})
	l.server.Storage("", hubtest.Always, hubtest.Hold(size/2, l.rest))
}

// goOn lets the hub give everything.
func (l *lab) goOn() {
	close(l.rest)
	l.server.Heal()
}

func (l *lab) download(name string) {
	l.t.Helper()
	_, err := l.manager.Download(l.t.Context(), name, false)
	require.NoError(l.t, err)
	l.until(name, backend.DownloadComplete)
}

// until waits for a status of the progress record.
func (l *lab) until(name string, want backend.DownloadStatus) backend.ModelProgress {
	l.t.Helper()
	var p backend.ModelProgress
	for late := time.Now().Add(patience); time.Now().Before(late); time.Sleep(time.Millisecond) {
		var err error
		p, err = l.manager.Progress(name)
		require.NoError(l.t, err)
		if p.Status == want {
			return p
		}
	}
	require.Failf(l.t, "the status never comes", "%s is not %s: %+v", name, want, p)
	return p
}

// begun waits until a download of a hub that is pausing is told to run and has all that it gets on the disk.
func (l *lab) begun(name string) {
	l.t.Helper()
	part := filepath.Join(l.dir, "models--acme--"+name, "blobs", l.server.SHA256("acme/"+name, name+".graph")+".resume.incomplete")
	require.Eventually(l.t, func() bool {
		p, err := l.manager.Progress(name)
		info, gone := os.Stat(part)
		return err == nil && p.Status == backend.DownloadRunning && gone == nil && info.Size() == size/2
	}, patience, time.Millisecond)
}

// wentOn checks that a graph was asked for once, and once more from the byte on to which it had come. What a hub writes to a
// client that has just gone says nothing.
func (l *lab) wentOn(name string) {
	l.t.Helper()
	var ranges []string
	for _, r := range l.server.Requests(name + ".graph") {
		if r.Storage {
			ranges = append(ranges, r.Range)
		}
	}
	require.Equal(l.t, []string{"", fmt.Sprintf("bytes=%d-", size/2)}, ranges, "what was there is not fetched again")
}

// gated waits until a model is closed for new work.
func (l *lab) gated(name string) {
	l.t.Helper()
	require.Eventually(l.t, func() bool { return l.manager.Gated(name) }, patience, time.Millisecond)
}

// reports gives the progress records of a model, up to the one that the Manager gives: what happened is seen in the
// Manager an instant before it is told.
func (l *lab) reports(name string) []backend.ModelProgress {
	l.t.Helper()
	require.Eventually(l.t, func() bool {
		now, err := l.manager.Progress(name)
		l.mu.Lock()
		defer l.mu.Unlock()
		told := l.told[name]
		return err == nil && (now.Status == backend.DownloadIdle || len(told) > 0 && told[len(told)-1] == now)
	}, patience, time.Millisecond, "%s is not told to the end", name)
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.told[name])
}
