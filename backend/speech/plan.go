package speech

import (
	"cmp"
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
)

// Plan is what an engine is to speak, and how.
type Plan struct {
	Voice     Voice
	Pieces    []text.Piece
	Seed      int64
	Speed     float64
	steps     int               // of engines with refinement steps; 0 = the engine's default
	Words     map[string]string // word to respelling, over the dictionary
	Normalize bool
	Limit     bool // with the limiter; only where normalize is set
	Crossfade time.Duration
	MaxChars  int
	Pauses    *backend.Pauses             // nil where they do not follow the structure of the text
	Takes     map[int]backend.ReceiptTake // of texts of the plan that keep an earlier take
	Seeds     []int64                     // of the others in a revision; nil where they follow from seed
}

// Plan plans a text, without its seed. Its pauses follow its structure unless pauses is nil. Errors: nothing_to_speak,
// ValidationError, those of the voice.
func (s *Synthesizer) Plan(
	ctx context.Context, spoken string, pauses *backend.Pauses, o backend.GenerateOptions, profile backend.Profile,
) (*Plan, error) {
	maxChars := *cmp.Or(o.MaxChunkChars, new(DefaultMaxChunkChars))
	pieces := text.FlatPlan(spoken, maxChars)
	if pauses != nil {
		pieces = text.Plan(spoken, maxChars)
	}
	if err := checkPieces(pieces); err != nil {
		return nil, err
	}
	v, err := s.Resolve(o, profile)
	if err != nil {
		return nil, err
	}
	if err := s.CheckVoice(ctx, v); err != nil {
		return nil, err
	}
	p := LevelledAs(o)
	p.Voice, p.Pieces, p.MaxChars, p.Pauses = v, pieces, maxChars, pauses
	p.Speed, p.steps, p.Words = *cmp.Or(o.Speed, new(cmp.Or(profile.Speed, 1))), o.Steps, o.Pronunciations
	return p, nil
}

// seedOf returns the seed of a text of the plan that keeps no take.
func (p *Plan) seedOf(n int) int64 {
	if p.Seeds != nil {
		return p.Seeds[n]
	}
	return ChunkSeed(p.Seed, n)
}

// LevelledAs returns a plan that is joined and levelled by the options, without voice and text.
func LevelledAs(o backend.GenerateOptions) *Plan {
	normalize := *cmp.Or(o.Normalize, new(true))
	return &Plan{
		Normalize: normalize, Limit: normalize && *cmp.Or(o.Limit, new(true)),
		Crossfade: time.Duration(*cmp.Or(o.CrossfadeMS, new(0))) * time.Millisecond,
	}
}

// ErrNothing is the error of a text without words.
var ErrNothing = backend.E(backend.CodeNothingToSpeak, "The text has no letter or digit that could be spoken.",
	"Write some words.")

// CheckText returns a ValidationError for a text that is empty or too long.
func CheckText(spoken string) error {
	switch n := utf8.RuneCountInString(spoken); {
	case n == 0:
		return backend.Invalid("string_too_short", "String should have at least 1 character", "body", "text")
	case n > MaxTextChars:
		return backend.Invalid("string_too_long", "String should have at most 200000 characters", "body", "text")
	default:
		return nil
	}
}

// MaxPauses is the longest sum of all pauses of a text; more is a mistake that would fill the disk.
const MaxPauses = time.Hour

// ErrPauses is the error of pauses of more than MaxPauses together.
var ErrPauses = backend.Invalid("value_error", "The pauses add up to more than one hour", "body", "text")

func checkPieces(pieces []text.Piece) error {
	var pauses time.Duration
	for _, p := range pieces {
		pauses += p.Pause
	}
	switch {
	case !slices.ContainsFunc(pieces, func(p text.Piece) bool { return p.Text != "" }):
		return ErrNothing
	case pauses > MaxPauses:
		return ErrPauses
	default:
		return nil
	}
}

// LastPause returns the silence after the last chunk of the text.
func (p *Plan) LastPause() time.Duration {
	var pause time.Duration
	for _, piece := range p.Pieces {
		pause += piece.Pause
		if piece.Text != "" {
			pause = 0
		}
	}
	return pause
}

// Shortened returns the pauses of the text that exceed the maximum, as written.
func (p *Plan) Shortened() []string {
	all := []string{}
	for _, p := range p.Pieces {
		if p.Asked != "" && !slices.Contains(all, p.Asked) {
			all = append(all, p.Asked)
		}
	}
	return all
}

// The limits of a request (docs/contract/decisions.md, section 2).
const (
	MaxTextChars         = 200_000
	DefaultMaxChunkChars = 400
)
