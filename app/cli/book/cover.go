package book

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

// Cover is the picture of a book that a command was given.
type Cover struct {
	name string
	data []byte
}

// ReadCover reads the file of a cover; without a file there is none. Wrong use: no JPEG or PNG picture, one that is too large or damaged.
func ReadCover(file string) (Cover, error) {
	if file == "" {
		return Cover{}, nil
	}
	f, err := usage.OpenInput(file)
	if err != nil {
		return Cover{}, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, backend.MaxCover+1))
	if err != nil {
		return Cover{}, backend.FileError("read the cover", file, err)
	}
	if err := backend.CheckWholeCover(data); err != nil {
		return Cover{}, usage.Misuse(err)
	}
	return Cover{filepath.Base(file), data}, nil
}

// Set makes it the cover of a book, which it returns. Without a picture nothing happens.
func (v Cover) Set(ctx context.Context, c *client.Client, b client.Book) (client.Book, error) {
	if v.data == nil {
		return b, nil
	}
	form := client.Form{Method: http.MethodPut, Path: Path(b.ID, "/cover"), Name: v.name, In: bytes.NewReader(v.data)}
	var now client.Book
	err := c.SendForm(ctx, form, &now)
	return now, err
}

// CoverCommand returns the command for the cover of a book.
func CoverCommand(p Program) *cobra.Command {
	var remove bool
	args := func(cmd *cobra.Command, args []string) error {
		if remove {
			return usage.ExactArgs(NameArg)(cmd, args)
		}
		return usage.ExactArgs(NameArg, "FILE")(cmd, args)
	}
	cmd := p.BookCommand("cover "+NameArg+" FILE", "Set the cover of a book, or remove it", args,
		func(ctx context.Context, c *client.Client, b client.Book, args []string) (err error) {
			text := "The book has no cover now."
			if remove {
				path := Path(b.ID, "/cover")
				b = client.Book{}
				err = c.Call(ctx, http.MethodDelete, path, nil, &b)
			} else {
				var cover Cover
				if cover, err = ReadCover(args[0]); err == nil {
					b, err = cover.Set(ctx, c, b)
				}
				text = "The cover of the book is " + cover.name + " now."
			}
			if err != nil {
				return err
			}
			return p.ShowResult(b, "", nil, text)
		})
	cmd.Long += "\nFILE is a JPEG or PNG picture of at most 20 MB; players want a square one, and shops one of 2400 pixels on each side."
	cmd.Flags().BoolVar(&remove, "remove", false, "remove the cover")
	return cmd
}
