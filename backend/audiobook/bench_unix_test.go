//go:build unix

package audiobook_test

import (
	"fmt"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/audiobook"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// BenchmarkBook writes a book of six hours. MB is how much more memory this program has meanwhile than before, ffmpeg-MB what
// ffmpeg has, x-real-time seconds of audio per second of processor time, that of ffmpeg included.
func BenchmarkBook(b *testing.B) {
	const clipsOfChapter, chaptersOfBook = 93, 24 // of 9.65 s each
	var book audiobook.Book
	for i := range chaptersOfBook {
		c := audiobook.Chapter{Title: fmt.Sprintf("Chapter %d", i+1)}
		for range clipsOfChapter {
			c.Clips = append(c.Clips, audiobook.Clip{Path: "../audio/testdata/speech/LJ001-0001.wav", Gain: 0.9})
		}
		book.Chapters = append(book.Chapters, c)
	}
	book.Cover = picture(b, "jpeg")
	path := filepath.Join(b.TempDir(), "book.m4b")
	debug.FreeOSMemory() // what other benchmarks left
	before := enginetest.Resident(b)
	own, children := enginetest.ProcessorTime()
	highest, blocks, length := before, 0, 0.0
	look := func(float64) {
		if blocks++; blocks%500 == 0 {
			highest = max(highest, enginetest.Resident(b))
		}
	}
	for b.Loop() {
		l, err := audiobook.Measure(b.Context(), audio.FindCodecs(), book, 0)
		require.NoError(b, err)
		require.NoError(b, l.WriteM4B(b.Context(), path, audiobook.Options{Progress: look}))
		highest = max(highest, enginetest.Resident(b))
		length += l.Seconds()
	}
	ownAfter, childrenAfter := enginetest.ProcessorTime()
	var usage syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_CHILDREN, &usage))
	b.ReportMetric(float64(highest-before)/1e6, "MB")
	b.ReportMetric(float64(usage.Maxrss)*1024/1e6, "ffmpeg-MB") // of Linux; macOS counts bytes
	b.ReportMetric(length/(ownAfter-own+childrenAfter-children), "x-real-time")
}
