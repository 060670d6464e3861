package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
	"github.com/voicewright/voicewright/backend/speech"
)

// textFlags are the flags of commands that take a text.
type textFlags struct{ file, encoding string }

// add adds the flags to a command. short is the letter of --file, empty for none.
func (f *textFlags) add(cmd *cobra.Command, short string) {
	flags := cmd.Flags()
	flags.StringVarP(&f.file, "file", short, "", "read the text from this file: "+extract.EndingList())
	flags.StringVar(&f.encoding, "encoding", "", "character encoding of the file, such as windows-1251 (default: the one that is found)")
}

// fileHelp returns what the help of a command says about files and long texts.
func fileHelp() string {
	return "--file reads " + extract.EndingList() + " files;\n" +
		"PDF needs pdftotext. Parts that are not read aloud are named on standard error.\n" +
		fmt.Sprintf("A text has up to %d characters: split a longer one into files, or into the rows of a list for say --batch.",
			speech.MaxTextChars)
}

// textInput is where the text of a command comes from.
type textInput struct {
	p     *program
	text  string // the argument
	raw   []byte // of standard input, or of a file that can be read once, such as a pipe
	file  string // empty for the argument, - for standard input
	flags textFlags
}

// text returns the text of a command as its argument, or where to read it: a file, which must exist, or standard input, which is
// read at once, as nothing else may wait for it.
func (p *program) text(ctx context.Context, cmd *cobra.Command, args []string, f textFlags) (textInput, error) {
	in := textInput{p: p, file: f.file, flags: f}
	switch {
	case f.file != "" && len(args) > 0:
		return in, usage.Errorf("use TEXT or --file, not both")
	case f.file == "" && len(args) != 1:
		return in, usage.CommandErrorf(cmd, "needs one TEXT (in quotes), - for standard input, or --file")
	case f.file == "" && args[0] != "-":
		if f.encoding != "" {
			return in, usage.Errorf("--encoding needs --file or - as TEXT")
		}
		text, err := checkText(args[0])
		in.text = text
		return in, err
	case f.file == "":
		in.file = "-"
	}
	if in.file == "-" {
		raw, err := p.readInput(ctx, extract.MaxFile)
		in.raw = raw
		return in, err
	}
	info, err := os.Stat(in.file)
	if err != nil {
		return in, usage.InputError(in.file, err)
	}
	switch {
	case info.IsDir():
		return in, usage.Errorf("%s is a folder; name a file in it", in.file)
	case !info.Mode().IsRegular():
		in.raw, err = p.readFile(ctx, in.file, extract.MaxFile)
	}
	return in, err
}

// checkText returns a text without white space around it. Wrong use: no text, a text that is not UTF-8 or too long.
func checkText(text string) (string, error) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")) // the byte order mark that some editors write
	switch {
	case text == "":
		return "", usage.Errorf("the text is empty")
	case !utf8.ValidString(text):
		return "", usage.Errorf("the text is not UTF-8; convert it first")
	case utf8.RuneCountInString(text) > speech.MaxTextChars:
		return "", usage.Errorf("the text has more than %d characters; split it into files, or into the rows of a list for say --batch",
			speech.MaxTextChars)
	}
	return text, nil
}

// read returns the text. That of a file is extracted by the API, and what is not read aloud is named on standard error.
func (t textInput) read(ctx context.Context, c *client.Client) (string, error) {
	if t.file == "" {
		return t.text, nil
	}
	name, in, err := t.open()
	if err != nil {
		return "", err
	}
	defer func() { _ = in.Close() }()
	var doc extract.Document
	fields := map[string]string{"encoding": t.flags.encoding}
	err = c.SendForm(ctx, client.Form{Path: "/text/extract", Name: name, In: in, Fields: fields}, &doc)
	switch code := backend.CodeOf(err); {
	case err == nil:
	case t.file == "-" && code == backend.CodeNothingToSpeak:
		return "", usage.Errorf("the text is empty")
	case code == backend.CodeUnsupportedMedia, code == backend.CodeBodyTooLarge:
		return "", usage.Misuse(err)
	default:
		return "", err
	}
	t.p.printNotes("Note", doc.Notes)
	return checkText(doc.Text)
}

// open returns the file and the name that it is extracted by. A file without an ending is read as a text.
func (t textInput) open() (name string, in io.ReadCloser, err error) {
	if t.file == "-" {
		return "stdin.txt", io.NopCloser(bytes.NewReader(t.raw)), nil
	}
	name = strings.ToValidUTF8(filepath.Base(t.file), "\ufffd")
	if filepath.Ext(name) == "" {
		name += ".txt"
	}
	if t.raw != nil {
		return name, io.NopCloser(bytes.NewReader(t.raw)), nil
	}
	f, err := os.Open(t.file)
	if err != nil {
		return "", nil, usage.InputError(t.file, err)
	}
	return name, f, nil
}

// readFile is readInput for a file that the user named. It may be a pipe that nobody writes to.
func (p *program) readFile(ctx context.Context, path string, limit int64) ([]byte, error) {
	return interruptible(ctx, func() ([]byte, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, usage.InputError(path, err)
		}
		defer func() { _ = f.Close() }()
		raw, err := io.ReadAll(io.LimitReader(f, limit+1))
		if err != nil {
			return nil, usage.InputError(path, err)
		}
		return raw, nil
	})
}

// readInput reads standard input, and one byte more than limit of a longer one.
func (p *program) readInput(ctx context.Context, limit int64) ([]byte, error) {
	raw, err := interruptible(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(p.io.In, limit+1)) })
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("read the text: %w", err)
	}
	return raw, err
}

// interruptible runs read, which may block on a terminal that nobody types into, until it returns or ctx ends.
func interruptible[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		r.err = backend.Contain(func() (err error) {
			r.value, err = read()
			return err
		})
		done <- r
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, backend.ErrCancelled.WithCause(ctx.Err())
	}
}
