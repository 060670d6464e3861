package hub_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/build/bench/peer"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// BenchmarkHuggingFace compares a download with one of huggingface_hub, in turns: the same file from the same server, in memory, with
// the hash compared, which huggingface_hub leaves to the script. ratio is our time over its, ratio-unchecked that over its download
// alone, theirs-MB the most memory that the script has had.
func BenchmarkHuggingFace(b *testing.B) {
	dir, err := os.MkdirTemp("/dev/shm", "hub")
	if err != nil {
		b.Skip("there is no memory disk")
	}
	b.Cleanup(func() { _ = os.RemoveAll(dir) })
	served := filepath.Join(dir, "served")
	file := servedNoise(b, served)
	r := hub.Request{Repo: repoID, Revision: commit, Files: []hub.File{file}}
	base := startFileServer(b, served)
	theirs := peer.Start(b, enginetest.Root(b), "download_hub.py", base)
	work := struct{ Repo, Commit, File, Folder, Hash string }{repoID, commit, file.Path, filepath.Join(dir, "theirs"), file.SHA256}
	get := func(hash string) peer.Result {
		work.Hash = hash
		result := theirs.Do(b, work)
		require.EqualValues(b, 1, result.Amount, "huggingface_hub got other bytes")
		require.NoError(b, os.RemoveAll(work.Folder))
		return result
	}
	get("")
	for b.Loop() {
		cache := filepath.Join(dir, "ours")
		client := newClient(b, base, cache)
		begun := time.Now()
		_, err := client.Download(b.Context(), r, nil)
		took := time.Since(begun).Seconds()
		require.NoError(b, err)
		require.NoError(b, os.RemoveAll(cache))
		checked, unchecked := get(file.SHA256), get("")
		b.ReportMetric(took/checked.Took.Seconds(), "ratio")
		b.ReportMetric(took/unchecked.Took.Seconds(), "ratio-unchecked")
		b.ReportMetric(unchecked.PeakMB, "theirs-MB")
	}
	b.ReportMetric(0, "ns/op")
}
