package batchfolder_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/cli/batchfolder"
	"github.com/voicewright/voicewright/app/cli/usage"
)

// TestNextRunContinues stops a run between two rows: the next one knows which file is done and with which generation the other
// row was begun, and only one run at a time has the folder.
func TestNextRunContinues(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	rows := []batchfolder.Row{{Number: 1, Hash: "h1", File: "1.wav"}, {Number: 2, Hash: "h2", File: "2.wav"}}
	first, err := batchfolder.Open(dir)
	require.NoError(t, err)
	_, err = batchfolder.Open(dir)
	require.ErrorContains(t, err, "another command is writing to "+dir)
	require.NoError(t, first.Begin(rows))
	require.NoError(t, os.WriteFile(first.Path("1.wav"), []byte("one"), 0o600))
	done := rows[0].Entry("g1")
	done.Done = true
	require.NoError(t, first.Record(done))
	require.NoError(t, first.Record(rows[1].Entry("g2")))
	rows[0].Done = true
	require.NoError(t, first.Add(rows[0].Result(1)))
	require.NoError(t, first.End(rows))
	first.Unlock()

	next, err := batchfolder.Open(dir)
	require.NoError(t, err)
	defer next.Unlock()
	file, made := next.Made("h1")
	require.True(t, made)
	require.Equal(t, "1.wav", file)
	file, made = next.Made("h2")
	require.False(t, made)
	require.Equal(t, "2.wav", file)
	require.Equal(t, "g2", next.Generation("h2"))
	require.Equal(t, []string{"1.wav"}, next.Unused(rows[1:]))
	report, err := os.ReadFile(next.Path(batchfolder.Report))
	require.NoError(t, err)
	require.Equal(t, "row,status,file,error\n1,complete,1.wav,\n", string(report))
}

// TestReportOfSomethingElse leaves a folder as it is whose report.csv is none of a batch.
func TestReportOfSomethingElse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, batchfolder.Report), []byte("month,sum\n1,2\n"), 0o600))
	_, err := batchfolder.Open(dir)
	require.ErrorAs(t, err, new(usage.Error))
	found, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, found, 1)
}
