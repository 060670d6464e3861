package voiceprints

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/speakers"
	"github.com/voicewright/voicewright/engines"
)

// KnownSpeaker is a person whose voice print the user had stored, so that later transcripts can suggest the name.
type KnownSpeaker struct {
	ID         string          `json:"id" doc:"UUID version 7"`
	Name       string          `json:"name"`
	Seconds    float64         `json:"seconds" doc:"of speech that the print was made of"`
	Recordings int             `json:"recordings" doc:"transcripts that the print was made of"`
	Consent    backend.Consent `json:"consent"`
	Usable     bool            `json:"usable" doc:"false where the print was made with another version of the model than the one that is installed: it is not compared"`
	CreatedAt  time.Time       `json:"created_at"`
	UpdatedAt  time.Time       `json:"updated_at"`
}

// How much of a speaker is heard for a print, in seconds.
const (
	mostHeard  = 60.0
	leastHeard = 3.0
)

// NewSpeaker is a speaker of a transcript whose voice print is to be stored.
type NewSpeaker struct {
	TranscriptID string
	Speaker      string // the name there
	Name         string // of the person; empty: that name
	Consent      backend.ConsentKind
	By           string // who states the consent; empty: the name of the user's account
}

// Remember stores the voice print of a speaker of a transcript, whose lines are heard again: those that a person set before the others,
// long ones before short ones, up to 60 s. A name that is known, ignoring case, gets a better print; created is false then. Errors:
// ValidationError, also for less than 3 s of speech, transcript_not_found, audio_missing, model_not_downloaded, runtime_missing,
// cancelled.
func (s *Service) Remember(ctx context.Context, n NewSpeaker) (known KnownSpeaker, created bool, err error) {
	consent, err := s.o.Consent(n.Consent, n.By)
	if err != nil {
		return known, false, err
	}
	name, err := checkName(cmp.Or(n.Name, n.Speaker))
	if err != nil {
		return known, false, err
	}
	if speakers.IsAutomatic(name) {
		return known, false, backend.Invalid("value_error", "Input should be the name of a person", "body", "name")
	}
	t, err := s.o.Transcripts.Transcript(ctx, n.TranscriptID)
	if err != nil {
		return known, false, err
	}
	lines, err := linesOf(t, n.Speaker)
	if err != nil {
		return known, false, err
	}
	if _, err := os.Stat(t.AudioPath); t.AudioPath == "" || err != nil {
		return known, false, backend.E(backend.CodeAudioMissing, "The audio of this transcript is not stored.", "Transcribe the file again.").
			With("transcript_id", t.ID)
	}
	model, err := s.o.Diarizers.AcquireDiarizerDownloaded(ctx)
	if err != nil {
		return known, false, err
	}
	defer model.Release()
	r, err := s.hear(ctx, model, t, lines)
	if err != nil {
		return known, false, err
	}
	now := s.o.Now().UTC()
	version := versionOf(model.Files)
	p, created, err := s.o.Store.add(person{
		Version: fileVersion, ID: s.o.NewID(), Name: name, Consent: consent, CreatedAt: now, UpdatedAt: now, Model: version,
		Recordings: []recorded{r},
	})
	if err != nil {
		return known, false, err
	}
	s.o.Changed(p.ID)
	return p.view(version), created, nil
}

// stretch is a part of a sound, in seconds.
type stretch struct{ start, end float64 }

// linesOf returns what is heard of a speaker, in the order of the sound; what is in several lines is there once. Error: ValidationError.
func linesOf(t backend.Transcript, speaker string) ([]stretch, error) {
	var lines []backend.Segment
	for _, seg := range t.Segments {
		if seg.Speaker == speaker && speaker != "" {
			lines = append(lines, seg)
		}
	}
	if len(lines) == 0 {
		return nil, backend.Invalid("value_error", "This transcript has no speaker "+speaker, "body", "speaker")
	}
	slices.SortStableFunc(lines, func(a, b backend.Segment) int {
		if speakers.IsSet(a) != speakers.IsSet(b) {
			if speakers.IsSet(a) {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.End-b.Start, a.End-a.Start)
	})
	var out []stretch
	seconds := 0.0
	for _, l := range lines {
		for _, part := range without(stretch{l.Start, l.End}, out) {
			if length := min(part.end-part.start, mostHeard-seconds); length > 0 {
				out = append(out, stretch{part.start, part.start + length})
				seconds += length
			}
		}
	}
	slices.SortFunc(out, func(a, b stretch) int { return cmp.Compare(a.start, b.start) })
	return out, checkHeard(seconds)
}

// without returns the parts of a stretch that none of others has.
func without(one stretch, others []stretch) []stretch {
	parts := []stretch{one}
	for _, o := range others {
		var left []stretch
		for _, p := range parts {
			if o.end <= p.start || o.start >= p.end {
				left = append(left, p)
				continue
			}
			if p.start < o.start {
				left = append(left, stretch{p.start, o.start})
			}
			if o.end < p.end {
				left = append(left, stretch{o.end, p.end})
			}
		}
		parts = left
	}
	return parts
}

func checkHeard(seconds float64) error {
	if seconds < leastHeard {
		return backend.Invalid("value_error", "The speaker should have at least 3 seconds of speech", "body", "speaker")
	}
	return nil
}

// errHeard ends the reading of a sound after its last line.
var errHeard = errors.New("all lines were heard")

// hear returns the print of lines of a transcript.
func (s *Service) hear(ctx context.Context, model *engines.LoadedDiarizer, t backend.Transcript, lines []stretch) (recorded, error) {
	const rate = engines.TranscriberRate
	var sound []float32
	at, last := 0, int(lines[len(lines)-1].end*rate)
	err := s.o.Codecs.StreamMono(ctx, t.AudioPath, rate, func(block []float32) error {
		for _, l := range lines {
			from, to := max(int(l.start*rate)-at, 0), min(int(l.end*rate)-at, len(block))
			if from < to {
				sound = append(sound, block[from:to]...)
			}
		}
		if at += len(block); at >= last {
			return errHeard
		}
		return nil
	})
	if err != nil && !errors.Is(err, errHeard) {
		return recorded{}, err
	}
	r := recorded{Transcript: t.ID, Seconds: float64(len(sound)) / rate}
	if err := checkHeard(r.Seconds); err != nil {
		return r, err
	}
	voice, ok, err := model.Print(ctx, sound)
	if err == nil && !ok {
		err = checkHeard(0)
	}
	r.Print = voice
	return r, err
}

// Speakers returns the known speakers by name.
func (s *Service) Speakers() []KnownSpeaker { return s.o.Store.list(s.version()) }

// version returns the version of the model that is installed, empty where there is none.
func (s *Service) version() string {
	if list := s.o.Diarizers.DiarizerFiles(); list != nil {
		return versionOf(list)
	}
	return ""
}

// Rename changes the name of a known speaker. Errors: not_found, ValidationError, also where another one has it.
func (s *Service) Rename(id, name string) (KnownSpeaker, error) {
	name, err := checkName(name)
	if err != nil {
		return KnownSpeaker{}, err
	}
	p, err := s.o.Store.rename(id, name, s.o.Now().UTC())
	if err != nil {
		return KnownSpeaker{}, err
	}
	s.o.Changed(id)
	return p.view(s.version()), nil
}

// Forget deletes a known speaker with the file of the print and the copies that a restore put aside, at once. Error: not_found.
func (s *Service) Forget(id string) error {
	err := s.o.Store.forget(id)
	if backend.CodeOf(err) != backend.CodeNotFound { // the file may be gone, although what came after it failed
		s.o.Changed(id)
	}
	return err
}

// Use returns how many files the voice prints are, and their bytes.
func (s *Service) Use() (count int, bytes int64) { return s.o.Store.use() }
