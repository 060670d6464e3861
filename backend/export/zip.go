package export

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/filename"
)

// Zip writes finished generations as one zip file. names are those of the files without extension, empty or too few for the
// generations' own. Generations without an audio file are skipped and listed in missing.txt.
// Errors: generation_not_found, runtime_missing.
func (s *Service) Zip(ctx context.Context, w io.Writer, ids, names []string, format string, o audio.ExportOptions) error {
	out := zip.NewWriter(w)
	used := filename.Names{}
	var missing []string
	for i, id := range ids {
		one := o
		if o.Progress != nil { // each counts the same, as their lengths are not read before
			one.Progress = func(share float64) { o.Progress((float64(i) + share) / float64(len(ids))) }
			one.Progress(0)
		}
		e, err := s.Generation(ctx, id, format, one)
		if backend.CodeOf(err) == backend.CodeAudioMissing {
			missing = append(missing, id)
			continue
		}
		if err != nil {
			return err
		}
		if i < len(names) && names[i] != "" {
			e.Name = filename.Safe(names[i], id) + filepath.Ext(e.Name)
		}
		err = addFile(out, used.Unique(e.Name), e)
		e.Close()
		if err != nil {
			return err
		}
	}
	if len(missing) > 0 {
		note, err := out.CreateHeader(&zip.FileHeader{Name: "missing.txt", Method: zip.Deflate, Modified: s.o.Now().Local()})
		if err != nil {
			return fmt.Errorf("write the zip: %w", err)
		}
		if _, err := fmt.Fprintf(note, "Skipped because the audio file is missing:\n%s\n", strings.Join(missing, "\n")); err != nil {
			return fmt.Errorf("write the zip: %w", err)
		}
	}
	return out.Close()
}

// ZipSize returns about how many bytes of disk space Zip needs: all files, and the largest once more, which is written
// before it is added. Missing files count nothing. Errors: those of the store except generation_not_found.
func (s *Service) ZipSize(ctx context.Context, ids []string, format string, o audio.ExportOptions) (bytes int64, err error) {
	var sum, largest int64
	for _, id := range ids {
		g, err := s.o.Store.Generation(ctx, id)
		if backend.CodeOf(err) == backend.CodeGenerationNotFound {
			continue
		}
		if err != nil {
			return 0, err
		}
		var size int64
		switch info, err := os.Stat(g.AudioPath); {
		case format == backend.FormatSRT || format == backend.FormatVTT || err != nil:
		case (format == "" || format == g.Format) && o.AsMade():
			size = info.Size()
		default: // no format is larger than WAV
			const highest = 48000 // Hz, at which Opus is always decoded
			samples := g.Duration * float64(g.Channels*max(g.SampleRate, highest))
			size = max(info.Size(), int64(math.Ceil(2*samples)))
		}
		sum, largest = sum+size, max(largest, size)
	}
	return sum + largest, nil
}

func addFile(out *zip.Writer, name string, e backend.ExportedFile) error {
	f, err := os.Open(e.Path)
	if err != nil {
		return fmt.Errorf("read the export file: %w", err)
	}
	defer func() { _ = f.Close() }()
	w, err := out.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store, Modified: e.Created.Local()})
	if err != nil {
		return fmt.Errorf("write the zip: %w", err)
	}
	_, err = io.Copy(w, f)
	return err
}
