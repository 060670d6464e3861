package audiobook_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/audiobook"
)

// hours returns a book whose chapters have these lengths in hours, each a short tone and a pause.
func hours(t *testing.T, lengths ...float64) audiobook.Layout {
	t.Helper()
	book := audiobook.Book{Meta: audiobook.Meta{Title: "Long", Author: "A"}}
	path := tone(t, 1200, 440)
	for _, h := range lengths {
		after := time.Duration(h*float64(time.Hour)) - 50*time.Millisecond
		book.Chapters = append(book.Chapters, audiobook.Chapter{Clips: []audiobook.Clip{{Path: path, After: after}}})
	}
	l, err := audiobook.Measure(t.Context(), audio.FindCodecs(), book, 0)
	require.NoError(t, err)
	return l
}

func TestPartsEndWithChapters(t *testing.T) {
	for _, c := range []struct {
		chapters []float64
		want     []int // chapters of each part
	}{
		{[]float64{10, 13.9}, []int{2}},
		{[]float64{24}, []int{1}},
		{[]float64{10, 15}, []int{1, 1}},
		{[]float64{5, 5, 5, 5, 5}, []int{3, 2}},
		{[]float64{1, 1, 1, 22, 1}, []int{3, 2}},
		{[]float64{8, 8, 8, 8, 8, 8, 8}, []int{3, 3, 1}},
		{[]float64{1, 30, 1}, []int{1, 1, 1}},
		{nil, []int{0}},
	} {
		l := hours(t, c.chapters...)
		var got []int
		var seconds float64
		for _, part := range l.Parts(audiobook.MaxPart) {
			got = append(got, len(part.Chapters()))
			seconds += part.Seconds()
		}
		require.Equal(t, c.want, got, "%v", c.chapters)
		require.InDelta(t, l.Seconds(), seconds, 1e-6)
	}
	parts := hours(t, 20, 20, 20).Parts(audiobook.MaxPart)
	require.Equal(t, "Long, part 2 of 3", parts[1].Title())
	require.Equal(t, "Long", hours(t, 1).Title())
	require.Equal(t, []audio.Chapter{{Title: "2"}}, parts[1].Chapters(), "it begins at 0 and keeps its number")
}

// A chapter that is longer than a part is cut between its clips.
func TestLongChapterGoesOn(t *testing.T) {
	path := tone(t, 1200, 440)
	var clips []audiobook.Clip
	for range 5 {
		clips = append(clips, audiobook.Clip{Path: path, After: 10 * time.Hour})
	}
	book := audiobook.Book{Chapters: []audiobook.Chapter{{Title: "All", Clips: clips}, {Title: "End", Clips: clips[:1]}}}
	l, err := audiobook.Measure(t.Context(), audio.FindCodecs(), book, 0)
	require.NoError(t, err)
	var got [][]string
	for _, part := range l.Parts(audiobook.MaxPart) {
		require.LessOrEqual(t, part.Seconds(), audiobook.MaxPart.Seconds())
		var titles []string
		for _, c := range part.Chapters() {
			titles = append(titles, c.Title)
		}
		got = append(got, titles)
	}
	require.Equal(t, [][]string{{"All"}, {"All"}, {"All", "End"}}, got)
}

// A part says which one it is, and that it is of the same book.
func TestPartIsAFileOfTheBook(t *testing.T) {
	book := audiobook.Book{Meta: audiobook.Meta{Title: "Long"}, Chapters: chapters(4, tone(t, rate, 440))}
	l, err := audiobook.Measure(t.Context(), audio.FindCodecs(), book, 0)
	require.NoError(t, err)
	parts := l.Parts(2 * time.Second)
	require.Len(t, parts, 2)
	path := t.TempDir() + "/2.m4b"
	require.NoError(t, parts[1].WriteM4B(t.Context(), path, audiobook.Options{}))
	p := probe(t, path)
	require.Equal(t, "Long, part 2 of 2", p.Format.Tags["title"])
	require.Equal(t, "Long", p.Format.Tags["album"])
	require.Equal(t, "2/2", p.Format.Tags["disc"])
	require.Equal(t, "Chapter 3", p.Chapters[0].Tags["title"])
	require.Zero(t, p.Chapters[0].Start)
}

// Starts are sums of samples: at hour 50 they are still exact.
func TestStartsDoNotDrift(t *testing.T) {
	lengths := make([]float64, 601)
	for i := range lengths {
		lengths[i] = 1.0/12 + 1.0/(3*rate*3600) // a third of a sample more than five minutes, which is rounded
	}
	chapters := hours(t, lengths...).Chapters()
	require.Equal(t, int64(50*3600*rate), chapters[600].Start)
}

func TestEstimateOfTheSize(t *testing.T) {
	for _, c := range []struct {
		format  string
		bitRate int
		want    int64
	}{
		{"wav", 0, 172_800_000},
		{"flac", 0, 86_400_000},
		{"m4b", 0, 29_306_250},
		{"m4b", 96, 43_706_250},
		{"opus", 0, 28_800_000},
		{"opus", 32, 14_400_000},
		{"mp3", 128, 57_600_000},
	} {
		require.Equal(t, c.want, audiobook.EstimateBytes(c.format, 3600, rate, c.bitRate), c.format)
	}
	longest := audiobook.EstimateBytes("m4b", audiobook.MaxPart.Seconds(), 48_000, audiobook.MaxBitRate)
	require.Less(t, longest, int64(4<<30), "a part is never larger than 4 GiB")
}
