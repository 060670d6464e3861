package httpapi_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/httpapi"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/transcribe"
)

// scribe stands for the service of transcripts: on the real store, it completes every transcription with two segments.
type scribe struct {
	*sqlite.DB
	events *httpapi.Events
	dir    string
	at     func(place string)
	last   transcribe.Request
	heard  []byte // the content of the last file
}

func (s *scribe) Submit(ctx context.Context, r transcribe.Request) (backend.Transcript, error) {
	s.last = r
	if r.Path != "" {
		s.heard, _ = os.ReadFile(r.Path)
		_ = os.Remove(r.Path)
	}
	t, err := s.CreateTranscript(ctx, backend.Transcript{Title: r.Title, Source: r.Source, FileName: r.FileName, Request: r.TranscribeOptions})
	if err == nil {
		s.events.Transcript(t)
	}
	return t, err
}

func (s *scribe) Transcribe(ctx context.Context, r transcribe.Request) (backend.Transcript, error) {
	t, err := s.Submit(ctx, r)
	if err != nil {
		return t, err
	}
	return s.complete(ctx, t.ID)
}

func (s *scribe) complete(ctx context.Context, id string) (backend.Transcript, error) {
	if _, err := s.UpdateTranscript(ctx, id, func(t *backend.Transcript) error {
		t.Status = backend.StatusTranscribing
		return nil
	}); err != nil {
		return backend.Transcript{}, err
	}
	t, err := s.UpdateTranscript(ctx, id, func(t *backend.Transcript) error {
		t.Status, t.Language, t.Duration, t.Progress = backend.StatusComplete, "en", 2.5, 1
		t.Segments = []backend.Segment{{ID: 1, End: 1, Text: " Hello there."}, {ID: 2, Start: 1, End: 2.5, Text: " Goodbye."}}
		t.Text = "Hello there. Goodbye."
		return nil
	})
	s.events.Transcript(t)
	return t, err
}

func (s *scribe) SubmitRerun(ctx context.Context, id string, _ transcribe.RerunRequest) (backend.Transcript, error) {
	return s.Transcript(ctx, id)
}

func (s *scribe) Rerun(ctx context.Context, id string, _ transcribe.RerunRequest) (backend.Transcript, error) {
	return s.Transcript(ctx, id)
}

func (s *scribe) Cancel(ctx context.Context, id string) (backend.Transcript, error) {
	t, err := s.UpdateTranscript(ctx, id, func(t *backend.Transcript) error {
		t.Status = backend.StatusCancelled
		return nil
	})
	s.events.Transcript(t)
	return t, err
}

func (s *scribe) Overlay(t backend.Transcript) backend.Transcript { return t }

func (s *scribe) Edit(ctx context.Context, id string, patch backend.TranscriptPatch) (backend.Transcript, error) {
	return s.EditTranscript(ctx, id, func(t *backend.Transcript) error {
		if patch.Title != nil {
			t.Title = *patch.Title
		}
		for i, change := range patch.Segments {
			at := slices.IndexFunc(t.Segments, func(s backend.Segment) bool { return s.ID == change.ID })
			if at < 0 {
				return backend.Invalid("value_error", "No such segment", "body", "segments", strconv.Itoa(i), "id")
			}
			t.Segments[at].Text = " " + *change.Text
		}
		t.Text = transcribe.Text(t.Segments)
		return nil
	})
}

func (s *scribe) Undo(ctx context.Context, id string) (backend.Transcript, error) {
	return s.UndoTranscript(ctx, id)
}

func (s *scribe) Delete(ctx context.Context, id string) error {
	if _, err := s.Transcript(ctx, id); err != nil {
		return err
	}
	_, err := s.DeleteTranscripts(ctx, []string{id})
	return err
}

func (s *scribe) Export(ctx context.Context, id, format string) (backend.ExportedFile, error) {
	t, err := s.Transcript(ctx, id)
	if err != nil {
		return backend.ExportedFile{}, err
	}
	path := filepath.Join(s.dir, id+"."+format)
	return backend.ExportedFile{Name: backend.FileName(t.Title, t.ID) + "." + format, Path: path, Close: func() { _ = os.Remove(path) }},
		os.WriteFile(path, []byte(t.Text), 0o600)
}

func (s *scribe) AudioFile(ctx context.Context, id string) (string, error) {
	t, err := s.Transcript(ctx, id)
	return t.AudioPath, err
}

func (s *scribe) Peaks(ctx context.Context, id string, n int) ([]audio.Peak, error) {
	_, err := s.Transcript(ctx, id)
	return make([]audio.Peak, n), err
}
