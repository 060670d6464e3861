package profiles

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/samples"
	"github.com/voicewright/voicewright/backend/wer"
	"github.com/voicewright/voicewright/engines"
)

// longestRecording is how much of a recording is read.
const longestRecording = samples.LongestRecording * time.Second

// wrongTranscript is the word error rate above which a transcript is not that of its sample.
const wrongTranscript = 0.5

// report reads and measures a recording. One is read at a time, as each may take some hundred megabytes.
func (s *Service) report(ctx context.Context, source Source) (samples.Report, error) {
	path, err := s.path(ctx, source)
	if err != nil {
		return samples.Report{}, err
	}
	select {
	case s.decoder <- struct{}{}:
		defer func() { <-s.decoder }()
	case <-ctx.Done():
		return samples.Report{}, backend.ErrCancelled.WithCause(ctx.Err())
	}
	sound, longer, err := s.o.Codecs.DecodeStart(ctx, path, longestRecording)
	if err != nil {
		return samples.Report{}, err
	}
	read := sound.Duration().Seconds()
	switch {
	case longer && (source.To == 0 || source.To > samples.LongestRecording):
		return samples.Report{}, longRecording()
	case source.From >= read:
		return samples.Report{}, backend.Invalid("less_than", fmt.Sprintf("Input should be less than %.1f, the length of the recording", read),
			"body", "from")
	}
	return samples.Analyse(ctx, sound, samples.Options{Detect: s.speech, From: source.From, To: source.To})
}

// longRecording returns the error about a recording of which no part was chosen that can be read.
func longRecording() error {
	return backend.E(backend.CodeSampleRejected,
		"The recording is longer than 5 minutes, and only the first 5 minutes are read.",
		"Choose a part of 3 to 60 seconds within the first 5 minutes, or cut the recording.").
		With("reason", string(backend.SampleTooLong)).With("seconds", samples.LongestRecording)
}

// path returns the file of a recording. Errors: ValidationError, not_found, recording_busy.
func (s *Service) path(ctx context.Context, source Source) (string, error) {
	switch {
	case source.Path != "" && source.RecordingID != "":
		return "", backend.Invalid("value_error", "Value error, give only one of file and recording_id", "body")
	case source.To != 0 && source.To <= source.From:
		return "", backend.Invalid("greater_than", "Input should be greater than from", "body", "to")
	case source.Path != "":
		return source.Path, nil
	case source.RecordingID == "":
		return "", backend.Invalid("missing", "Field required", "body", "file")
	case s.o.Recordings == nil:
		return "", backend.E(backend.CodeNotFound, "No recording has this id.", "Record again.").With("id", source.RecordingID)
	}
	return s.o.Recordings.RecordingFile(ctx, source.RecordingID)
}

// speech returns where speech is in mono audio at engines.TranscriberRate.
func (s *Service) speech(ctx context.Context, mono []float32) ([]samples.Span, error) {
	spans, err := s.o.Detector.Speech(ctx, mono)
	out := make([]samples.Span, len(spans))
	for i, span := range spans {
		out[i] = samples.Span{
			Start: float64(span.Start) / engines.TranscriberRate, End: float64(span.End) / engines.TranscriberRate,
		}
	}
	return out, err
}

// compareTranscript adds a warning to a sample whose transcript is not what an installed transcription model hears.
func (s *Service) compareTranscript(ctx context.Context, sample *backend.Sample, sound audio.Buffer, language string) error {
	if sample.Transcript == "" || s.o.Listen == nil {
		return nil
	}
	transcript, err := s.o.Listen(ctx, sound, language)
	if ctx.Err() != nil {
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
	if err != nil {
		return nil //nolint:nilerr // it is compared only where a model can
	}
	if wer.Compare(language, sample.Transcript, transcript).WER > wrongTranscript {
		sample.Warnings = append(sample.Warnings, backend.SampleWarning{
			Code: backend.SampleMismatch, Detail: "The transcript does not fit what is heard in the sample.",
			Remedy: "Correct the transcript, or remove it.", Params: map[string]any{"heard": transcript},
		})
	}
	return nil
}

// read returns the audio of a stored sample. Error: sample_not_found.
func (s *Service) read(ctx context.Context, sample backend.Sample) (audio.Buffer, error) {
	sound, _, err := s.o.Codecs.DecodeStart(ctx, s.file(sample.ProfileID, sample.ID), 2*time.Minute)
	if backend.CodeOf(err) == backend.CodeNotFound || errors.Is(err, fs.ErrNotExist) {
		return sound, audioMissing(sample, err)
	}
	return sound, err
}

func audioMissing(sample backend.Sample, cause error) error {
	return backend.E(backend.CodeSampleNotFound, "The audio of a sample is missing.",
		"It may have been deleted; add the sample again.").With("id", sample.ID).WithCause(cause)
}
