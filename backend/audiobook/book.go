// Package audiobook writes the audio of a book: one m4b file that players of audiobooks read, or a folder with a file for each chapter.
// Memory is flat for any length, and no file but the finished one has all of the audio.
package audiobook

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// Book is what is written: the audio of its chapters, and what players show.
type Book struct {
	Meta     Meta
	Cover    []byte // a JPEG or PNG file; nil = none
	Chapters []Chapter
}

// Meta is what players show of a book. Empty strings are unknown.
type Meta struct {
	Title, Author, Narrator string
	Description             string // may have several lines
	Year                    string
	Genre                   string // "" = Audiobook
	Language                string // BCP 47
	Publisher, ISBN         string
	Series, SeriesPart      string
	Statement               string // that no person said this, see backend.SyntheticSpeech
}

// Chapter is one entry of a player's list. One without audio is left out.
type Chapter struct {
	Title string // "" = its number
	Clips []Clip
}

// Clip is a file of a chapter with silence around it. Several channels become one.
type Clip struct {
	Path          string
	Gain          float64       // linear; 0 = as it is. Peaks of what becomes louder are limited to audio.CeilingDBTP
	Before, After time.Duration // of silence
}

// Codecs decode and encode audio. *audio.Codecs is one.
type Codecs interface {
	Ready(ctx context.Context, format string) error
	EncodeFrom(ctx context.Context, path string, t audio.Target, write func(emit func([]float32) error) error) error
	StreamMono(ctx context.Context, path string, rate int, emit func([]float32) error) error
}

var _ Codecs = (*audio.Codecs)(nil)

// Layout is a book with the lengths of its chapters. It is written as one channel.
type Layout struct {
	codecs   Codecs
	book     Book
	rate     int // Hz
	chapters []chapter
	part     int // from 1; 0 = the whole book
	parts    int
}

// chapter is a chapter with its length.
type chapter struct {
	number int // in the book, from 1
	title  string
	clips  []clip
	frames int64
}

// clip is a clip with its lengths in frames.
type clip struct {
	Clip
	before, frames, after int64
}

func (c clip) length() int64 { return c.before + c.frames + c.after }

// usualRate is the rate in Hz of a book without audio.
const usualRate = 24_000

// maxRate is the highest rate in Hz of a book; more is no use for speech, and AAC ends at twice of it.
const maxRate = 48_000

// Measure returns the layout of a book at a rate in Hz, 0 for the highest of its WAV files. The lengths of WAV files are read from
// their headers, other files are decoded. Errors: those of backend.CheckCover for a cover; unsupported_media and for a file that is no
// audio; audio_missing for a missing file; runtime_missing for one that needs ffmpeg; backend.ErrCancelled soon after ctx ends.
func Measure(ctx context.Context, codecs Codecs, book Book, rate int) (Layout, error) {
	l := Layout{codecs: codecs, book: book, rate: rate}
	if book.Cover != nil {
		if err := backend.CheckCover(book.Cover); err != nil {
			return Layout{}, err
		}
	}
	known, highest, err := probeAll(ctx, book)
	if err != nil {
		return Layout{}, err
	}
	if rate == 0 {
		l.rate = min(highest, maxRate)
	}
	for i, c := range book.Chapters {
		if c.Title = oneLine(c.Title); c.Title == "" {
			c.Title = fmt.Sprint(i + 1)
		}
		measured := chapter{number: i + 1, title: c.Title}
		for _, one := range c.Clips {
			frames, err := l.frames(ctx, one.Path, known)
			if err != nil {
				return Layout{}, err
			}
			m := clip{Clip: one, before: l.silence(one.Before), frames: frames, after: l.silence(one.After)}
			measured.clips = append(measured.clips, m)
			measured.frames += m.length()
		}
		if measured.frames > 0 {
			l.chapters = append(l.chapters, measured)
		}
	}
	return l, nil
}

// probeAll returns the formats and the lengths of the files of a book by their paths, and the highest rate.
func probeAll(ctx context.Context, book Book) (known map[string]audio.Info, rate int, err error) {
	known = map[string]audio.Info{}
	for _, c := range book.Chapters {
		for _, clip := range c.Clips {
			if err := ctx.Err(); err != nil {
				return nil, 0, backend.ErrCancelled.WithCause(err)
			}
			info, err := probe(clip.Path)
			if err != nil {
				return nil, 0, err
			}
			known[clip.Path] = info
			rate = max(rate, info.Rate)
		}
	}
	if rate == 0 {
		rate = usualRate
	}
	return known, rate, nil
}

// errMissing is about a file that is gone.
var errMissing = backend.E(backend.CodeAudioMissing, "The audio file of a chapter is missing.", "Regenerate the chapter.")

// probe returns the format and the length of a WAV file, no rate for another file.
func probe(path string) (audio.Info, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return audio.Info{}, errMissing.WithCause(err)
	}
	if err != nil {
		return audio.Info{}, backend.FileError("measure a book", "the audio file", err)
	}
	defer func() { _ = f.Close() }()
	info, err := audio.ProbeWAV(f)
	var other *audio.FormatError
	if errors.As(err, &other) && (other.Class == audio.ClassNotWAV || other.Class == audio.ClassUnsupported) {
		return audio.Info{}, nil
	}
	return info, err
}

// frames returns the length of a file at the rate of the book, and stores it in known.
func (l Layout) frames(ctx context.Context, path string, known map[string]audio.Info) (int64, error) {
	info := known[path]
	if info.Rate == 0 {
		info.Rate = l.rate
		err := l.codecs.StreamMono(ctx, path, l.rate, func(samples []float32) error {
			info.Frames += int64(len(samples))
			return nil
		})
		if err != nil {
			return 0, err
		}
		known[path] = info
	}
	if info.Rate == l.rate {
		return info.Frames, nil
	}
	return int64(math.Round(float64(info.Frames) * float64(l.rate) / float64(info.Rate))), nil
}

func (l Layout) silence(d time.Duration) int64 { return max(0, audio.Frames(d.Seconds(), l.rate)) }

// Seconds returns the playing time.
func (l Layout) Seconds() float64 { return audio.Seconds(l.frameCount(), l.rate) }

func (l Layout) frameCount() (n int64) {
	for _, c := range l.chapters {
		n += c.frames
	}
	return n
}

// Title returns the title of the book, with the number of the part where it has several: "Moby Dick, part 1 of 3".
func (l Layout) Title() string {
	title := oneLine(l.book.Meta.Title)
	if l.parts < 2 {
		return title
	}
	return fmt.Sprintf("%s, part %d of %d", title, l.part, l.parts)
}

// Chapters returns the chapters that have audio, each with the frames before it.
func (l Layout) Chapters() []audio.Chapter {
	var out []audio.Chapter
	var at int64
	for _, c := range l.chapters {
		out = append(out, audio.Chapter{Title: c.title, Start: at})
		at += c.frames
	}
	return out
}

// Rate returns the sample rate in Hz.
func (l Layout) Rate() int { return l.rate }
