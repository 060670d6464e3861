package cli

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backup"
	"github.com/voicewright/voicewright/backend/files"
)

func (p libraryCommands) backup() *cobra.Command {
	var prints bool
	cmd := &cobra.Command{
		Use: "backup FILE", Short: "Back up the library to a zip file that only you can read: database, settings and audio, no models",
		Args: usage.ExactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			out := usage.InFolder(args[0], "voicewright-backup.zip")
			if err := usage.CheckFolder(out); err != nil {
				return err
			}
			o, err := p.options()
			if err != nil {
				return err
			}
			if !backup.HasLibrary(o.Data) {
				return backend.E(backend.CodeNotFound, "There is no library in "+o.Data+".", "Check the folder given with --data.")
			}
			return p.backUp(cmd.Context(), out, prints)
		},
	}
	cmd.Flags().BoolVar(&prints, "voice-prints", false, "with the voice prints of known speakers, which no backup has otherwise")
	return cmd
}

// backUp writes the library to a file. A folder that is not writable is found before anything is copied.
func (p libraryCommands) backUp(ctx context.Context, out string, prints bool) error {
	var missing []string
	const ownerOnly = 0o600 // it holds every text
	err := files.Replace(out, ownerOnly, func(f *os.File) error {
		return p.with(ctx, func(c *client.Client) (err error) {
			missing, err = p.downloadBackup(ctx, c, f, prints)
			return err
		})
	})
	var known *backend.Error
	switch {
	case errors.As(err, &known):
		return err
	case err != nil:
		return backend.FileError("write the backup", filepath.Dir(out), err)
	}
	if len(missing) > 0 && !p.json {
		p.notef("%d audio files of the history are missing, and are not in the backup.", len(missing))
	}
	return p.print(map[string]any{"output": out, "missing": missing}, "Wrote %s", out)
}

// downloadBackup writes a backup to f and checks that it is complete. It returns the audio files that the library lacks.
func (p libraryCommands) downloadBackup(ctx context.Context, c *client.Client, f *os.File, prints bool) (missing []string, err error) {
	resp, err := c.Do(ctx, http.MethodGet, "/backup?voice_prints="+strconv.FormatBool(prints), nil, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	total, _ := strconv.ParseInt(resp.Header.Get(backup.SizeHeader), 10, 64) // only the bar needs it
	bar := p.progress("Backing up")
	defer bar.end()
	_, err = io.Copy(f, &progressReader{Reader: resp.Body, bar: bar, total: total})
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, backend.E(backend.CodeInterrupted, "The backup was interrupted before it was complete.", "Try again.").WithCause(err)
	}
	if err != nil {
		return nil, err
	}
	archive, err := backup.OpenArchive(f.Name())
	if err != nil {
		return nil, err
	}
	return archive.Manifest.Missing, archive.Close()
}

// progressReader moves a bar as it is read.
type progressReader struct {
	io.Reader
	bar         *progressBar
	total, done int64
}

func (r *progressReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	r.done += int64(n)
	r.bar.bytes(r.done, r.total)
	return n, err
}
