package audiobook_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/abema/go-mp4"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/audiobook"
)

// Up to 255 chapters players find two lists of them, above one, and each chapter is where its first sample is.
func TestChaptersStartWhereTheirSoundDoes(t *testing.T) {
	path := tone(t, 1201, 440) // 50.04 ms: rounding each length would drift
	cover := picture(t, "jpeg")
	for _, n := range []int{24, 255, 256, 1025} {
		file, l := write(t, audiobook.Book{Meta: audiobook.Meta{Title: "A Book"}, Cover: cover, Chapters: chapters(n, path)})
		found := atoms(t, file)
		require.Equal(t, []byte{2}, found["stik"].Data, "an audiobook")
		require.Equal(t, cover, found["covr"].Data)
		starts := l.Chapters()
		p := probe(t, file)
		require.Len(t, p.Chapters, n)
		for i, c := range p.Chapters {
			require.Equal(t, starts[i].Title, c.Tags["title"])
			require.Equal(t, "1/1000", c.TimeBase)
			require.InDelta(t, float64(i)*1201/rate, float64(c.Start)/1000, 0.000501, "chapter %d of %d", i, n)
		}
		require.Equal(t, "aac", p.Streams[0].Codec)
		require.InDelta(t, l.Seconds(), seconds(t, p.Streams[0].Duration), 0.001)

		list := nero(t, file)
		if n > audio.MaxBothLists {
			require.Nil(t, list, "its number of %d chapters does not fit", n)
			continue
		}
		require.Len(t, list, n)
		for i, c := range list {
			require.Equal(t, starts[i].Title, c.title)
			require.Equal(t, starts[i].Start, int64(math.Round(float64(c.start)*rate/1e7)), "the sample of chapter %d", i)
		}
	}
}

// The sound of a chapter is at its mark: three tones with pauses.
func TestSoundIsAtItsMark(t *testing.T) {
	var book audiobook.Book
	for i, hz := range []float64{300, 900, 2700} {
		book.Chapters = append(book.Chapters, audiobook.Chapter{Title: "Tone", Clips: []audiobook.Clip{
			{Path: tone(t, rate/2, hz), Gain: math.Pow(0.5, float64(i)), Before: 250 * time.Millisecond, After: 100 * time.Millisecond},
			{Path: tone(t, rate/4, hz), Gain: math.Pow(0.5, float64(i))},
		}})
	}
	file, l := write(t, book)
	sound, err := audio.FindCodecs().Decode(t.Context(), file)
	require.NoError(t, err)
	const aacFrame = 1024
	require.InDelta(t, 3*1.1*rate+aacFrame/2, sound.Frames(), aacFrame/2, "ffmpeg decodes the last frame to its end")
	for i, c := range l.Chapters() {
		require.Equal(t, int64(i)*11*rate/10, c.Start)
		at := sound.Samples[c.Start:]
		require.Less(t, level(at[rate/20:rate/5]), 0.001, "the pause before it")
		require.InDelta(t, 0.25/math.Sqrt2*math.Pow(0.5, float64(i)), level(at[rate*3/10:rate*7/10]), 0.01)
		require.Less(t, level(at[rate*31/40:rate*33/40]), 0.001, "the pause in it")
	}
	first := sound.Samples[rate/4+rate/20:]
	shift := func(by int) (sum float64) {
		for i := range rate / 4 {
			sum += math.Sin(2*math.Pi*300*float64(i+rate/20)/rate) * float64(first[i+by])
		}
		return sum
	}
	for by := 1; by < rate/300/2; by++ {
		require.Greater(t, shift(0), shift(by), "the encoder's own silence before the first sample is left out")
	}
}

// What becomes louder than a file can hold is limited, and is as long as before.
func TestPeaksAreLimited(t *testing.T) {
	path := tone(t, rate, 1000)
	book := audiobook.Book{Chapters: chapters(2, path)}
	book.Chapters[0].Clips[0].Gain, book.Chapters[1].Clips[0].Gain = 6, 2
	l, err := audiobook.Measure(t.Context(), audio.FindCodecs(), book, 0)
	require.NoError(t, err)
	paths, err := l.WriteFolder(t.Context(), t.TempDir(), "wav", audiobook.Options{})
	require.NoError(t, err)
	for i, want := range []float64{audio.FromDB(audio.CeilingDBTP), 0.5} {
		sound, err := audio.FindCodecs().Decode(t.Context(), paths[i])
		require.NoError(t, err)
		require.Equal(t, rate, sound.Frames())
		middle := sound.Samples[rate/4 : 3*rate/4]
		require.InDelta(t, want, slices.Max(middle), 0.01)
		require.InDelta(t, want/math.Sqrt2, level(middle), 0.01)
	}
}

func level(samples []float32) float64 {
	var sum float64
	for _, x := range samples {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum / float64(len(samples)))
}

var hollowHill = audiobook.Meta{
	Title: "The Hollow Hill", Author: "Ada Lovelace", Narrator: "Kokoro Heart", Description: "A hill.\n\nIt is hollow; # = so.",
	Year: "2026", Genre: "Fantasy", Language: "pt_br", Publisher: "Small Press", ISBN: "978-3-16-148410-0", Series: "Hills", SeriesPart: "3",
	Statement: "Synthetic speech by Voicewright",
}

func TestPlayersOfAppleReadTheTags(t *testing.T) {
	for format, kind := range map[string]uint32{"jpeg": 13, "png": 14} {
		cover := picture(t, format)
		file, _ := write(t, audiobook.Book{Meta: hollowHill, Cover: cover, Chapters: chapters(2, tone(t, 1200, 440))})
		f, err := os.Open(file)
		require.NoError(t, err)
		defer func() { _ = f.Close() }()
		brands, err := mp4.ExtractBoxWithPayload(f, nil, mp4.BoxPath{mp4.BoxTypeFtyp()})
		require.NoError(t, err)
		require.Equal(t, "M4B ", string(brands[0].Payload.(*mp4.Ftyp).MajorBrand[:]))
		var order []string
		_, err = mp4.ReadBoxStructure(f, func(h *mp4.ReadHandle) (any, error) {
			order = append(order, h.BoxInfo.Type.String())
			return nil, nil
		})
		require.NoError(t, err)
		require.Equal(t, []string{"ftyp", "moov", "free", "mdat"}, order, "players begin before they have all of it")

		found := atoms(t, file)
		text := map[string]string{}
		for key, value := range found {
			if value.DataType == mp4.DataTypeStringUTF8 {
				text[key] = string(value.Data)
			}
		}
		require.Equal(t, map[string]string{
			"\xA9nam": "The Hollow Hill", "\xA9alb": "The Hollow Hill", "\xA9ART": "Ada Lovelace", "aART": "Ada Lovelace",
			"\xA9wrt": "Kokoro Heart", "desc": hollowHill.Description, "\xA9day": "2026",
			"\xA9gen": "Fantasy", "\xA9grp": "Hills #3", "\xA9cmt": "Synthetic speech by Voicewright", "\xA9too": "Voicewright",
			"NARRATOR": "Kokoro Heart", "LANGUAGE": "pt-BR", "ISBN": "978-3-16-148410-0", "PUBLISHER": "Small Press", "SERIES": "Hills",
			"SERIES-PART": "3", "SYNTHETIC-SPEECH": "Synthetic speech by Voicewright",
		}, text)
		require.Equal(t, hollowHill.Description, probe(t, file).Format.Tags["synopsis"], "ldes, which go-mp4 does not know")
		require.Equal(t, []byte{2}, found["stik"].Data)
		require.Equal(t, kind, found["covr"].DataType)
		require.Equal(t, cover, found["covr"].Data)
	}
}

// A book without a description has no comment: players would show that it is synthetic as what it is about.
func TestLittleIsKnown(t *testing.T) {
	file, _ := write(t, audiobook.Book{
		Meta: audiobook.Meta{Title: "T", Statement: "Synthetic speech", Language: "nonsense!"}, Chapters: chapters(1, tone(t, 1200, 440)),
	})
	found := atoms(t, file)
	require.NotContains(t, found, "\xA9cmt")
	require.NotContains(t, found, "\xA9ART")
	require.Equal(t, "Audiobook", string(found["\xA9gen"].Data))
	require.Equal(t, "Synthetic speech", string(found["SYNTHETIC-SPEECH"].Data))
	require.Equal(t, "und", probe(t, file).Streams[0].Tags["language"])
}

func TestHostileTitles(t *testing.T) {
	path := tone(t, 1200, 440)
	family := "👩\u200d👩\u200d👧"
	titles := map[string]string{
		"a\nb\r\nc\td\x00e\x1bf":          "a b c def",
		`;title=x #no \ [CHAPTER]`:        `;title=x #no \ [CHAPTER]`,
		"[CHAPTER]":                       "[CHAPTER]",
		"":                                "5",
		" \n\u202e ":                      "6",
		"פרק ראשון":                       "פרק ראשון",
		"\u202eevil\u202c":                "evil",
		strings.Repeat("x", 300):          strings.Repeat("x", 255),
		strings.Repeat("ü", 150):          strings.Repeat("ü", 127),
		strings.Repeat("x", 250) + family: strings.Repeat("x", 250),
		"bad \xff\xfe bytes":              "bad bytes",
		"=":                               "=",
	}
	order := []string{
		"a\nb\r\nc\td\x00e\x1bf", `;title=x #no \ [CHAPTER]`, "[CHAPTER]", "פרק ראשון", "", " \n\u202e ", "\u202eevil\u202c",
		strings.Repeat("x", 300), strings.Repeat("ü", 150), strings.Repeat("x", 250) + family, "bad \xff\xfe bytes", "=",
	}
	require.Len(t, order, len(titles))
	var book audiobook.Book
	for _, title := range order {
		book.Chapters = append(book.Chapters, audiobook.Chapter{Title: title, Clips: []audiobook.Clip{{Path: path}}})
	}
	book.Meta = audiobook.Meta{Title: order[7], Author: order[0], Narrator: order[1], Description: order[0], Series: order[9]}
	file, _ := write(t, book)
	p, list := probe(t, file), nero(t, file)
	require.Len(t, p.Chapters, len(order))
	require.Len(t, list, len(order))
	for i, title := range order {
		require.Equal(t, titles[title], p.Chapters[i].Tags["title"])
		require.Equal(t, titles[title], list[i].title)
		require.True(t, utf8.ValidString(list[i].title))
	}
	require.Equal(t, titles[order[7]], p.Format.Tags["title"])
	require.Equal(t, titles[order[0]], p.Format.Tags["artist"])
	require.Equal(t, titles[order[1]], p.Format.Tags["composer"])
}

// Files of voices with other rates, and compressed ones, become one book without a shift of its chapters.
func TestFilesOfSeveralKinds(t *testing.T) {
	slow := wavFile(t, 22050, make([]float32, 11027))
	flac := filepath.Join(t.TempDir(), "a.flac")
	codecs := audio.FindCodecs()
	require.NoError(t, codecs.Encode(t.Context(), slow, flac, "flac", nil))
	book := audiobook.Book{Chapters: []audiobook.Chapter{
		{Title: "One", Clips: []audiobook.Clip{{Path: slow}}},
		{Title: "Empty"},
		{Title: "Two", Clips: []audiobook.Clip{{Path: flac}, {Path: tone(t, 1201, 440)}}},
		{Title: "Three", Clips: []audiobook.Clip{{Path: slow}}},
	}}
	file, l := write(t, book)
	require.Equal(t, rate, l.Rate())
	const resampled = 12002 // 11027 * 24000 / 22050
	want := []audio.Chapter{{Title: "One"}, {Title: "Two", Start: resampled}, {Title: "Three", Start: 2*resampled + 1201}}
	require.Equal(t, want, l.Chapters())
	require.Len(t, probe(t, file).Chapters, 3)
}

func TestBooksThatCannotBeWritten(t *testing.T) {
	codecs := audio.FindCodecs()
	empty, err := audiobook.Measure(t.Context(), codecs, audiobook.Book{Chapters: []audiobook.Chapter{{Title: "Nothing"}}}, 0)
	require.NoError(t, err)
	dir := t.TempDir()
	dst := filepath.Join(dir, "a.m4b")
	require.Equal(t, backend.CodeAudioMissing, backend.CodeOf(empty.WriteM4B(t.Context(), dst, audiobook.Options{})))
	_, err = empty.WriteFolder(t.Context(), dir, "mp3", audiobook.Options{})
	require.Equal(t, backend.CodeAudioMissing, backend.CodeOf(err))

	_, err = audiobook.Measure(t.Context(), codecs, audiobook.Book{Chapters: chapters(1, dst)}, 0)
	require.Equal(t, backend.CodeAudioMissing, backend.CodeOf(err))
	require.Equal(t, "The audio file of a chapter is missing.", backend.AsError(err).Detail)

	require.NoError(t, os.WriteFile(dst, []byte("old"), 0o600))
	path := tone(t, 1200, 440)
	changed, err := audiobook.Measure(t.Context(), codecs, audiobook.Book{Chapters: chapters(2, path)}, 0)
	require.NoError(t, err)
	for _, other := range []string{tone(t, 1100, 440), tone(t, 1300, 440)} {
		content, err := os.ReadFile(other)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, content, 0o600))
		err = changed.WriteM4B(t.Context(), dst, audiobook.Options{})
		require.Equal(t, "The audio of a chapter changed during the export.", backend.AsError(err).Detail, "%v", err)
	}
	require.ErrorIs(t, changed.WriteM4B(t.Context(), filepath.Join(dir, "no", "a.m4b"), audiobook.Options{}), os.ErrNotExist)
	old, err := os.ReadFile(dst)
	require.NoError(t, err)
	require.Equal(t, "old", string(old))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

// A cancel in the middle leaves the former file and nothing else.
func TestCancelLeavesTheFormerFile(t *testing.T) {
	book := audiobook.Book{Chapters: chapters(400, tone(t, rate, 440))}
	l, err := audiobook.Measure(t.Context(), audio.FindCodecs(), book, 0)
	require.NoError(t, err)
	dir := t.TempDir()
	dst := filepath.Join(dir, "a.m4b")
	require.NoError(t, os.WriteFile(dst, []byte("old"), 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var cancelled time.Time
	err = l.WriteM4B(ctx, dst, audiobook.Options{Progress: func(share float64) {
		if share > 0.2 && cancelled.IsZero() {
			cancelled = time.Now()
			cancel()
		}
	}})
	t.Logf("ended %v after the cancel", time.Since(cancelled))
	require.ErrorIs(t, err, backend.ErrCancelled)
	old, err := os.ReadFile(dst)
	require.NoError(t, err)
	require.Equal(t, "old", string(old))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

func TestProgressEndsAtOne(t *testing.T) {
	l, err := audiobook.Measure(t.Context(), audio.FindCodecs(), audiobook.Book{Chapters: chapters(9, tone(t, 1201, 440))}, 0)
	require.NoError(t, err)
	var shares []float64
	require.NoError(t, l.WriteM4B(t.Context(), filepath.Join(t.TempDir(), "a.m4b"), audiobook.Options{Progress: func(share float64) {
		shares = append(shares, share)
	}}))
	require.IsIncreasing(t, shares)
	require.InDelta(t, 1, shares[len(shares)-1], 1e-9)
}

// The tags and the cover move the encoded audio and do not change it.
func TestSoundIsUntouchedByTheTags(t *testing.T) {
	path := tone(t, rate, 440)
	file, l := write(t, audiobook.Book{Meta: hollowHill, Cover: picture(t, "png"), Chapters: chapters(3, path)})
	plain := filepath.Join(t.TempDir(), "plain.m4b")
	require.NoError(t, os.WriteFile(plain, nil, 0o600))
	codecs := audio.FindCodecs()
	to := audio.Target{Format: audio.FormatM4B, Rate: rate, Channels: 1, Chapters: l.Chapters(), Frames: 3 * rate}
	require.NoError(t, codecs.EncodeFrom(t.Context(), plain, to, func(emit func([]float32) error) error {
		for range 3 {
			if err := codecs.StreamMono(t.Context(), path, rate, emit); err != nil {
				return err
			}
		}
		return nil
	}))
	require.Equal(t, packets(t, plain), packets(t, file))
	require.Equal(t, probe(t, plain).Chapters, probe(t, file).Chapters)
	require.Equal(t, nero(t, plain), nero(t, file))
}
