package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backup"
	"github.com/voicewright/voicewright/backend/files"
)

func (p *program) backup() *cobra.Command {
	return &cobra.Command{
		Use: "backup FILE", Short: "Write the whole library to a zip file that only you can read: database, settings and audio, no models",
		Args: exactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFolder(args[0]); err != nil {
				return err
			}
			o, err := p.options()
			if err != nil {
				return err
			}
			if !backup.HasLibrary(o.Data) {
				return backend.E(backend.CodeNotFound, "There is no library in "+o.Data+".", "Check the folder given with --data.")
			}
			return p.backUp(cmd.Context(), args[0])
		},
	}
}

// backUp writes the library to a file. The file is made first: a folder that cannot be written is found before anything is copied.
func (p *program) backUp(ctx context.Context, out string) error {
	temp, err := os.CreateTemp(filepath.Dir(out), ".voicewright-*") // made with mode 0600, as it holds every text
	if err != nil {
		return backend.FileError("write the backup", filepath.Dir(out), err)
	}
	defer func() { _, _ = temp.Close(), os.Remove(temp.Name()) }()
	return p.with(ctx, func(c *client.Client) error {
		resp, err := c.Do(ctx, http.MethodGet, "/backup", nil, nil)
		if err != nil {
			return err
		}
		defer func() { _ = resp.Body.Close() }()
		total, _ := strconv.ParseInt(resp.Header.Get(backup.SizeHeader), 10, 64) // only the bar needs it
		bar := p.progress("Copying")
		missing, err := writeBackup(temp, out, &counted{resp.Body, bar, total, 0})
		bar.end()
		if err != nil {
			return err
		}
		if len(missing) > 0 && !p.json {
			p.complain(fmt.Sprintf("%d audio files of the history were missing before and are not in it.", len(missing)))
		}
		return p.done("Wrote "+out, map[string]any{"output": out, "missing": missing})
	})
}

// writeBackup keeps a backup that came to its end in one step; else what was there before stays.
func writeBackup(temp *os.File, out string, content io.Reader) (missing []string, err error) {
	_, err = io.Copy(temp, content)
	err = errors.Join(err, temp.Close())
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, backend.E(backend.CodeInterrupted, "The backup broke off before its end.", "Try again.").WithCause(err)
	}
	if err != nil {
		return nil, backend.FileError("write the backup", filepath.Dir(out), err)
	}
	whole, err := backup.OpenArchive(temp.Name())
	if err != nil {
		return nil, err
	}
	if err := errors.Join(whole.Close(), files.Move(temp.Name(), out)); err != nil {
		return nil, backend.FileError("write the backup", out, err)
	}
	return whole.Manifest.Missing, nil
}

// counted moves a bar with what is read.
type counted struct {
	io.Reader
	bar         *progressBar
	total, done int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.done += int64(n)
	c.bar.bytes(c.done, c.total)
	return n, err
}

func (p *program) restore() *cobra.Command {
	return &cobra.Command{
		Use: "restore FILE", Short: "Put the library of a backup in the place of the present one, which is kept aside",
		Args: exactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := p.options()
			if err != nil {
				return err
			}
			archive, err := backup.OpenArchive(args[0])
			if err != nil {
				return err
			}
			defer func() { _ = archive.Close() }()
			bar := p.progress("Restoring")
			err = p.app.Restore(cmd.Context(), o.Data, archive, func(done int64) { bar.bytes(done, archive.Size()) })
			bar.end()
			if err != nil {
				return err
			}
			said, facts := "Restored "+args[0]+".", map[string]any{"restored": args[0]}
			former := backup.Former(o.Data)
			if _, err := os.Stat(former); err == nil {
				said += " The library that was there before is kept in " + former + " until the next restore."
				facts["former"] = former
			}
			return p.done(said, facts)
		},
	}
}
