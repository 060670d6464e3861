package cli

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/app/cli/transcript"
	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

// asynchronous is the header of requests that are answered as soon as their work is accepted.
var asynchronous = map[string]string{"Prefer": "respond-async"}

// upload sends an input with the options, and reads the row of its transcript into t.
func (p transcribeCommands) upload(
	ctx context.Context, c *client.Client, w transcript.Work, f transcribeFlags, t *backend.Transcript,
) error {
	in := p.io.In
	name := "standard input"
	if w.Path != transcript.Stdin {
		file, err := usage.OpenInput(w.Path)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		in, name = file, filepath.Base(w.Path)
	}
	if w.Out != "" {
		if err := os.MkdirAll(filepath.Dir(w.Out), 0o755); err != nil {
			return backend.FileError("make the folder of the output", filepath.Dir(w.Out), err)
		}
	}
	fields := f.fields()
	fields["prompt"], fields["download"] = f.prompt, "false"
	if f.speakers != "" {
		fields["speakers"] = f.speakers
	}
	if f.words {
		fields["timestamps"] = "word"
	}
	return c.SendForm(ctx, client.Form{Path: "/transcriptions", Name: name, In: in, Fields: fields, Header: asynchronous}, t)
}

// printResponse prints what a path returns.
func (p transcribeCommands) printResponse(ctx context.Context, c *client.Client, path string) error {
	resp, err := c.Do(ctx, http.MethodGet, path, nil, nil)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	_, err = io.Copy(p.io.Out, resp.Body)
	return err
}
