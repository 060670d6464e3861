package generations

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// recover makes store and audio directory consistent after a crash: unfinished generations become failed with the remedy
// to retry, and their temporary files are removed. It returns them.
func (s *Service) recover(ctx context.Context) ([]backend.Generation, error) {
	if err := errors.Join(files.RemoveAll(s.synth.TempDir()), os.MkdirAll(s.synth.TempDir(), 0o700)); err != nil {
		return nil, backend.FileError("make the audio directory", "the data directory", err)
	}
	lost, err := s.o.Store.Recover(ctx)
	if err != nil {
		return nil, err
	}
	for _, g := range lost {
		if err := os.Remove(s.Archive.Path(g)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, backend.FileError("remove an unfinished file", "the data directory", err)
		}
	}
	return lost, s.partials.recover(ctx)
}
