package generations

import (
	"context"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/speech"
)

// donors returns what a job may copy; nil for one without donors.
func (m *localMaker) donors(ids []string) *speech.Donors {
	if len(ids) == 0 {
		return nil
	}
	return &speech.Donors{IDs: ids, Read: m.o.Store.Generation, Open: m.openDonor}
}

// openDonor opens the samples of a generation as it was read, until drop is called. Errors: generation_not_found, not_in_progress if it
// has changed since, audio_missing.
func (m *localMaker) openDonor(ctx context.Context, g backend.Generation) (source *audio.PCMFile, drop func(), err error) {
	unlock, err := m.gens.Archive.Lock(ctx, g.ID)
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	now, err := m.gens.Complete(ctx, g.ID)
	if err == nil && now.Receipt.AudioSHA256 != g.Receipt.AudioSHA256 {
		err = ErrBeingChanged.With("generation_id", g.ID)
	}
	if err != nil {
		return nil, nil, err
	}
	path, remove, err := m.synth.Decoded(ctx, now.AudioPath, now.SampleRate)
	if err == nil {
		source, err = openWhole(path, now)
	}
	if err != nil {
		remove()
		return nil, nil, err
	}
	return source, func() {
		_ = source.Close()
		remove()
	}, nil
}

// openWhole opens a WAV file that has all samples of a generation.
func openWhole(path string, g backend.Generation) (*audio.PCMFile, error) {
	source, err := audio.OpenPCM16(path)
	if err != nil {
		return nil, speech.AudioGone(g.ID, err)
	}
	info, err := os.Stat(path)
	bytes := audio.Frames(g.Duration, g.SampleRate) * int64(2*g.Channels)
	if err != nil || source.Rate != g.SampleRate || source.Channels != g.Channels || info.Size() < bytes+44 { // the shortest header
		_ = source.Close()
		return nil, speech.AudioGone(g.ID, os.ErrNotExist)
	}
	return source, nil
}
