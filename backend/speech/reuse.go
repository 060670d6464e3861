package speech

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/speech/journal"
	"github.com/voicewright/voicewright/engines"
)

// reuse is how the segments of a run are found among those of earlier runs.
type reuse struct {
	journal *journal.Journal
	keys    []string // of the segments
	setting string
	earlier []bool // the segments that an earlier run synthesized
	mixed   bool   // one of them with another setting
}

// Reuse returns how a run that speaks segments uses a journal; nil without one.
func (s *Synthesizer) Reuse(ctx context.Context, run Run, segments []Segment) (*reuse, error) {
	stored, loaded := run.Journal, run.Loaded
	if stored == nil {
		return nil, nil
	}
	voice, err := s.voiceKey(ctx, run.Plan, loaded)
	if err != nil {
		return nil, err
	}
	r := &reuse{journal: stored, setting: settingOf(s.o.Version, loaded.Info())}
	plan := make([]journal.PlannedSegment, len(segments))
	for i, seg := range segments {
		key := hashOf(voice, seg.text, seg.seed, seg.trimStart, seg.trimEnd)
		if seg.donation != nil {
			key = hashOf(key, seg.donation.key)
		}
		plan[i] = journal.PlannedSegment{Line: seg.Line, Key: key, Asked: seg.Asked, Own: seg.Own}
		setting, ok := stored.Find(key)
		r.keys, r.earlier = append(r.keys, key), append(r.earlier, ok)
		r.mixed = r.mixed || ok && setting != r.setting
	}
	return r, stored.Begin(plan)
}

// voiceKey identifies the voice of a plan with all that changes how it sounds.
func (s *Synthesizer) voiceKey(ctx context.Context, p *Plan, loaded *engines.Loaded) (string, error) {
	info := loaded.Info()
	sample, err := s.Sample(ctx, p.Voice, info)
	if err != nil {
		return "", err
	}
	return hashOf(info.Engine, loaded.Model, loaded.Revision, loaded.Files, p.Voice.ID, p.Voice.Language, sample, p.Speed,
		cmp.Or(p.steps, info.Steps), info.SampleRate, info.Channels), nil
}

// settingOf identifies what may change single samples of the same voice: the program, the device and its libraries.
func settingOf(version string, info engines.Info) string {
	return hashOf(version, info.Device, info.Threads, info.Runtimes)
}

// hashOf returns a short hash of values, which have a JSON form.
func hashOf(values ...any) string {
	raw, _ := json.Marshal(values) // strings, numbers, and lists and maps of them
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:16])
}

// Given returns emit with samples of its own, for those that belong to an engine or a reader.
func Given(emit func(engines.Sound) error) func(engines.Sound) error {
	return func(s engines.Sound) error {
		s.Samples = slices.Clone(s.Samples)
		return emit(s)
	}
}

// Speak synthesizes a segment, or returns that of an earlier run. A new one is stored, and then counted by finished. There is no
// store where r is nil. synthesize gives its samples away: nobody changes them any more.
func (r *reuse) Speak(
	i int, emit func(engines.Sound) error, synthesize func(emit func(engines.Sound) error) error, finished func(i int),
) error {
	if r.has(i) {
		return r.journal.Replay(r.keys[i], emit)
	}
	var kept journal.KeptSegment
	err := synthesize(func(s engines.Sound) error {
		if r != nil {
			kept.Add(s)
		}
		return emit(s)
	})
	if err != nil && (len(kept.Sounds) > 0 || backend.CodeOf(err) != backend.CodeNothingToSpeak) {
		return err
	}
	if r != nil {
		kept.Key, kept.Setting = r.keys[i], r.setting
		if stored := r.journal.Add(&kept); stored != nil {
			return errors.Join(stored, err)
		}
	}
	finished(i)
	return err
}

// has reports whether an earlier run synthesized a segment.
func (r *reuse) has(i int) bool { return r != nil && r.earlier[i] }
