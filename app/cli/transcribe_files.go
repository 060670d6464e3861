package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/printable"
)

// transcriptWork is an input of transcribe and where its text goes.
type transcriptWork struct {
	path   string // - is standard input
	below  string // the folder of the arguments that it was found in, empty for a file
	out    string // empty: standard output
	format string
}

// stdinPath is the name of standard input among the arguments.
const stdinPath = "-"

// shown returns the name of an input for messages.
func (w transcriptWork) shown() string {
	if w.path == stdinPath {
		return "standard input"
	}
	return w.path
}

// planTranscripts returns the inputs in the order of the arguments, those of a folder sorted, with their outputs.
func planTranscripts(args []string, f transcribeFlags) ([]transcriptWork, error) {
	format, err := transcriptFormat(f)
	if err != nil {
		return nil, err
	}
	var work []transcriptWork
	folders := false
	for _, arg := range args {
		info, err := os.Stat(arg)
		if arg == stdinPath || err != nil || !info.IsDir() { // a file that is missing is an error of its own
			work = append(work, transcriptWork{path: arg, format: format})
			continue
		}
		folders = true
		paths, err := mediaFiles(arg)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			work = append(work, transcriptWork{path: path, below: arg, format: format})
		}
	}
	if len(work) == 0 {
		return nil, usage.Errorf("there are no audio or video files in %s", strings.Join(args, ", "))
	}
	if err := placeOutputs(work, f.out, folders || len(work) > 1); err != nil {
		return nil, err
	}
	if f.out == "" && len(work) > 1 && (format == backend.FormatSRT || format == backend.FormatVTT) {
		return nil, usage.Errorf("subtitles of several files need -o FOLDER")
	}
	return work, nil
}

// transcriptFormat returns the format of the flags, else that of the extension of the output file.
func transcriptFormat(f transcribeFlags) (string, error) {
	formats := backend.TranscriptFormats()
	format := f.format
	if format == "" {
		format = strings.ToLower(strings.TrimPrefix(filepath.Ext(f.out), "."))
		if info, err := os.Stat(f.out); format == "" || !slices.Contains(formats, format) && err == nil && info.IsDir() {
			format = backend.FormatText
		}
	}
	if !slices.Contains(formats, format) {
		return "", usage.Errorf("the format %q must be one of %s", format, strings.Join(formats, ", "))
	}
	if format == backend.FormatDOCX && f.out == "" {
		return "", usage.Errorf("a Word document goes to a file: add -o FILE.docx")
	}
	return format, nil
}

// mediaExtensions are the endings of files that are transcribed when a folder is given.
var mediaExtensions = strings.Fields(`
	3gp 722 aac ac3 aea aif aifc aiff amr ape asf au avi awb caf dav dsf dss dts dtshd dv eac3 ec3 flac flv g722 g723_1 g729
	gsm gxf ircam latm m2ts m4a m4b m4v mka mkv mlp mov mp2 mp3 mp4 mpc mpeg mpg mts mxf nist nsv nut oga ogg ogv oma opus pva
	qcp ra rm rmvb sf shn sln snd sox spx sph tak tco thd ts tta voc vob w64 wav weba webm wma wmv wtv wv`)

// mediaFiles returns the audio and video files below a folder, sorted; hidden ones are left out.
func mediaFiles(folder string) ([]string, error) {
	return usage.FilesBelow(folder, func(extension string) bool { return slices.Contains(mediaExtensions, extension) })
}

// placeOutputs sets the output of each input: out is the file of a single one, else the folder of all, with the folders in
// which they were found. No output is an input, and no two are the same.
func placeOutputs(work []transcriptWork, out string, folder bool) error {
	if out == "" {
		return nil
	}
	if info, err := os.Stat(out); err == nil && info.IsDir() || strings.HasSuffix(out, string(filepath.Separator)) {
		folder = true
	} else if err == nil && folder {
		return usage.Errorf("the output %s is a file; several inputs need a folder", out)
	}
	if err := usage.CheckParent(strings.TrimRight(out, string(filepath.Separator))); err != nil {
		return err
	}
	used := map[string]bool{}
	for i := range work {
		w := &work[i]
		w.out = out
		if folder {
			w.out = outputIn(out, *w, used)
		}
		if err := usage.CheckKind(w.out); err != nil {
			return err
		}
		abs, err := filepath.Abs(w.out)
		if err != nil {
			return fmt.Errorf("find the output file: %w", err)
		}
		w.out, used[abs] = abs, true
	}
	for _, w := range work {
		if same := slices.IndexFunc(work, func(other transcriptWork) bool { return usage.SameFile(w.out, other.path) }); same >= 0 {
			return usage.Errorf("the output %s would replace an input", w.out)
		}
	}
	return nil
}

// outputIn returns the output of an input in a folder: with its name and the extension of the format. Inputs with the same
// name keep their own extension in it, or get a number.
func outputIn(folder string, w transcriptWork, used map[string]bool) string {
	name := "transcript"
	if w.path != stdinPath {
		name = filepath.Base(w.path)
		if below, err := filepath.Rel(w.below, w.path); w.below != "" && err == nil {
			name = below
		}
	}
	stem := strings.TrimSuffix(name, filepath.Ext(name))
	for i := 0; ; i++ {
		candidate, end := stem, "."+w.format
		switch {
		case i == 1:
			candidate = name
		case i > 1:
			candidate, end = name, "-"+strconv.Itoa(i)+end
		}
		dir, base := filepath.Split(candidate)
		out := filepath.Join(folder, dir, printable.FirstBytes(base, maxNameBytes-len(end))+end)
		if abs, err := filepath.Abs(out); err != nil || !used[abs] {
			return out
		}
	}
}

// maxNameBytes is how long the name of a file can be on most systems.
const maxNameBytes = 255

// asynchronous is the header of requests that are answered as soon as their work is accepted.
var asynchronous = map[string]string{"Prefer": "respond-async"}

// upload sends an input with the options, and reads the row of its transcript into t.
func (p transcribeCommands) upload(
	ctx context.Context, c *client.Client, w transcriptWork, f transcribeFlags, t *backend.Transcript,
) error {
	in := p.io.In
	name := "standard input"
	if w.path != stdinPath {
		file, err := usage.OpenInput(w.path)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		in, name = file, filepath.Base(w.path)
	}
	if w.out != "" {
		if err := os.MkdirAll(filepath.Dir(w.out), 0o755); err != nil {
			return backend.FileError("make the folder of the output", filepath.Dir(w.out), err)
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
