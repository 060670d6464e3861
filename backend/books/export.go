package books

import (
	"cmp"
	"context"
	"math"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/books/voices"
	"github.com/voicewright/voicewright/backend/speech"
)

// defaultChapterPause is the silence after a chapter in seconds.
const defaultChapterPause = 2.0

// Export is the sound of a book in order.
type Export struct {
	backend.BookDetails
	Cover    string // path of the picture, empty without one
	Chapters []ExportChapter
	Limit    bool // some sound becomes louder than its file, so that its peaks have to be limited
	Comment  string
}

// ExportChapter is a chapter of an export.
type ExportChapter struct {
	ID    string
	Title string
	Level int
	Files []ExportFile
	Pause float64 // seconds of silence after it; none after the last one
}

// ExportFile is the sound of a part of a chapter.
type ExportFile struct {
	Generation string
	Path       string
	Format     string
	Rate       int // Hz
	Channels   int
	Frames     int64   // at Rate
	Gain       float64 // linear, which brings the voice to the target loudness over the whole book
}

// Export returns the sound of chapters, of all that are not skipped where none is named, so that each voice has one gain over the whole
// book. Chapters without words are left out. Errors: not_found, not_in_progress with the first chapter that is not complete,
// nothing_to_speak.
func (s *Service) Export(ctx context.Context, id string, chapters []string) (Export, error) {
	b, err := s.load(ctx, id)
	if err != nil {
		return Export{}, err
	}
	e := &edition{Book: b, store: s.o.Store}
	wanted, err := e.indexes(chapters)
	if err != nil {
		return Export{}, err
	}
	rows, err := runner{s}.wholeSound(ctx, b)
	if err != nil {
		return Export{}, err
	}
	out := Export{BookDetails: b.BookDetails}
	out.Narrator = voices.Reader(&b)
	if b.Cover != "" {
		if out.Cover, err = s.CoverFile(ctx, id); err != nil {
			return Export{}, err
		}
	}
	var all []backend.Generation
	gains := rows.gains(b)
	for _, i := range wanted {
		c := &b.Chapters[i]
		if len(c.Asks) == 0 {
			continue
		}
		if !current(&b, c, c.Parts) || !rows.complete(c.Parts) {
			return Export{}, errUnfinished(b, i)
		}
		chapter := ExportChapter{ID: c.ID, Title: c.Title, Level: c.Level}
		chapter.Pause = *cmp.Or(c.Options.Over(b.Options).ChapterPause, new(defaultChapterPause))
		for _, p := range c.Parts {
			g := rows[p.Generation]
			chapter.Files = append(chapter.Files, exportFile(g, gains[g.ID]))
			out.Limit = out.Limit || gains[g.ID] > 1
			all = append(all, g)
		}
		out.Chapters = append(out.Chapters, chapter)
	}
	if len(out.Chapters) == 0 {
		return Export{}, speech.ErrNothing
	}
	out.Chapters[len(out.Chapters)-1].Pause = 0
	out.Comment = backend.SyntheticSpeech(all...)
	return out, nil
}

func errUnfinished(b backend.Book, chapter int) error {
	c := b.Chapters[chapter]
	return backend.E(backend.CodeNotInProgress, "The chapter “"+c.Title+"” is not generated as it is now.",
		"Generate the book, then export it.").With("id", b.ID).With("chapter_id", c.ID).With("chapter", chapter+1)
}

func exportFile(g backend.Generation, gain float64) ExportFile {
	return ExportFile{
		Generation: g.ID, Path: g.AudioPath, Format: g.Format, Rate: g.SampleRate, Channels: g.Channels,
		Frames: audio.Frames(g.Duration, g.SampleRate), Gain: cmp.Or(gain, 1),
	}
}

// wholeSound returns the generations of a book with their receipts.
func (s runner) wholeSound(ctx context.Context, b backend.Book) (sound, error) {
	var ids []string
	for _, c := range b.Chapters {
		for _, p := range c.Parts {
			ids = append(ids, p.Generation)
		}
	}
	rows, err := s.o.Store.GenerationsByID(ctx, ids, false)
	out := sound{}
	for _, g := range rows {
		out[g.ID] = s.gens.Overlay(g)
	}
	return out, err
}

// targetLUFS is the loudness of each voice over a whole book, as that of a generation.
const targetLUFS = -16

// voice identifies a voice.
type voice struct {
	source       backend.Source
	model, voice string
}

// gains returns the gain of the file of each generation. All files of a voice have the same gain from the output of the engine: the one
// that brings its energy over the whole book to the target. Their own loudness was measured when they were made.
func (l sound) gains(b backend.Book) map[string]float64 {
	energy, seconds := map[voice]float64{}, map[voice]float64{}
	out := map[string]float64{}
	each := func(f func(id string, v voice, own float64, level *backend.ReceiptLevel, duration float64)) {
		for _, c := range b.Chapters {
			for _, p := range c.Parts {
				if g, ok := l[p.Generation]; ok && g.Receipt != nil && g.Receipt.Level != nil && g.Receipt.Level.LUFS != nil {
					f(g.ID, voice{g.Source, g.ModelName, g.Voice}, g.Receipt.GainDB, g.Receipt.Level, g.Duration)
				}
			}
		}
	}
	each(func(_ string, v voice, own float64, level *backend.ReceiptLevel, duration float64) {
		energy[v] += duration * math.Pow(10, (*level.LUFS-own)/10)
		seconds[v] += duration
	})
	each(func(id string, v voice, own float64, _ *backend.ReceiptLevel, _ float64) {
		raw := 10 * math.Log10(energy[v]/seconds[v])
		out[id] = audio.FromDB(targetLUFS - raw - own)
	})
	return out
}
