package profiles

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
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

// recorder reads and measures recordings.
type recorder struct {
	o       *Options
	folders *folders
	decoder chan struct{} // held while a recording is decoded
}

// analyse reads and measures a recording, and returns the sample that it makes, without a profile.
func (r *recorder) analyse(ctx context.Context, n NewSample, language string) (backend.Sample, samples.Report, error) {
	report, err := r.report(ctx, n.Source)
	if err != nil {
		return backend.Sample{}, report, err
	}
	sample := backend.Sample{
		ID: r.o.NewID(), Name: cut(n.Name, maxFileName), Seconds: report.Seconds, SampleRate: report.SampleRate, LevelLUFS: report.LevelLUFS,
		NoiseDB: report.NoiseDB, Clipped: report.Clipped, Speakers: report.Speakers, Warnings: report.Warnings,
		Transcript: strings.TrimSpace(n.Transcript), CreatedAt: r.o.Now(),
	}
	if sample.Transcript == "" && n.Transcribe {
		sample.Transcript, err = r.o.Listen(ctx, report.Audio, language)
		return sample, report, err
	}
	return sample, report, r.compareTranscript(ctx, &sample, report.Audio, language)
}

// report reads and measures a recording. One is read at a time, as each may take some hundred megabytes.
func (r *recorder) report(ctx context.Context, source Source) (samples.Report, error) {
	path, err := r.path(ctx, source)
	if err != nil {
		return samples.Report{}, err
	}
	select {
	case r.decoder <- struct{}{}:
		defer func() { <-r.decoder }()
	case <-ctx.Done():
		return samples.Report{}, backend.ErrCancelled.WithCause(ctx.Err())
	}
	sound, longer, err := r.o.Codecs.DecodeStart(ctx, path, longestRecording)
	if err != nil {
		return samples.Report{}, err
	}
	read := sound.Duration().Seconds()
	switch {
	case longer && (source.To == 0 || source.To > samples.LongestRecording):
		return samples.Report{}, errLongRecording()
	case source.From >= read:
		return samples.Report{}, backend.Invalid("less_than", fmt.Sprintf("Input should be less than %.1f, the length of the recording", read),
			"body", "from")
	}
	return samples.Analyse(ctx, sound, samples.Options{Detect: r.speech, Voices: r.hearsVoices(), From: source.From, To: source.To})
}

// errLongRecording returns the error about a recording of which no part was chosen that can be read.
func errLongRecording() error {
	return backend.E(backend.CodeSampleRejected,
		"The recording is longer than 5 minutes, and only the first 5 minutes are read.",
		"Choose a part of 3 to 60 seconds within the first 5 minutes, or cut the recording.").
		With("reason", string(backend.SampleTooLong)).With("seconds", samples.LongestRecording)
}

// path returns the file of a recording. Errors: ValidationError, not_found, recording_busy.
func (r *recorder) path(ctx context.Context, source Source) (string, error) {
	switch {
	case source.Path != "" && source.RecordingID != "":
		return "", backend.Invalid("value_error", "Value error, give only one of file and recording_id", "body")
	case source.To != 0 && source.To <= source.From:
		return "", backend.Invalid("greater_than", "Input should be greater than from", "body", "to")
	case source.Path != "":
		return source.Path, nil
	case source.RecordingID == "":
		return "", backend.Invalid("missing", "Field required", "body", "file")
	case r.o.Recordings == nil:
		return "", backend.E(backend.CodeNotFound, "No recording has this id.", "Record again.").With("id", source.RecordingID)
	}
	return r.o.Recordings.RecordingFile(ctx, source.RecordingID)
}

// speech returns where speech is in mono audio at engines.TranscriberRate.
func (r *recorder) speech(ctx context.Context, mono []float32) ([]samples.Span, error) {
	spans, err := r.o.Detector.Speech(ctx, mono)
	out := make([]samples.Span, len(spans))
	for i, span := range spans {
		out[i] = samples.Span{
			Start: float64(span.Start) / engines.TranscriberRate, End: float64(span.End) / engines.TranscriberRate,
		}
	}
	return out, err
}

// compareTranscript adds a warning to a sample whose transcript is not what an installed transcription model hears.
func (r *recorder) compareTranscript(ctx context.Context, sample *backend.Sample, sound audio.Buffer, language string) error {
	if sample.Transcript == "" || r.o.Listen == nil {
		return nil
	}
	transcript, err := r.o.Listen(ctx, sound, language)
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
func (r *recorder) read(ctx context.Context, sample backend.Sample) (audio.Buffer, error) {
	sound, _, err := r.o.Codecs.DecodeStart(ctx, r.folders.file(sample.ProfileID, sample.ID), 2*time.Minute)
	if backend.CodeOf(err) == backend.CodeNotFound || errors.Is(err, fs.ErrNotExist) {
		return sound, errAudioMissing(sample, err)
	}
	return sound, err
}

func errAudioMissing(sample backend.Sample, cause error) error {
	return backend.E(backend.CodeSampleNotFound, "The audio of a sample is missing.",
		"It may have been deleted; add the sample again.").With("id", sample.ID).WithCause(cause)
}
