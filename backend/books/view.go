package books

import (
	"context"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books/voices"
)

// State is what there is of the sound of a chapter.
type State string

// The states of a chapter. They follow from its text and its generations, and are not stored.
const (
	StateNew     State = "new"     // nothing was generated
	StatePartial State = "partial" // some of it is generated
	StateDone    State = "done"    // all of it is generated, or nothing of it is to be spoken
	StateChanged State = "changed" // it has sound, but of another text or with other options
	StateFailed  State = "failed"  // generating ended with an error
)

// View is a book as it is shown.
type View struct {
	Summary
	Chapters []Chapter `json:"chapters"`
}

// Summary is a book without its chapters.
type Summary struct {
	ID string `json:"id"`
	backend.BookDetails
	Words    Words    `json:"words"`
	Passages Passages `json:"passages"`

	Options    backend.BookOptions `json:"options"`
	Depth      int                 `json:"depth" doc:"entries of the table of contents down to this level begin a chapter"`
	Depths     []int               `json:"depths" doc:"how many chapters there are at each level, from 1"`
	Source     backend.BookSource  `json:"source" doc:"the file that the book was read from"`
	HasCover   bool                `json:"has_cover"`
	State      State               `json:"state" enum:"new,partial,done,changed,failed" doc:"of all chapters that are not skipped together"`
	Generating bool                `json:"generating"`
	Seconds    float64             `json:"seconds" doc:"length of the sound"`
	Length     float64             `json:"length_seconds" doc:"length of the whole sound, estimated where it is not generated"`
	ETASeconds *float64            `json:"eta_seconds" doc:"estimated time until all that is wanted is generated; null where unknown"`
	Progress   float64             `json:"progress" doc:"0 to 1, by characters"`
	Undos      int                 `json:"undos" doc:"how many changes can be undone"`
	// MissingVoice is not known of the books of a list.
	MissingVoice string             `json:"missing_voice,omitempty" doc:"name of a deleted voice profile that is needed; absent in lists"`
	Place        *backend.BookPlace `json:"place,omitempty" doc:"where somebody listens; absent where nobody does, or the chapter is gone"`
	CreatedAt    time.Time          `json:"created_at"`
	UpdatedAt    time.Time          `json:"updated_at"`
}

// Chapter is a chapter of a book as it is shown.
type Chapter struct {
	ID          string              `json:"id"`
	Title       string              `json:"title"`
	Level       int                 `json:"level" doc:"1 is the outermost"`
	Words       int                 `json:"words" doc:"that are spoken; in Chinese, Japanese and Thai characters"`
	Characters  int                 `json:"characters" doc:"that are spoken"`
	State       State               `json:"state" enum:"new,partial,done,changed,failed"`
	Generations []string            `json:"generations" doc:"ids of its parts in order"`
	Language    string              `json:"language,omitempty" doc:"that the file states; absent: that of the book"`
	Skipped     bool                `json:"skipped" doc:"it is not part of the audiobook"`
	Wanted      bool                `json:"wanted" doc:"it is generated, or waits to be"`
	Seconds     float64             `json:"seconds" doc:"length of its sound"`
	Progress    float64             `json:"progress" doc:"0 to 1"`
	LeftOut     int                 `json:"left_out" doc:"words that are not spoken"`
	Options     backend.BookOptions `json:"options" doc:"over those of the book"`
	Error       *backend.Failure    `json:"error"`
}

// Words accounts for every word of a book: kept and left out together are all words of its body.
type Words struct {
	Body    int       `json:"body"`
	Kept    int       `json:"kept"`
	LeftOut []LeftOut `json:"left_out"`
	Read    []LeftOut `json:"read" doc:"classes that are left out by default and are read aloud; their words are kept"`
}

// LeftOut is a class of words that are left out.
type LeftOut struct {
	Class  backend.TextClass `json:"class"`
	Words  int               `json:"words"`
	Sample string            `json:"sample" doc:"its first words"`
	Switch string            `json:"switch" doc:"what is added to options.read to have it read aloud; empty for chapters that are skipped"`
}

// ClassSkipped are the words of chapters that are skipped.
const ClassSkipped backend.TextClass = "skipped_chapters"

// Passages is what was generated since generating was last requested.
type Passages struct {
	Generated int `json:"generated" doc:"passages that were spoken"`
	Reused    int `json:"reused" doc:"passages that were taken from earlier generations"`
}

// sound is the generations of a book, by id.
type sound map[string]backend.Generation

// sound returns the generations of a book, briefly, as they are now.
func (s *Service) sound(ctx context.Context, b backend.Book) (sound, error) {
	var ids []string
	for _, c := range b.Chapters {
		for _, p := range slices.Concat(c.Parts, c.Pending) {
			if p.Generation != "" {
				ids = append(ids, p.Generation)
			}
		}
	}
	out := sound{}
	if len(ids) == 0 {
		return out, nil
	}
	rows, err := s.o.Store.GenerationsByID(ctx, ids, true)
	for _, g := range rows {
		out[g.ID] = s.gens.Overlay(g)
	}
	return out, err
}

// complete reports whether all parts have sound.
func (l sound) complete(parts []backend.BookPart) bool {
	return !slices.ContainsFunc(parts, func(p backend.BookPart) bool { return l[p.Generation].Status != backend.StatusComplete })
}

// current reports whether parts are what a chapter asks for.
func current(b *backend.Book, c *backend.BookChapter, parts []backend.BookPart) bool {
	voice := b.VoiceKey(c)
	return len(parts) == len(c.Asks) && !slices.ContainsFunc(parts, func(p backend.BookPart) bool { return p.Voice != voice }) &&
		slices.EqualFunc(parts, c.Asks, func(p backend.BookPart, text string) bool { return p.Text == text })
}

// asksFor reports whether a part is the sound of one that a chapter asks for.
func asksFor(b *backend.Book, c *backend.BookChapter, p backend.BookPart) bool {
	return p.Voice == b.VoiceKey(c) && slices.Contains(c.Asks, p.Text)
}

// state returns the state of a chapter.
func (l sound) state(b *backend.Book, c *backend.BookChapter) State {
	switch {
	case len(c.Asks) == 0 || !c.Again && current(b, c, c.Parts) && l.complete(c.Parts):
		return StateDone
	case c.Failure != nil:
		return StateFailed
	case len(c.Parts) > 0 && l.complete(c.Parts):
		return StateChanged
	case slices.ContainsFunc(slices.Concat(c.Parts, c.Pending), func(p backend.BookPart) bool { return l.begun(p.Generation) }):
		return StatePartial
	default:
		return StateNew
	}
}

// begun reports whether a generation has sound, or finished chunks.
func (l sound) begun(id string) bool {
	g, ok := l[id]
	return ok && (g.Status == backend.StatusComplete || g.Partial != nil || g.ChunksDone > 0)
}

// view returns a book as it is shown.
func (s *Service) view(ctx context.Context, b backend.Book) (View, error) {
	sound, err := s.sound(ctx, b)
	if err != nil {
		return View{}, err
	}
	v := View{Chapters: []Chapter{}, Summary: Summary{
		ID: b.ID, BookDetails: b.BookDetails, Passages: Passages(b.Run), Options: b.Options, Depth: b.Depth,
		Depths: b.Depths, Source: b.Source, HasCover: b.Cover != "", Place: placeOf(&b), Undos: b.Undos,
		CreatedAt: b.CreatedAt, UpdatedAt: b.UpdatedAt,
	}}
	done, total, left := 0.0, 0.0, 0.0
	for i := range b.Chapters {
		c := sound.chapter(&b, &b.Chapters[i])
		v.Chapters = append(v.Chapters, c)
		v.Generating = v.Generating || c.Wanted
		if c.Wanted {
			left += (1 - c.Progress) * float64(c.Characters)
		}
		if c.Skipped {
			continue
		}
		v.Seconds += c.Seconds
		done, total = done+c.Progress*float64(c.Characters), total+float64(c.Characters)
	}
	if total > 0 {
		v.Progress = done / total
	}
	v.Narrator, v.MissingVoice = voices.Reader(&b), b.MissingVoice
	v.State = stateOfAll(v.Chapters)
	v.Length = lengthOf(&b, v.Chapters)
	v.ETASeconds = s.times.Left(b.ID, s.o.Now(), v.Generating, done, left)
	v.Words = wordsOf(&b)
	return v, nil
}

// stateOfAll returns the state of a book by those of its chapters.
func stateOfAll(chapters []Chapter) State {
	n, all := map[State]int{}, 0
	for _, c := range chapters {
		if !c.Skipped && c.Characters > 0 {
			n[c.State]++
			all++
		}
	}
	switch {
	case n[StateFailed] > 0:
		return StateFailed
	case n[StateNew] == all:
		return StateNew
	case n[StateDone] == all:
		return StateDone
	case n[StateDone]+n[StateChanged] == all:
		return StateChanged
	default:
		return StatePartial
	}
}

// chapter returns a chapter as it is shown.
func (l sound) chapter(b *backend.Book, c *backend.BookChapter) Chapter {
	out := Chapter{
		ID: c.ID, Title: c.Title, Level: c.Level, Characters: c.Characters, State: l.state(b, c), Generations: []string{},
		Language: c.Language, Skipped: c.Skipped, Wanted: c.Wanted, Options: c.Options, Error: c.Failure,
	}
	options := c.Options.Over(b.Options)
	for _, n := range c.Counts {
		if options.Reads(n.Class) {
			out.Words += n.Words
		} else {
			out.LeftOut += n.Words
		}
	}
	parts := c.Parts
	if out.State == StateNew || out.State == StatePartial || out.State == StateFailed && len(parts) == 0 {
		parts = c.Pending
	}
	for _, p := range parts {
		if g, ok := l[p.Generation]; ok {
			out.Generations = append(out.Generations, p.Generation)
			out.Seconds += g.Duration
		}
	}
	out.Progress = l.progress(b, c, out.State)
	return out
}

// progress returns how much of a chapter is generated.
func (l sound) progress(b *backend.Book, c *backend.BookChapter, state State) float64 {
	if state == StateDone {
		return 1
	}
	sum := 0.0
	for _, p := range plan(b, c) {
		switch g := l[p.Generation]; {
		case g.Status == backend.StatusComplete:
			sum++
		case g.Partial != nil && g.Partial.Total > 0 && g.Status.Ended():
			sum += float64(g.Partial.Chunks) / float64(g.Partial.Total)
		default:
			sum += g.Progress
		}
	}
	return sum / float64(max(len(c.Asks), 1))
}

// wordsOf accounts for the words of a book.
func wordsOf(b *backend.Book) Words {
	left, read := map[backend.TextClass]int{}, map[backend.TextClass]int{}
	out := Words{LeftOut: []LeftOut{}, Read: []LeftOut{}}
	skipped := ""
	for _, c := range b.Chapters {
		options := c.Options.Over(b.Options)
		if c.Skipped && skipped == "" {
			skipped = c.Title
		}
		for _, n := range c.Counts {
			out.Body += n.Words
			switch {
			case !options.Reads(n.Class):
				left[n.Class] += n.Words
			case c.Skipped:
				left[ClassSkipped] += n.Words
			default:
				out.Kept += n.Words
				read[n.Class] += n.Words
			}
		}
	}
	for _, class := range backend.TextClasses() {
		entry := LeftOut{class, left[class], b.Samples[class], string(class)}
		if entry.Words > 0 {
			out.LeftOut = append(out.LeftOut, entry)
		}
		if entry.Words = read[class]; entry.Words > 0 {
			out.Read = append(out.Read, entry)
		}
	}
	if n := left[ClassSkipped]; n > 0 {
		out.LeftOut = append(out.LeftOut, LeftOut{ClassSkipped, n, skipped, ""})
	}
	return out
}
