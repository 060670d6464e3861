package book

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/filename"
	"github.com/voicewright/voicewright/backend/printable"
)

// The forms of an exported book.
const (
	FormatM4B     = "m4b"
	SplitChapters = "chapters"
	// chapterFormat is the format of a folder of chapters where nothing else is chosen.
	chapterFormat = backend.FormatMP3
)

// formats are the formats in which a book is exported.
func formats() []string { return append([]string{FormatM4B}, backend.AudioFormats()...) }

// Output is the flags that say where a book is exported to.
type Output struct {
	out, format, split string
	bitRate            int // kbit/s; 0 = the usual one
}

// Add adds the flags to a command.
func (o *Output) Add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&o.out, "output", "o", "",
		"output file, .m4b or .zip, or a folder for a file of each chapter (default: the title with .m4b)")
	flags.StringVar(&o.format, "format", "", "m4b: one file; a file of each chapter: "+strings.Join(backend.AudioFormats(), ", ")+
		" (default: m4b, and "+chapterFormat+" in a folder)")
	flags.IntVar(&o.bitRate, "bitrate", 0, "kbit/s of m4b, mp3, opus and m4a, 16 to 320 (default: the usual quality)")
	flags.StringVar(&o.split, "split", "", SplitChapters+": a file of each chapter, as the formats but m4b have")
}

// Check reports a wrong use before a book is made for it.
func (o Output) Check() error {
	_, err := o.Target("book")
	return err
}

// Target is the file or the folder in which a book is exported.
type Target struct {
	Path   string
	Format string
	Folder bool // Path is one, for a file of each chapter

	bitRate int
}

// Query returns the target as the API takes it.
func (t Target) Query() url.Values {
	query := url.Values{"format": {t.Format}}
	if t.bitRate != 0 {
		query.Set("bitrate", strconv.Itoa(t.bitRate))
	}
	return query
}

// Size is how large an exported book will be, about.
type Size struct {
	ID      string  `json:"id"`
	Format  string  `json:"format"`
	Bytes   int64   `json:"bytes"`
	Seconds float64 `json:"seconds"`
}

// String returns the size in words.
func (s Size) String() string {
	return fmt.Sprintf("About %s, %s long", printable.Bytes(s.Bytes), printable.Clock(s.Seconds))
}

// Size returns how large a book will be. Errors: those of its export.
func (t Target) Size(ctx context.Context, c *client.Client, id string) (Size, error) {
	s := Size{ID: id, Format: t.Format}
	err := c.Call(ctx, http.MethodGet, Path(id, "/export/size?"+t.Query().Encode()), nil, &s)
	return s, err
}

// Target returns where a book with this title is exported to. Wrong use: a format or a file that does not go with it, a folder that does
// not exist.
func (o Output) Target(title string) (Target, error) {
	format, err := o.chosen()
	t := Target{Path: o.out, Format: format, bitRate: o.bitRate}
	if err != nil {
		return t, err
	}
	name := filename.Safe(title, "book")
	extension := strings.TrimPrefix(strings.ToLower(filepath.Ext(o.out)), ".")
	folder := usage.IsFolder(o.out)
	switch {
	case format != FormatM4B && extension == "zip" && !folder: // as it comes
	case format != FormatM4B && !folder && slices.Contains(formats(), extension):
		return t, usage.Errorf("%s is a file, and a book in the format %s is a folder or a .zip file; only m4b is one file", o.out, format)
	case format != FormatM4B:
		t.Folder = true
		if o.out == "" {
			t.Path = usage.Unused(name)
		}
	case o.out == "" || folder:
		t.Path = usage.Unused(filepath.Join(o.out, name+"."+FormatM4B))
	case extension == "":
		t.Path += "." + FormatM4B
	case extension != FormatM4B:
		return t, usage.Errorf("the output %q must be a folder, or end in .m4b or .zip", o.out)
	}
	return t.checked()
}

// chosen returns the format: of the flags, else what the output asks for.
func (o Output) chosen() (string, error) {
	format, err := o.formatOf()
	switch {
	case err != nil || o.bitRate == 0:
	case o.bitRate < 16 || o.bitRate > 320:
		err = usage.Errorf("--bitrate must be between 16 and 320 kbit/s")
	case format == backend.FormatWAV || format == backend.FormatFLAC:
		err = usage.Errorf("--bitrate is for m4b, mp3, opus and m4a; %s has none", format)
	}
	return format, err
}

func (o Output) formatOf() (string, error) {
	format, split := strings.ToLower(o.format), o.split != ""
	switch {
	case split && o.split != SplitChapters:
		return "", usage.Errorf("--split takes %s only", SplitChapters)
	case format != "" && !slices.Contains(formats(), format):
		return "", usage.Errorf("the format %q must be one of %s", o.format, strings.Join(formats(), ", "))
	case split && format == FormatM4B:
		return "", usage.Errorf("an m4b file has all chapters; choose another format with --split %s", SplitChapters)
	case format != "":
		return format, nil
	case split, usage.IsFolder(o.out), strings.EqualFold(filepath.Ext(o.out), ".zip"):
		return chapterFormat, nil
	default:
		return FormatM4B, nil
	}
}

// checked returns the target with an absolute path, if it can be written.
func (t Target) checked() (Target, error) {
	path, err := usage.AbsoluteOutput(filepath.Clean(t.Path))
	if err != nil {
		return t, err
	}
	t.Path = path
	if !t.Folder {
		return t, usage.CheckFolder(t.Path)
	}
	if info, err := os.Stat(t.Path); err == nil && !info.IsDir() {
		return t, usage.Errorf("the output %s is a file; the chapters need a folder", t.Path)
	}
	return t, usage.CheckParent(t.Path)
}

// Save writes a response into the file or the folder, and returns the files. A book that has to be several files comes as a zip file.
func (t Target) Save(resp *http.Response) ([]string, error) {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if kind != "application/zip" || !t.Folder && strings.EqualFold(filepath.Ext(t.Path), ".zip") {
		return []string{t.Path}, client.WriteFile(t.Path, resp.Body)
	}
	dir := t.Path
	if !t.Folder {
		dir = filepath.Dir(t.Path)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil { // as the user's umask allows
		return nil, backend.FileError("make the folder of the output", dir, err)
	}
	packed, err := os.CreateTemp(dir, ".voicewright-*.zip")
	if err != nil {
		return nil, backend.FileError("write the file", dir, err)
	}
	defer func() {
		_ = packed.Close()
		_ = os.Remove(packed.Name())
	}()
	size, err := io.Copy(packed, resp.Body)
	if err != nil {
		return nil, backend.FileError("write the file", packed.Name(), err)
	}
	return unpack(packed, size, dir)
}

// unpack writes the files of a zip file into a folder, in which those of the same names are replaced.
func unpack(packed io.ReaderAt, size int64, dir string) ([]string, error) {
	r, err := zip.NewReader(packed, size)
	if err != nil {
		return nil, fmt.Errorf("read the exported book: %w", err)
	}
	names := filename.Names{}
	written := []string{}
	for _, f := range r.File {
		base := filepath.Base(f.Name)
		extension := filepath.Ext(base)
		out := filepath.Join(dir, names.Unique(filename.Safe(strings.TrimSuffix(base, extension), "chapter")+extension))
		content, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("read the exported book: %w", err)
		}
		err = client.WriteFile(out, content)
		_ = content.Close() // it was read to its end, which checks it
		if err != nil {
			return nil, err
		}
		written = append(written, out)
	}
	return written, nil
}
