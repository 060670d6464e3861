package generations

import (
	"context"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
)

// AudioFile returns the path of the audio of a finished generation or script.
// Errors: generation_not_found, audio_missing.
func (s *Service) AudioFile(ctx context.Context, id string) (string, error) {
	g, err := s.o.Store.Generation(ctx, id)
	if backend.CodeOf(err) == backend.CodeGenerationNotFound {
		if script, err := s.o.Store.Script(ctx, id); err == nil && script.AudioPath != "" {
			return script.AudioPath, nil
		}
	}
	if err != nil {
		return "", err
	}
	if g.AudioPath == "" {
		return "", backend.E(backend.CodeAudioMissing, "This generation has no audio.", "Regenerate it.").
			With("generation_id", id)
	}
	return g.AudioPath, nil
}

// Path returns the path of the audio of a generation.
func (s *Service) Path(g backend.Generation) string {
	return filepath.Join(s.o.Dir, g.CreatedAt.UTC().Format("2006-01"), FileName(g))
}

// FileName returns the name of the file of a generation. A row of a library that somebody else wrote cannot lead to another folder.
func FileName(g backend.Generation) string { return filepath.Base(g.ID + "." + g.Format) }
