package transcribe

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/filename"
	"github.com/voicewright/voicewright/backend/speakers"
	"github.com/voicewright/voicewright/backend/transcribe/finder"
	"github.com/voicewright/voicewright/backend/transcribe/paragraphs"
	"github.com/voicewright/voicewright/engines"
)

// Edit changes a title, texts or speakers; the edit can be undone. A segment whose text becomes empty is removed, and one whose
// text changes loses the times of its words. Errors: transcript_not_found, ValidationError,
// not_in_progress for segments while the transcript is made or waits for a rerun.
func (s *Service) Edit(ctx context.Context, id string, patch backend.TranscriptPatch) (backend.Transcript, error) {
	if len(patch.Segments)+len(patch.Speakers) > 0 && s.jobs.Job(id) != nil { // which would replace them
		return backend.Transcript{}, busyError(id)
	}
	t, err := s.o.Store.EditTranscript(ctx, id, func(t *backend.Transcript) error { return applyPatch(t, patch) })
	return s.publish(t, err)
}

// Undo takes the last edit, or rerun, back. Errors: transcript_not_found, not_in_progress if there is none.
func (s *Service) Undo(ctx context.Context, id string) (backend.Transcript, error) {
	return s.publish(s.o.Store.UndoTranscript(ctx, id))
}

func (s *Service) publish(t backend.Transcript, err error) (backend.Transcript, error) {
	if err != nil {
		return t, err
	}
	s.Speakers.Edited(t)
	t = s.Overlay(t)
	s.notify(t)
	return t, nil
}

func applyPatch(t *backend.Transcript, patch backend.TranscriptPatch) error {
	if patch.Title != nil {
		t.Title = strings.TrimSpace(*patch.Title)
	}
	if len(patch.Segments)+len(patch.Speakers) == 0 {
		return nil
	}
	if err := applyNames(t, patch.Speakers); err != nil {
		return err
	}
	t.Segments = slices.Clone(t.Segments)
	changed := len(patch.Speakers)
	for n, change := range patch.Segments {
		i := slices.IndexFunc(t.Segments, func(s backend.Segment) bool { return s.ID == change.ID })
		if i < 0 {
			return backend.Invalid("value_error", "This transcript has no segment "+strconv.Itoa(change.ID),
				"body", "segments", strconv.Itoa(n), "id")
		}
		seg := &t.Segments[i]
		if change.Speaker != nil && (seg.SpeakerFound || strings.TrimSpace(*change.Speaker) != seg.Speaker) {
			changed++
			seg.Speaker, seg.SpeakerFound = strings.TrimSpace(*change.Speaker), false
		}
		if change.Text != nil && backend.OneLine(*change.Text) != backend.OneLine(seg.Text) {
			changed++
			seg.Text, seg.Words = paragraphs.Indent(seg.Text)+backend.OneLine(*change.Text), []backend.HeardWord{}
		}
	}
	if changed == 0 {
		return nil
	}
	t.Segments = slices.DeleteFunc(t.Segments, func(s backend.Segment) bool { return backend.OneLine(s.Text) == "" })
	paragraphs.Mark(t.Segments)
	t.Text = paragraphs.Text(t.Segments)
	return nil
}

// applyNames changes the names of speakers in a transcript.
func applyNames(t *backend.Transcript, list []backend.SpeakerPatch) error {
	if len(list) == 0 {
		return nil
	}
	names := map[string]string{}
	for _, p := range list {
		name := strings.TrimSpace(p.NewName)
		if name == "" {
			return backend.Invalid("string_too_short", "String should have at least 1 character", "body", "speakers", "new_name")
		}
		names[p.Name] = name
	}
	t.Segments, t.Turns = slices.Clone(t.Segments), slices.Clone(t.Turns)
	if unknown := speakers.Rename(t.Segments, t.Turns, names); unknown != "" {
		return backend.Invalid("value_error", "This transcript has no speaker "+unknown, "body", "speakers", "name")
	}
	t.Matches = speakers.RenameMatches(t.Matches, names)
	return nil
}

// Export writes a transcript in one of backend.TranscriptFormats.
// Errors: transcript_not_found, not_in_progress until it has text, ValidationError for another format.
func (s *Service) Export(ctx context.Context, id, format string, style Style) (backend.ExportedFile, error) {
	if formats := backend.TranscriptFormats(); !slices.Contains(formats, format) {
		return backend.ExportedFile{}, backend.Invalid("enum", "Input should be "+strings.Join(formats, ", "), "query", "format")
	}
	t, err := s.Transcript(ctx, id)
	if err != nil {
		return backend.ExportedFile{}, err
	}
	if !t.Status.Ended() && len(t.Segments) == 0 {
		return backend.ExportedFile{}, backend.E(backend.CodeNotInProgress, "This transcript has no text yet.",
			"Wait until it is complete.").With("transcript_id", id)
	}
	f, err := os.CreateTemp(s.folder.tempDir(), "export-*."+format)
	if err != nil {
		return backend.ExportedFile{}, backend.FileError("write the transcript", "the data directory", err)
	}
	err = Write(f, t, format, style)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		s.folder.removeFile(f.Name())
		return backend.ExportedFile{}, backend.FileError("write the transcript", "the data directory", err)
	}
	name := filename.Safe(t.Title, "transcript") + "." + format
	return backend.ExportedFile{Path: f.Name(), Name: name, Close: func() { s.folder.removeFile(f.Name()) }}, nil
}

// AudioFile returns the path of the stored audio of a transcript. Errors: transcript_not_found, audio_missing.
func (s *Service) AudioFile(ctx context.Context, id string) (string, error) {
	t, err := s.o.Store.Transcript(ctx, id)
	if err != nil {
		return "", err
	}
	if t.AudioPath == "" {
		return "", finder.ErrAudioGone(id)
	}
	return t.AudioPath, nil
}

// Peaks returns n peaks of the stored audio of a transcript. Errors: those of AudioFile, unsupported_media, runtime_missing.
func (s *Service) Peaks(ctx context.Context, id string, n int) ([]audio.Peak, error) {
	t, err := s.o.Store.Transcript(ctx, id)
	if err != nil {
		return nil, err
	}
	path, err := s.AudioFile(ctx, id)
	if err != nil {
		return nil, err
	}
	wave := audio.NewWaveform(sampleAt(t.Duration), 1, n)
	err = s.o.Codecs.StreamMono(ctx, path, engines.TranscriberRate, func(samples []float32) error {
		wave.Write(samples)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return wave.Peaks(), nil
}
