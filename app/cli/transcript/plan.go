// Package transcript is what the command transcribe is told: its files, and where their texts go.
package transcript

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/printable"
)

// Work is an input of transcribe and where its text goes.
type Work struct {
	Path   string // - is standard input
	Out    string // absolute; empty: standard output
	Format string // one of backend.TranscriptFormats

	below string // the folder of the arguments that it was found in, empty for a file
}

// Stdin is the name of standard input among the arguments.
const Stdin = "-"

// Shown returns the name of an input for messages.
func (w Work) Shown() string {
	if w.Path == Stdin {
		return "standard input"
	}
	return w.Path
}

// Plan returns the inputs in the order of the arguments, those of a folder sorted, with their outputs. out is what -o names, format what
// --format does; both may be empty.
func Plan(args []string, out, format string) ([]Work, error) {
	format, err := formatOf(out, format)
	if err != nil {
		return nil, err
	}
	var work []Work
	folders := false
	for _, arg := range args {
		info, err := os.Stat(arg)
		if arg == Stdin || err != nil || !info.IsDir() { // a file that is missing is an error of its own
			work = append(work, Work{Path: arg, Format: format})
			continue
		}
		folders = true
		paths, err := mediaFiles(arg)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			work = append(work, Work{Path: path, below: arg, Format: format})
		}
	}
	if len(work) == 0 {
		return nil, usage.Errorf("there are no audio or video files in %s", strings.Join(args, ", "))
	}
	if err := placeOutputs(work, out, folders || len(work) > 1); err != nil {
		return nil, err
	}
	if out == "" && len(work) > 1 && (format == backend.FormatSRT || format == backend.FormatVTT) {
		return nil, usage.Errorf("subtitles of several files need -o FOLDER")
	}
	return work, nil
}

// formatOf returns the format that is named, else that of the extension of the output.
func formatOf(out, format string) (string, error) {
	formats := backend.TranscriptFormats()
	if format == "" {
		format = strings.ToLower(strings.TrimPrefix(filepath.Ext(out), "."))
		if info, err := os.Stat(out); format == "" || !slices.Contains(formats, format) && err == nil && info.IsDir() {
			format = backend.FormatText
		}
	}
	if !slices.Contains(formats, format) {
		return "", usage.Errorf("the format %q must be one of %s", format, strings.Join(formats, ", "))
	}
	if format == backend.FormatDOCX && out == "" {
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
func placeOutputs(work []Work, out string, folder bool) error {
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
		w.Out = out
		if folder {
			w.Out = outputIn(out, *w, used)
		}
		if err := usage.CheckKind(w.Out); err != nil {
			return err
		}
		abs, err := filepath.Abs(w.Out)
		if err != nil {
			return fmt.Errorf("find the output file: %w", err)
		}
		w.Out, used[abs] = abs, true
	}
	for _, w := range work {
		if same := slices.IndexFunc(work, func(other Work) bool { return usage.SameFile(w.Out, other.Path) }); same >= 0 {
			return usage.Errorf("the output %s would replace an input", w.Out)
		}
	}
	return nil
}

// outputIn returns the output of an input in a folder: with its name and the extension of the format. Inputs with the same
// name keep their own extension in it, or get a number.
func outputIn(folder string, w Work, used map[string]bool) string {
	name := "transcript"
	if w.Path != Stdin {
		name = filepath.Base(w.Path)
		if below, err := filepath.Rel(w.below, w.Path); w.below != "" && err == nil {
			name = below
		}
	}
	stem := strings.TrimSuffix(name, filepath.Ext(name))
	for i := 0; ; i++ {
		candidate, end := stem, "."+w.Format
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
