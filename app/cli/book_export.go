package cli

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/book"
	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

func (p bookCommands) bookExport() *cobra.Command {
	var to book.Output
	var size bool
	cmd := p.BookCommand("export "+book.NameArg, "Write the audiobook: an m4b file, or a file of each chapter", usage.ExactArgs(book.NameArg),
		func(ctx context.Context, c *client.Client, b client.Book, _ []string) error {
			if !size {
				return p.exportBook(ctx, c, b, to)
			}
			t, err := to.Target(b.Title)
			if err != nil {
				return err
			}
			s, err := t.Size(ctx, c, b.ID)
			if err != nil {
				return err
			}
			return p.print(s, "%s", s)
		})
	cmd.Long += "\nThe size and the length are said before it is written."
	cmd.Example = `  voicewright book export "Walden" -o walden.m4b
  voicewright book export walden -o chapters/ --format flac
  voicewright book export walden --bitrate 48 --size`
	to.Add(cmd)
	cmd.Flags().BoolVar(&size, "size", false, "say only how large the files will be, and how long")
	return cmd
}

// exportBook writes a book into its file or folder.
func (p bookCommands) exportBook(ctx context.Context, c *client.Client, b client.Book, to book.Output) error {
	t, err := to.Target(b.Title)
	if err != nil {
		return err
	}
	if !p.json {
		size, err := t.Size(ctx, c, b.ID)
		if err != nil {
			return err
		}
		p.notef("%s", size)
	}
	var written []string
	err = p.exporting(ctx, c, func(exportID string) error {
		query := t.Query()
		query.Set("export_id", exportID)
		resp, err := c.Do(ctx, http.MethodGet, book.Path(b.ID, "/export?"+query.Encode()), nil, nil)
		if err != nil {
			return err
		}
		defer func() { _ = resp.Body.Close() }()
		written, err = t.Save(resp)
		return err
	})
	if err != nil {
		return err
	}
	text := "Wrote " + t.Path
	if len(written) > 1 {
		t.Path = filepath.Dir(written[0])
		text = fmt.Sprintf("Wrote %d files to %s", len(written), t.Path)
	}
	return p.print(map[string]any{"id": b.ID, "output": t.Path, "files": written}, "%s", text)
}

// checkEncoder returns runtime_missing where the format of a book cannot be written.
func checkEncoder(ctx context.Context, c *client.Client, o book.Output) error {
	t, err := o.Target("book")
	if err != nil {
		return err
	}
	var system struct {
		Encoders []string `json:"encoders"`
	}
	if err := c.Call(ctx, http.MethodGet, "/system", nil, &system); err != nil {
		return err
	}
	needed := t.Format
	if needed == book.FormatM4B {
		needed = backend.FormatM4A // the same encoder
	}
	if slices.Contains(system.Encoders, needed) {
		return nil
	}
	return backend.E(backend.CodeRuntimeMissing, "Files of the format "+t.Format+" need ffmpeg, which is not found.",
		"Install it; voicewright doctor says how. Chapters as wav need nothing: -o FOLDER --format wav.").With("program", "ffmpeg")
}
