package transcribe

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/jobs"
	"github.com/voicewright/voicewright/backend/transcribe/finder"
	"github.com/voicewright/voicewright/engines"
)

// prepare checks a request and returns its job, which has no row yet.
func (s *Service) prepare(ctx context.Context, r Request) (*job, error) {
	options, err := s.resolver.resolve(r.TranscribeOptions, "")
	if err != nil {
		return nil, err
	}
	if err := finder.Check(r.Speakers, "body", "speakers"); err != nil {
		return nil, err
	}
	j := &job{
		Handle: jobs.NewHandle(), id: s.o.NewID(), source: r.Path, input: r, options: options, installed: r.NoDownload,
		speakers: r.Speakers,
	}
	now := s.o.Now()
	j.t = backend.Transcript{
		ID: j.id, Title: r.Title, Status: backend.StatusQueued, Segments: []backend.Segment{}, Language: options.Language,
		ModelName: options.ModelName, Source: r.Source, FileName: r.FileName, CreatedAt: now, UpdatedAt: now,
		Warnings: []backend.TranscriptWarning{}, Request: r.TranscribeOptions,
	}
	switch r.Source {
	case backend.TranscriptOfGeneration:
		err = s.sources.useGeneration(ctx, j, r.GenerationID)
	case backend.TranscriptOfRecording:
		err = s.sources.useRecording(ctx, j, r.RecordingID)
	default:
		j.t.Title = cmp.Or(j.t.Title, strings.TrimSuffix(r.FileName, filepath.Ext(r.FileName)))
	}
	return j, err
}

// sources are where audio comes from: uploaded files, generations and recordings.
type sources struct{ o Options }

// titleRunes is the length of a title that is made of the text of a generation.
const titleRunes = 60

func (s *sources) useGeneration(ctx context.Context, j *job, id string) error {
	g, err := s.o.Generations.Generation(ctx, id)
	if err != nil {
		return err
	}
	if g.AudioPath == "" {
		return backend.E(backend.CodeAudioMissing, "This generation has no audio.", "Regenerate it.").With("generation_id", id)
	}
	title := []rune(backend.OneLine(g.Text))
	j.source, j.t.GenerationID = g.AudioPath, &id
	j.t.Title = cmp.Or(j.t.Title, g.Title, string(title[:min(len(title), titleRunes)]))
	return nil
}

func (s *sources) useRecording(ctx context.Context, j *job, id string) (err error) {
	if s.o.Recordings == nil {
		return backend.E(backend.CodeNotFound, "This recording does not exist.", "Record again.")
	}
	j.source, err = s.o.Recordings.RecordingFile(ctx, id)
	j.t.Title = cmp.Or(j.t.Title, j.t.CreatedAt.Local().Format("2006-01-02 15:04"))
	return err
}

// ModelFor returns the model that a request would use, and whether the request or the user's settings name it.
// Errors: ValidationError, model_unknown, engine_mismatch, language_not_supported.
func (s *Service) ModelFor(o backend.TranscribeOptions) (name string, named bool, err error) {
	resolved, err := s.resolver.resolve(o, "")
	if err != nil {
		return "", false, err
	}
	if named = o.ModelName != ""; !named {
		_, named = s.o.DefaultModel("", resolved)
	}
	return resolved.ModelName, named, nil
}

// resolver finds the model and the language of a request.
type resolver struct{ o Options }

// resolve checks the options of a request, and returns them with the model that does the work and a language, empty where it
// is to be detected. last is the model of an earlier run, which may be empty.
func (r *resolver) resolve(o backend.TranscribeOptions, last string) (backend.TranscribeOptions, error) {
	if o.Language == "auto" {
		o.Language = ""
	}
	if o.Language != "" {
		tag, ok := backend.CanonicalLanguage(o.Language)
		if !ok || !backend.KnownLanguage(tag) {
			return o, backend.Invalid("value_error", "Input should be a BCP 47 language tag, such as en or pt-BR, or auto", "body", "language")
		}
		o.Language = tag
	}
	if o.ModelName == "" {
		o.ModelName, _ = r.o.DefaultModel(last, o)
	}
	m, err := r.o.Models.Model(o.ModelName)
	switch {
	case err != nil:
		return o, err
	case !m.Transcribes:
		return o, engines.CannotTranscribe(m.Name, m.DisplayName, m.Abilities)
	case o.Translate && monolingual(m):
		return o, backend.Invalid("value_error", m.DisplayName+" understands one language and cannot translate", "body", "translate")
	case o.Language != "" && len(m.Languages) > 0 && !speaksLanguage(m, o.Language):
		return o, backend.E(backend.CodeLanguageNotSupported, fmt.Sprintf("%s does not understand %q.", m.DisplayName, o.Language),
			"Choose a multilingual model, or leave the language out.").With("language", o.Language).With("model_name", m.Name)
	case o.Translate && m.Translator != "":
		o.ModelName = m.Translator
	}
	return o, nil
}

func monolingual(m engines.Model) bool { return len(m.Languages) == 1 }

func speaksLanguage(m engines.Model, language string) bool {
	return slices.ContainsFunc(m.Languages, func(tag string) bool { return engines.SameLanguage(tag, language) })
}

// discard removes the file of a request that the service owns.
func (s *sources) discard(r Request) {
	if !r.Temporary || r.Path == "" {
		return
	}
	if err := os.Remove(r.Path); err != nil && !os.IsNotExist(err) {
		s.o.Log.Warn("remove an uploaded file", "error", err)
	}
}

func (s *sources) deleteRecording(id string) {
	if err := s.o.Recordings.DeleteRecording(context.Background(), id); err != nil {
		s.o.Log.Warn("delete the recording of a transcript", "error", err)
	}
}
