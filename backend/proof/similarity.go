package proof

import (
	"context"
	"math"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/samples"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/wer"
	"github.com/voicewright/voicewright/engines"
)

// What a cloned voice may differ from its samples without a warning.
const (
	pitchSemitones = 4.0 // people read a sentence about so much higher or lower
	paceRatio      = 1.5
)

// Similarity speaks the preview sentence with a cloned profile, listens to it with a transcription model (empty: that of the
// settings), and compares it with the samples. It waits in the queue like a generation and downloads nothing.
// Errors: profile_not_found, engine_mismatch for a profile without samples, model_not_downloaded, those of speaking.
func (s *Service) Similarity(ctx context.Context, profileID, transcriber string) (backend.Similarity, error) {
	var out backend.Similarity
	profile, err := s.o.Store.Profile(ctx, profileID)
	if err != nil {
		return out, err
	}
	if profile.VoiceType != backend.VoiceCloned {
		return out, backend.E(backend.CodeEngineMismatch, "Only a cloned voice can be compared with its samples.", "Choose a cloned voice.")
	}
	v, err := s.synth.Resolve(backend.GenerateOptions{}, profile)
	if err != nil {
		return out, err
	}
	if err := s.synth.CheckVoice(ctx, v); err != nil {
		return out, err
	}
	if transcriber == "" {
		transcriber, _ = s.o.Verify().Model(v.Language)
	}
	listener, err := s.o.Models.AcquireTranscriberDownloaded(ctx, transcriber)
	if err != nil {
		return out, err
	}
	defer listener.Release()
	err = s.gens.InTurn(ctx, "similarity", func(ctx context.Context) error {
		sentence, err := s.synth.SpeakSentence(ctx, profile, v)
		if err != nil {
			return err
		}
		out, err = s.compare(ctx, profileID, v, listener, sentence)
		return err
	})
	return out, err
}

// compare hears a preview sentence and measures it beside the samples of its profile.
func (s *Service) compare(
	ctx context.Context, profileID string, v speech.Voice, listener *engines.LoadedTranscriber, sentence audio.Buffer,
) (backend.Similarity, error) {
	out := backend.Similarity{
		Text: backend.PreviewSentence(v.Language), ModelName: listener.Model, Warnings: []backend.SampleWarning{},
	}
	mono := sentence.Mono()
	chunk := backend.ReceiptChunk{Text: out.Text, ReceiptTake: backend.ReceiptTake{Spoken: out.Text}}
	verification, err := s.hear(ctx, listener, v.Language, chunk, mono.Resampled(engines.TranscriberRate).Samples)
	if err != nil {
		return out, err
	}
	out.Heard, out.WER = verification.Heard, verification.WER
	out.LevelLUFS, out.PitchHz = loudness(mono), pitch(mono)
	out.WordsPerMinute = perMinute(verification.Words, mono.Duration().Seconds())
	recorded, err := s.o.Clones.Samples(ctx, profileID)
	if err == nil && len(recorded) == 0 { // deleted meanwhile
		err = engines.NoReference(v.Model)
	}
	if err != nil {
		return out, err
	}
	out.SampleLevelLUFS = new(recorded[0].LevelLUFS)
	words, spoken := 0, 0.0
	for _, sample := range recorded {
		if sample.Transcript != "" {
			words, spoken = words+wer.Compare(v.Language, sample.Transcript, "").Words, spoken+sample.Seconds
		}
	}
	out.SampleWordsPerMinute = perMinute(words, spoken)
	ref, err := s.synth.Reference(ctx, v, engines.CloneRules{Longest: samples.Longest})
	if err != nil {
		return out, err
	}
	sound, err := ref.Audio(ctx)
	if err != nil {
		return out, err
	}
	out.SamplePitchHz = pitch(sound)
	if out.Cosine, err = s.cosine(ctx, mono, sound); err != nil {
		return out, err
	}
	warnOfDifferences(&out, s.o.Verify().Limit)
	return out, nil
}

// cosine returns how alike two voices are; nil where the model that tells them apart is not installed, or hears no voice.
func (s *Service) cosine(ctx context.Context, voice, sample audio.Buffer) (*float64, error) {
	if s.o.Diarizers == nil {
		return nil, nil //nolint:nilnil // unknown, as for the other values
	}
	model, err := s.o.Diarizers.AcquireDiarizerDownloaded(ctx)
	switch code := backend.CodeOf(err); {
	case code == backend.CodeModelNotDownloaded, code == backend.CodeModelUnknown:
		return nil, nil //nolint:nilnil // the other values are known without it
	case err != nil:
		return nil, err
	}
	defer model.Release()
	var prints [2][]float32
	for i, b := range []audio.Buffer{voice, sample} {
		mono, err := b.MonoAt(ctx, engines.TranscriberRate)
		if err != nil {
			return nil, err
		}
		vector, ok, err := model.Print(ctx, mono.Samples)
		if err != nil || !ok {
			return nil, err
		}
		prints[i] = vector
	}
	return new(samples.Cosine(prints[0], prints[1])), nil
}

func loudness(mono audio.Buffer) *float64 {
	m := audio.NewMeter(mono.Rate, 1)
	m.Write(mono.Samples)
	if lufs, ok := m.Integrated(); ok {
		return &lufs
	}
	return nil
}

func pitch(mono audio.Buffer) *float64 {
	if hz, ok := samples.PitchHz(mono); ok {
		return &hz
	}
	return nil
}

func perMinute(words int, seconds float64) *float64 {
	if words == 0 || seconds <= 0 {
		return nil
	}
	return new(float64(words) / seconds * 60)
}

// warnOfDifferences adds what a listener would notice.
func warnOfDifferences(s *backend.Similarity, limit float64) {
	warn := func(code backend.SampleIssue, detail, remedy string) {
		s.Warnings = append(s.Warnings, backend.SampleWarning{Code: code, Detail: detail, Remedy: remedy})
	}
	if s.WER > limit {
		warn(backend.CloneNotUnderstood, "Some words of this voice are hard to understand.",
			"Use a clearer sample of 10 to 20 seconds, or another model.")
	}
	if s.Cosine != nil && *s.Cosine < samples.OtherPerson {
		warn(backend.CloneOtherPerson, "This voice sounds like another person than its sample.",
			"Use a clearer sample of 10 to 20 seconds, or another model.")
	}
	if s.Cosine == nil && s.PitchHz != nil && s.SamplePitchHz != nil &&
		math.Abs(samples.Semitones(*s.SamplePitchHz, *s.PitchHz)) > pitchSemitones {
		warn(backend.ClonePitchDiffers, "This voice is much higher or lower than its sample.",
			"Use a sample in which the speaker talks as usual, or another model.")
	}
	if s.WordsPerMinute != nil && s.SampleWordsPerMinute != nil {
		if r := *s.WordsPerMinute / *s.SampleWordsPerMinute; r > paceRatio || r < 1/paceRatio {
			warn(backend.ClonePaceDiffers, "This voice speaks much faster or slower than its sample.",
				"Change the speed of the profile, or check the transcript of the sample.")
		}
	}
}
