package audiobook_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audiobook"
)

// shelved is what Audiobookshelf shows of a file, by the rules of its scanner as of August 2026: from the first of some tags of ffprobe
// that has a value, in any case.
type shelved struct {
	Title, Description, Year, Language, Publisher, ISBN string
	Authors, Narrators, Genres, Series                  []string // a series is "name #sequence"
	Cover                                               bool
}

func shelve(p probed) shelved {
	tag := func(names ...string) string {
		for _, name := range names {
			for key, value := range p.Format.Tags {
				if value = strings.TrimSpace(value); strings.EqualFold(key, name) && value != "" {
					return value
				}
			}
		}
		return ""
	}
	split := func(s string, separators ...string) (out []string) {
		separator := "\x00"
		if i := slices.IndexFunc(separators, func(one string) bool { return strings.Contains(s, one) }); i >= 0 {
			separator = separators[i]
		}
		for one := range strings.SplitSeq(s, separator) {
			if one = strings.TrimSpace(one); one != "" {
				out = append(out, one)
			}
		}
		return out
	}
	b := shelved{
		Title: tag("album", "talb", "tal", "title", "tit2", "tt2"), Description: tag("description", "desc", "comment", "comm", "com"),
		Year: tag("date", "tyer", "tye"), Language: tag("language", "lang"), Publisher: tag("publisher", "tpub", "tpb"), ISBN: tag("isbn"),
		Authors:   split(tag("artist", "tpe1", "tp1", "albumartist", "album_artist", "tpe2"), "&", " and ", ";", ","),
		Narrators: split(tag("composer", "tcom", "tcm"), "&", " and ", ";", ","), Genres: split(tag("genre", "tcon", "tco"), "/", "//", ";"),
	}
	if name, part := tag("series", "show", "mvnm"), tag("series-part", "episode_id", "mvin", "part"); name != "" {
		b.Series = []string{strings.TrimSuffix(name+" #"+part, " #")}
	} else {
		b.Series = split(tag("grouping", "grp1"), ";")
	}
	for _, s := range p.Streams {
		b.Cover = b.Cover || s.Type == "video"
	}
	return b
}

// What is known of a book is what Audiobookshelf shows.
func TestAudiobookshelfReadsTheTags(t *testing.T) {
	sound := chapters(2, tone(t, 1200, 440))
	for name, c := range map[string]struct {
		meta audiobook.Meta
		want shelved
	}{
		"everything": {hollowHill, shelved{
			Title: "The Hollow Hill", Description: hollowHill.Description, Year: "2026", Language: "pt-BR", Publisher: "Small Press",
			ISBN: "978-3-16-148410-0", Authors: []string{"Ada Lovelace"}, Narrators: []string{"Kokoro Heart"}, Genres: []string{"Fantasy"},
			Series: []string{"Hills #3"}, Cover: true,
		}},
		"several of each": {
			audiobook.Meta{
				Title: "T", Author: "Ada Lovelace, Mary Shelley", Narrator: "Heart & Bella", Genre: "Fantasy; Horror", Series: "Hills", SeriesPart: "1.5",
			},
			shelved{
				Title: "T", Authors: []string{"Ada Lovelace", "Mary Shelley"}, Narrators: []string{"Heart", "Bella"}, Genres: []string{"Fantasy", "Horror"},
				Series: []string{"Hills #1.5"}, Cover: true,
			},
		},
		"a series without a number": {
			audiobook.Meta{Title: "T", Series: "Hills"}, shelved{Title: "T", Genres: []string{"Audiobook"}, Series: []string{"Hills"}, Cover: true},
		},
		"the title alone": {
			audiobook.Meta{Title: "T", Statement: "Synthetic speech"}, shelved{Title: "T", Genres: []string{"Audiobook"}, Cover: true},
		},
	} {
		file, _ := write(t, audiobook.Book{Meta: c.meta, Cover: picture(t, "jpeg"), Chapters: sound})
		p := probe(t, file)
		require.Equal(t, c.want, shelve(p), name)
		if c.meta.Series != "" { // an older version reads the group
			delete(p.Format.Tags, "SERIES")
			require.Equal(t, c.want.Series, shelve(p).Series, name)
		}
	}
	file, _ := write(t, audiobook.Book{Meta: hollowHill, Chapters: sound})
	p := probe(t, file)
	require.False(t, shelve(p).Cover)
	require.Equal(t, "por", p.Streams[0].Tags["language"], "that of the sound")
}

// Audiobookshelf takes the chapters as ffprobe prints them, in the order of their starts, with the title without blanks around it.
func TestAudiobookshelfReadsTheChapters(t *testing.T) {
	book := audiobook.Book{Meta: hollowHill, Chapters: chapters(3, tone(t, 1201, 440))}
	book.Chapters[1].Title = "  The  Cave "
	file, l := write(t, book)
	var starts []float64
	var titles []string
	for _, c := range probe(t, file).Chapters {
		start, err := strconv.ParseFloat(c.StartTime, 64)
		require.NoError(t, err)
		starts, titles = append(starts, start), append(titles, strings.TrimSpace(c.Tags["title"]))
	}
	require.True(t, slices.IsSorted(starts))
	for i, c := range l.Chapters() {
		require.InDelta(t, float64(c.Start)/rate, starts[i], 0.000501)
	}
	require.Equal(t, []string{"Chapter 1", "The Cave", "Chapter 3"}, titles)
}
