package audiobook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/audiobook"
)

func TestFolderOfChapters(t *testing.T) {
	book := audiobook.Book{Meta: hollowHill, Cover: picture(t, "png"), Chapters: chapters(2, tone(t, rate/2, 440))}
	codecs := audio.FindCodecs()
	l, err := audiobook.Measure(t.Context(), codecs, book, 0)
	require.NoError(t, err)
	for _, format := range backend.AudioFormats() {
		dir := filepath.Join(t.TempDir(), "new")
		last := 0.0
		paths, err := l.WriteFolder(t.Context(), dir, format, audiobook.Options{Progress: func(share float64) { last = share }})
		require.NoError(t, err)
		require.InDelta(t, 1, last, 1e-9)
		require.Equal(t, []string{filepath.Join(dir, "01 - Chapter 1."+format), filepath.Join(dir, "02 - Chapter 2."+format)}, paths)
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, left, 3)
		cover, err := os.ReadFile(filepath.Join(dir, "cover.png"))
		require.NoError(t, err)
		require.Equal(t, book.Cover, cover)

		sound, err := codecs.DecodeMono(t.Context(), paths[0], rate)
		require.NoError(t, err)
		require.InDelta(t, rate/2, sound.Frames(), 2*1152)
		p := probe(t, paths[1])
		tags := map[string]string{}
		for _, from := range []map[string]string{p.Format.Tags, p.Streams[0].Tags} {
			for key, value := range from {
				tags[strings.ToLower(key)] = value
			}
		}
		want := map[string]string{
			"title": "Chapter 2", "album": "The Hollow Hill", "artist": "Ada Lovelace", "date": "2026", "genre": "Fantasy",
			"comment": "Synthetic speech by Voicewright",
		}
		if format != backend.FormatWAV {
			want["track"], want["composer"] = "2/2", "Kokoro Heart"
		}
		for key, value := range want {
			require.Equal(t, value, tags[key], "%s of %s", key, format)
		}
	}
}

// Every system takes the names.
func TestNamesOfHostileTitles(t *testing.T) {
	book := audiobook.Book{Chapters: chapters(4, tone(t, 100, 440))}
	for i, title := range []string{`../What? "A/B": con.`, strings.Repeat("é", 200), "???", "CON"} {
		book.Chapters[i].Title = title
	}
	l, err := audiobook.Measure(t.Context(), audio.FindCodecs(), book, 0)
	require.NoError(t, err)
	paths, err := l.WriteFolder(t.Context(), t.TempDir(), "wav", audiobook.Options{})
	require.NoError(t, err)
	var names []string
	for _, path := range paths {
		names = append(names, filepath.Base(path))
	}
	require.Equal(t, []string{"01 - What- -A-B-- con.wav", "02 - " + strings.Repeat("é", 60) + ".wav", "03.wav", "04 - _CON.wav"}, names)
}

func TestNumbersHaveTheDigitsOfTheLast(t *testing.T) {
	l, err := audiobook.Measure(t.Context(), audio.FindCodecs(), audiobook.Book{Chapters: chapters(101, tone(t, 100, 440))}, 0)
	require.NoError(t, err)
	paths, err := l.WriteFolder(t.Context(), t.TempDir(), "wav", audiobook.Options{})
	require.NoError(t, err)
	require.Equal(t, "001 - Chapter 1.wav", filepath.Base(paths[0]))
	require.IsIncreasing(t, paths)
}
