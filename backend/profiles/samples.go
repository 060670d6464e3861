package profiles

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

const (
	maxSamples    = 30   // of one profile
	maxTranscript = 5000 // characters
	maxBy         = 200  // characters
	maxFileName   = 255  // characters
)

// Source is the recording of a sample: a file or a recording of the microphone, and the part of it to use.
type Source struct {
	Path        string
	Name        string // of the file, as the user knows it
	RecordingID string
	From, To    float64 // seconds of the recording; To 0: to its end
}

// NewSample has the values of a new sample.
type NewSample struct {
	Source
	Consent    backend.ConsentKind
	By         string // who states the consent; empty: the name of the user's account
	Transcript string
	Transcribe bool // an installed transcription model writes a missing transcript
}

// sampleStore has the samples of cloned profiles.
type sampleStore struct {
	o        *Options
	folders  *folders
	recorder *recorder
	cloning  *cloning
}

// AddSample stores a recording as a sample of a profile, which becomes a cloned one. Errors: ValidationError, profile_not_found,
// engine_mismatch for a profile with a voice of its own, sample_rejected, recording_busy, not_found for a missing recording,
// unsupported_media, model_not_downloaded where a transcript is to be written and nothing can.
func (s *sampleStore) AddSample(ctx context.Context, profileID string, n NewSample) (backend.Sample, error) {
	consent, err := s.NewConsent(n.Consent, n.By)
	if err != nil {
		return backend.Sample{}, err
	}
	if err := checkTranscript(n.Transcript); err != nil {
		return backend.Sample{}, err
	}
	p, err := s.forSample(ctx, profileID)
	if err != nil {
		return backend.Sample{}, err
	}
	sample, report, err := s.recorder.analyse(ctx, n, p.Language)
	if err != nil {
		return sample, err
	}
	sample.ProfileID = profileID
	if err := s.warnOfOtherPerson(ctx, &sample, report.Audio); err != nil {
		return sample, err
	}
	if err := s.store(ctx, &sample, report.Audio, func() error { return s.o.Store.AddSample(ctx, sample, consent) }); err != nil {
		return backend.Sample{}, err
	}
	s.folders.warn(s.cloning.changedSamples(profileID))
	s.o.Changed()
	return s.sample(ctx, profileID, sample.ID)
}

// forSample returns a profile that may get another sample.
func (s *sampleStore) forSample(ctx context.Context, id string) (backend.Profile, error) {
	p, err := s.o.Store.Profile(ctx, id)
	switch {
	case err != nil:
		return p, err
	case p.VoiceType == backend.VoicePreset || p.VoiceType == backend.VoiceHosted:
		return p, backend.E(backend.CodeEngineMismatch, fmt.Sprintf("The profile %q has a voice of its own and cannot have samples.", p.Name),
			"Create a new profile for this voice.").With("voice_type", p.VoiceType)
	case p.Samples >= maxSamples:
		return p, backend.Invalid("too_long", fmt.Sprintf("A profile has at most %d samples", maxSamples), "body")
	}
	return p, nil
}

// NewConsent returns the statement that a voice may be cloned or remembered. Error: ValidationError.
func (s *sampleStore) NewConsent(kind backend.ConsentKind, by string) (backend.Consent, error) {
	by = strings.TrimSpace(by)
	switch {
	case kind == "":
		return backend.Consent{}, backend.Invalid("missing", "Field required", "body", "consent")
	case kind != backend.ConsentOwnVoice && kind != backend.ConsentPermission:
		return backend.Consent{}, backend.Invalid("enum", "Input should be own_voice or permission", "body", "consent")
	case utf8.RuneCountInString(by) > maxBy:
		return backend.Consent{}, backend.Invalid("string_too_long", fmt.Sprintf("String should have at most %d characters", maxBy),
			"body", "consent_by")
	case by == "" && s.o.User != nil:
		by = s.o.User()
	}
	return backend.Consent{Kind: kind, By: by, At: s.o.Now().UTC()}, nil
}

func checkTranscript(text string) error {
	if utf8.RuneCountInString(text) > maxTranscript {
		return backend.Invalid("string_too_long", fmt.Sprintf("String should have at most %d characters", maxTranscript),
			"body", "transcript")
	}
	return nil
}

// store writes the audio of a sample and then its row with insert. After an error neither is left.
func (s *sampleStore) store(_ context.Context, sample *backend.Sample, b audio.Buffer, insert func() error) (err error) {
	if sample.SHA256, err = s.folders.writeSample(sample.ProfileID, sample.ID, b); err == nil {
		err = insert()
	}
	if err != nil {
		s.folders.warn(s.folders.removeSample(sample.ProfileID, sample.ID))
	}
	return err
}

// Samples returns the samples of a profile, oldest first. Error: profile_not_found.
func (s *sampleStore) Samples(ctx context.Context, profileID string) ([]backend.Sample, error) {
	list, err := s.o.Store.Samples(ctx, profileID)
	if err != nil || len(list) == 0 {
		return list, err
	}
	p, err := s.o.Store.Profile(ctx, profileID)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Path = s.folders.file(profileID, list[i].ID)
	}
	s.warnOfEngine(p, list)
	return list, nil
}

// sample returns a sample of a profile as Samples does.
func (s *sampleStore) sample(ctx context.Context, profileID, id string) (backend.Sample, error) {
	list, err := s.Samples(ctx, profileID)
	if err != nil {
		return backend.Sample{}, err
	}
	if i := slices.IndexFunc(list, func(sample backend.Sample) bool { return sample.ID == id }); i >= 0 {
		return list[i], nil
	}
	return s.o.Store.Sample(ctx, profileID, id) // its error, as it was deleted
}

// warnOfEngine adds warnings to the samples that the model of their profile cannot use.
func (s *sampleStore) warnOfEngine(p backend.Profile, list []backend.Sample) {
	m, err := s.cloning.CloneModel(p, p.Language)
	if err != nil {
		return // Describe says so
	}
	rules := *m.Clones
	if length(list) <= rules.Over {
		problem := errTooShort(m, length(list))
		for i := range list {
			list[i].Warnings = append(list[i].Warnings, engineWarning(m, problem))
		}
		return
	}
	for i := len(fitting(list, rules)); i < len(list); i++ {
		list[i].Warnings = append(list[i].Warnings, engineWarning(m, backend.E(backend.CodeEngineMismatch,
			fmt.Sprintf("%s uses the first %g s of the samples, and this one is beyond.", m.DisplayName, rules.Longest),
			"Delete an earlier sample, or leave this one out.")))
	}
}

func engineWarning(m engines.Model, problem *backend.Error) backend.SampleWarning {
	return backend.SampleWarning{
		Code: backend.SampleEngine, Detail: problem.Detail, Remedy: problem.Remedy,
		Params: map[string]any{"model_name": m.Name, "over": m.Clones.Over, "longest": m.Clones.Longest},
	}
}

// SetTranscript changes the transcript of a sample. Errors: ValidationError, sample_not_found, profile_not_found.
func (s *sampleStore) SetTranscript(ctx context.Context, profileID, id, transcript string) (backend.Sample, error) {
	if err := checkTranscript(transcript); err != nil {
		return backend.Sample{}, err
	}
	p, err := s.o.Store.Profile(ctx, profileID)
	if err != nil {
		return backend.Sample{}, err
	}
	sample, err := s.o.Store.Sample(ctx, profileID, id)
	if err != nil {
		return sample, err
	}
	sample.Transcript = strings.TrimSpace(transcript)
	sample.Warnings = slices.DeleteFunc(sample.Warnings, func(w backend.SampleWarning) bool { return w.Code == backend.SampleMismatch })
	sound, err := s.recorder.read(ctx, sample)
	if err != nil {
		return sample, err
	}
	if err := s.recorder.compareTranscript(ctx, &sample, sound, p.Language); err != nil {
		return sample, err
	}
	_, err = s.o.Store.UpdateSample(ctx, profileID, id, func(stored *backend.Sample) {
		stored.Transcript, stored.Warnings = sample.Transcript, sample.Warnings
	})
	if err != nil {
		return sample, err
	}
	s.o.Changed()
	return s.sample(ctx, profileID, id)
}

// DeleteSample deletes a sample with its audio and everything that was computed from it.
// Errors: sample_not_found, profile_not_found.
func (s *sampleStore) DeleteSample(ctx context.Context, profileID, id string) error {
	if err := s.o.Store.DeleteSample(ctx, profileID, id); err != nil {
		return err
	}
	err := errors.Join(s.cloning.changedSamples(profileID), s.folders.removeSample(profileID, id))
	s.o.Changed()
	return err
}

// SampleFile returns the audio of a sample. Errors: sample_not_found, profile_not_found.
func (s *sampleStore) SampleFile(ctx context.Context, profileID, id string) (string, error) {
	sample, err := s.o.Store.Sample(ctx, profileID, id)
	if err != nil {
		return "", err
	}
	path := s.folders.file(profileID, id)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", errAudioMissing(sample, err)
	}
	return path, nil
}
