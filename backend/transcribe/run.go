package transcribe

import (
	"context"
	"errors"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/speakers"
	"github.com/voicewright/voicewright/backend/transcribe/finder"
	"github.com/voicewright/voicewright/backend/transcribe/paragraphs"
	"github.com/voicewright/voicewright/engines"
)

// perform runs an accepted job. The audio is read before the model is acquired, so that a file that cannot be read is an error
// before a download begins.
func (s *Service) perform(ctx context.Context, j *job) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	samples, err := s.readAudio(ctx, j)
	if err != nil {
		return err
	}
	loaded, err := s.acquire(ctx, j)
	if err != nil {
		return err
	}
	defer loaded.Release()
	if err := s.move(ctx, j, func(t *backend.Transcript) { t.Status = backend.StatusTranscribing }); err != nil {
		return err
	}
	if !j.former {
		j.search = s.Speakers.After(j.id, j.speakers, j.installed)
	}
	p := newPass(s, j, loaded, samples)
	p.options.Words = p.options.Words || j.search != nil || j.wordsOfSpeakers()
	if err := p.all(ctx); err != nil {
		if backend.CodeOf(err) == backend.CodeCancelled && ctx.Err() == nil {
			return errUnloaded.WithCause(err)
		}
		return err
	}
	if loaded.Transcribed != nil && p.modelSamples > 0 {
		loaded.Transcribed(p.spent.Seconds() / seconds(p.modelSamples))
	}
	return s.complete(ctx, j, p)
}

// wordsOfSpeakers reports whether words need times because speakers are known by which they are told apart, or can be asked for
// at any time.
func (j *job) wordsOfSpeakers() bool {
	t := j.snapshot()
	return len(t.Turns) > 0 || j.byChannels() || t.Channels != nil && t.Channels.Separate
}

// byChannels reports whether the channels of the source are the speakers.
func (j *job) byChannels() bool {
	return !j.former && j.speakers != nil && j.speakers.Mode == backend.SpeakersChannels
}

// acquire loads the model of a job. Where nobody named one it is chosen now, as models may have come and gone while the job
// waited.
func (s *Service) acquire(ctx context.Context, j *job) (*engines.LoadedTranscriber, error) {
	options, err := s.resolver.resolve(j.snapshot().Request, j.last)
	if err == nil && j.installed {
		err = s.o.Models.Installed(options.ModelName)
	}
	if err != nil {
		return nil, err
	}
	return s.o.Models.AcquireTranscriber(ctx, options.ModelName, func(phase backend.Status) {
		err := s.move(ctx, j, func(t *backend.Transcript) {
			t.Status = phase
			if !j.again {
				t.ModelName = options.ModelName
			}
		})
		if err != nil {
			s.o.Log.Warn("write down the state of a transcript", "id", j.id, "error", err)
		}
	})
}

// errUnloaded is about a run that ended because its model was unloaded or deleted by force.
var errUnloaded = backend.E(backend.CodeInterrupted, "The model was unloaded while it transcribed.", "Retry it.")

// complete stores the audio, and sets the result of a job.
func (s *Service) complete(ctx context.Context, j *job, p *pass) error {
	segments, warnings := removeLoops(p.segments)
	if j.again {
		j.res = outcome{rerun: true, change: func(t *backend.Transcript) error {
			replace(t, j, p, segments, warnings)
			return nil
		}}
		return nil
	}
	path, replaced, err := s.keepAudio(ctx, j)
	if err != nil {
		return err
	}
	paragraphs.Mark(segments)
	text := paragraphs.Text(segments)
	j.res = outcome{
		change: func(t *backend.Transcript) error {
			t.Status, t.Progress, t.Error, t.Waiting = backend.StatusComplete, 1, nil, false
			t.Text, t.Segments, t.Language, t.Warnings = text, segments, p.options.Language, warnings
			t.ModelName, t.AudioPath, t.Duration = p.loaded.Model, path, seconds(p.samples)
			if j.byChannels() {
				finder.SetChannels(t)
			}
			return nil
		},
		stored: func() {
			s.folder.removeFile(replaced)
			if j.input.Source == backend.TranscriptOfRecording {
				s.sources.deleteRecording(j.input.RecordingID)
			}
		},
	}
	return nil
}

// replace changes a complete transcript by the result of a rerun.
func replace(t *backend.Transcript, j *job, p *pass, segments []backend.Segment, warnings []backend.TranscriptWarning) {
	t.Status, t.Progress, t.Error, t.Waiting = backend.StatusComplete, 1, nil, false
	kept := make([]backend.TranscriptWarning, 0, len(t.Warnings))
	for _, w := range t.Warnings {
		if w.End <= j.from || j.to > 0 && w.Start >= j.to {
			kept = append(kept, w)
		}
	}
	t.Segments = replacePart(t.Segments, withSpeakers(*t, j, segments), j.from, j.to)
	if j.speakers != nil && j.speakers.Mode == backend.SpeakersOff && j.from == 0 && j.to == 0 {
		t.Turns, t.Matches = nil, nil
	}
	t.Warnings = append(kept, warnings...)
	if j.from == 0 && j.to == 0 {
		t.Language, t.ModelName, t.Request = p.options.Language, p.loaded.Model, j.t.Request
	}
	paragraphs.Mark(t.Segments)
	t.Text = paragraphs.Text(t.Segments)
	if j.byChannels() {
		finder.SetChannels(t)
	}
}

// withSpeakers returns the segments of a rerun with IDs, and with the speakers that a person set or that were found before.
func withSpeakers(t backend.Transcript, j *job, segments []backend.Segment) []backend.Segment {
	next := speakers.NextID(t.Segments)
	for i := range segments {
		segments[i].ID = next + i
	}
	speakers.KeepSet(t.Segments, segments)
	if len(t.Turns) == 0 || j.speakers != nil && j.speakers.Mode == backend.SpeakersOff {
		return segments
	}
	return speakers.Follow(segments, t.Turns)
}

func seconds(samples int64) float64 { return float64(samples) / engines.TranscriberRate }

// errStop ends the reading of audio at the end of a part.
var errStop = errors.New("the part has been read")
