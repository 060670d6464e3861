package profiles

import (
	"context"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// duplicateSamples creates a copy of a profile with its samples and its consent. Errors: sample_not_found, those of Create.
func (s *sampleStore) duplicateSamples(ctx context.Context, p backend.Profile) (backend.Profile, error) {
	list, err := s.o.Store.Samples(ctx, p.ID)
	if err != nil {
		return p, err
	}
	sounds := make([]audio.Buffer, len(list))
	for i, sample := range list {
		if sounds[i], err = s.recorder.read(ctx, sample); err != nil {
			return p, err
		}
	}
	var consent backend.Consent
	if p.Consent != nil {
		consent = *p.Consent
	}
	return s.createCloned(ctx, asNew(p), slices.Clone(list), sounds, consent)
}

// createCloned stores a new profile with these samples. After an error nothing of it is left.
func (s *sampleStore) createCloned(
	ctx context.Context, p backend.Profile, list []backend.Sample, sounds []audio.Buffer, c backend.Consent,
) (_ backend.Profile, err error) {
	p.ID = s.o.NewID()
	for i := range list {
		list[i].ID, list[i].ProfileID = s.o.NewID(), p.ID
		if list[i].SHA256, err = s.folders.writeSample(p.ID, list[i].ID, sounds[i]); err != nil {
			break
		}
	}
	if err == nil {
		p, err = s.o.Store.CreateWithSamples(ctx, p, list, c)
	}
	if err != nil {
		s.folders.warn(s.folders.removeFolder(p.ID))
		return p, err
	}
	s.o.Changed()
	return p, nil
}
