package cli

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/exit"
)

const (
	bookID  = "0198c0de-0000-7000-8000-000000000001"
	otherID = "0198c0de-0000-7000-8000-000000000002"
)

// chapterObject is a chapter of the API.
func chapterObject(n int, state string, wanted bool) object {
	return object{
		"id": fmt.Sprintf("c%d", n), "title": fmt.Sprintf("Chapter %d", n), "level": 1, "words": 100, "characters": 600, "state": state,
		"generations": []string{}, "skipped": false, "wanted": wanted, "progress": map[bool]float64{true: 1}[state == "done"],
	}
}

// bookObject is a book of the API.
func bookObject(id, title string, chapters ...object) object {
	generating := false
	for _, ch := range chapters {
		generating = generating || ch["wanted"] == true
	}
	return object{
		"id": id, "title": title, "author": "Ann Author", "language": "en", "chapters": chapters, "generating": generating,
		"words": object{"body": 320, "kept": 300, "left_out": []object{
			{"class": "notes", "words": 20, "sample": "1 See below.", "switch": "notes"},
		}},
		"passages": object{"generated": 4, "reused": 2}, "options": object{"profile_id": "p", "profile_name": "Built-in voice"},
		"state": "partial", "seconds": 61, "source": object{"name": "walden.epub"},
		"depth": 1,
	}
}

// bookAPI is an API with two books.
func bookAPI(t *testing.T) *fakeAPI {
	t.Helper()
	f := newFakeAPI(t)
	walden := bookObject(bookID, "Walden", chapterObject(1, "done", false), chapterObject(2, "new", false), chapterObject(3, "new", false))
	other := bookObject(otherID, "Walden Two", chapterObject(1, "new", false))
	row, otherRow := maps.Clone(walden), maps.Clone(other)
	row["chapters"], otherRow["chapters"] = object{"done": 1, "total": 3}, object{"done": 0, "total": 1}
	f.on("GET /books", 200, object{"items": []object{otherRow, row}, "total": 2, "next_cursor": nil})
	f.on("GET /books/", 404, problemBody("not_found", "There is no book with this id.", ""))
	f.on("GET /books/"+bookID, 200, walden)
	f.on("GET /books/"+otherID, 200, other)
	f.on("GET /profiles", 200, object{"items": []object{{"id": "p", "name": "Built-in voice"}}, "total": 1, "next_cursor": nil})
	return f
}

func TestBookNames(t *testing.T) {
	t.Parallel()
	f := bookAPI(t)
	for name, id := range map[string]string{
		"walden": bookID, "Wäldén": bookID, "two": otherID, "WALDEN TWO": otherID, "walden t": otherID, bookID: bookID, strings.ToUpper(otherID): otherID, otherID[:36]: otherID,
	} {
		code, out, errs := f.run("", "book", "show", name, "--json")
		require.Equal(t, exit.Done, code, errs)
		require.Contains(t, out, `"id":"`+id+`"`, name)
	}
	code, out, errs := f.run("", "book", "show", "wal")
	require.Equal(t, exit.Usage, code)
	require.Empty(t, out)
	require.Contains(t, errs, bookID+" (Walden)")
	require.Contains(t, errs, otherID+" (Walden Two)")
	for _, name := range []string{"none", "", "0198c0de-0000-7000-8000-00000000000a"} {
		code, _, errs = f.run("", "book", "rm", name)
		require.Equal(t, exit.NotFound, code, name)
		require.Contains(t, errs, "voicewright book list")
	}
}

// TestBookShow prints the chapters, and every word that is not read aloud with its switch.
func TestBookShow(t *testing.T) {
	t.Parallel()
	f := bookAPI(t)
	code, out, errs := f.run("", "book", "show", "walden")
	require.Equal(t, exit.Done, code, errs)
	require.Contains(t, out, "320 in the file = 300 read aloud + 20 left out\n")
	require.Contains(t, out, "State:     partial, 1 of 3\n")
	require.Regexp(t, `(?m)^2 +Chapter 2 +100 +0 +new +0:00$`, out)
	require.Regexp(t, `(?m)^notes +20 +--read notes +1 See below\.$`, out)
	code, out, errs = f.run("", "book", "list")
	require.Equal(t, exit.Done, code, errs)
	require.Regexp(t, `(?m)^Walden +Ann Author +3 +300 +partial, 1 of 3 +1:01 +`+bookID+`$`, out)
}

func TestBookCheck(t *testing.T) {
	t.Parallel()
	f := bookAPI(t)
	f.on("GET /books/"+bookID+"/check", 200, object{"items": []object{
		{"word": "NASA", "kind": "capitals", "count": 3, "sample": "The rocket of NASA."},
	}, "total": 1, "next_cursor": nil})
	code, out, errs := f.run("", "book", "check", "walden")
	require.Equal(t, exit.Done, code, errs)
	require.Equal(t, "WORD  KIND      COUNT  SAMPLE\nNASA  capitals  3      The rocket of NASA.\n", out)
	code, out, errs = f.run("", "book", "check", "walden", "--json")
	require.Equal(t, exit.Done, code, errs)
	require.Contains(t, out, `"items":[{"word":"NASA","kind":"capitals","count":3,`)
}

// TestBookNew makes books of a folder: one file that fails does not stop the others.
func TestBookNew(t *testing.T) {
	f := bookAPI(t)
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll(filepath.Join("shelf", "deep"), 0o700))
	for _, name := range []string{"a.txt", "bad.epub", "deep/c.md", ".hidden.txt", "picture.png"} {
		require.NoError(t, os.WriteFile(filepath.Join("shelf", name), []byte("A text."), 0o600))
	}
	f.handle("POST /books", func(w http.ResponseWriter, r *http.Request) {
		require.NoError(t, r.ParseMultipartForm(1<<20))
		require.Equal(t, "notes,captions", r.FormValue("read"))
		require.Equal(t, "3-5", r.FormValue("chapters"))
		require.Equal(t, "1.5", r.FormValue("speed"))
		require.Equal(t, "p", r.FormValue("profile_id"))
		require.NotContains(t, r.Form, "depth")
		file := r.MultipartForm.File["file"][0].Filename
		if file == "bad.epub" {
			w.WriteHeader(http.StatusUnsupportedMediaType)
			_, _ = io.WriteString(w, `{"code":"unsupported_media","detail":"This is no EPUB.","remedy":"Choose another file.","params":{}}`)
			return
		}
		_, _ = fmt.Fprintf(w, `{"id":%q,"title":%q}`, bookID, file)
	})
	flags := []string{"--read", "all", "--speed", "1.5", "--chapters", "3-5"}
	for _, class := range backend.TextClasses() {
		if class == backend.ClassNotes || class == backend.ClassCaptions {
			continue
		}
		flags = append(flags, "--skip", string(class))
	}
	code, out, errs := f.run("", append([]string{"book", "new", "shelf", "--json"}, flags...)...)
	require.Equal(t, exit.Failed, code, errs)
	require.Contains(t, errs, filepath.Join("shelf", "bad.epub")+": This is no EPUB. Choose another file.\n")
	require.Contains(t, errs, "1 of 3 files failed: ")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 3)
	require.Contains(t, lines[0], `"title":"a.txt"`)
	require.Contains(t, lines[1], `"code":"unsupported_media"`)
	require.Contains(t, lines[2], `"title":"c.md"`)

	code, _, errs = f.run("", append([]string{"book", "new", "shelf/bad.epub"}, flags...)...)
	require.Equal(t, exit.Usage, code, errs)
	code, _, errs = f.run("", append([]string{"book", "new", "none.epub"}, flags...)...)
	require.Equal(t, exit.NotFound, code, errs)
}

// TestBookChange sends what is named, with the options that stay.
func TestBookChange(t *testing.T) {
	t.Parallel()
	f := bookAPI(t)
	now := bookObject(bookID, "Walden", chapterObject(1, "changed", false))
	now["options"] = object{}
	f.on("PATCH /books/"+bookID, 200, now)
	for args, sent := range map[string]string{
		"--title Pond --depth 2":            `{"depth":2,"title":"Pond"}`,
		"--read urls,notes --skip tables":   `{"options":{"profile_id":"p","pauses":{},"read":["notes","urls"]}}`,
		"--voice espeak:de --speed 2":       `{"options":{"profile_id":"p","voice":"espeak:de","speed":2,"pauses":{}}}`,
		"--language de --narrator Ann":      `{"language":"de","narrator":"Ann","options":{"profile_id":"p","language":"de","pauses":{}}}`,
		"--series Ponds --series-part 2":    `{"series":"Ponds","series_part":"2"}`,
		"--year 1854 --isbn= --genre Talk":  `{"genre":"Talk","isbn":"","year":"1854"}`,
		"--scene-pause 3 --chapter-pause 0": `{"options":{"profile_id":"p","pauses":{"scene":3},"chapter_pause":0}}`,
	} {
		code, out, errs := f.run("", append([]string{"book", "change", "walden"}, strings.Fields(args)...)...)
		require.Equal(t, exit.Done, code, errs)
		require.Contains(t, out, "State:     partial, 0 of 1")
		require.Regexp(t, `(?m)^Voice: +none$`, out, "as the book is now, nothing of before")
		require.Contains(t, f.called(), "PATCH /books/"+bookID+" "+sent)
	}
	code, _, errs := f.run("", "book", "change", "walden")
	require.Equal(t, exit.Usage, code)
	require.Contains(t, errs, "Name what to change")
}

// TestBookChapter sends what is named of each chapter, and keeps what else the chapter has of its own.
func TestBookChapter(t *testing.T) {
	t.Parallel()
	f := newFakeAPI(t)
	own := chapterObject(2, "new", false)
	own["options"] = object{"voice": "espeak:de", "pauses": object{"scene": 2}}
	b := bookObject(bookID, "Walden", chapterObject(1, "done", false), own, chapterObject(3, "new", false))
	b["chapters"].([]object)[0]["skipped"] = true
	b["depths"] = []int{3, 9}
	b["length_seconds"] = 3600
	f.on("GET /books/"+bookID, 200, b)
	code, out, errs := f.run("", "book", "show", bookID)
	require.Equal(t, exit.Done, code, errs)
	require.Regexp(t, `(?m)^Depth: +1 \(1: 3 chapters, 2: 9 chapters\)\n`, out)
	require.Contains(t, out, "1:01 of about 1:00:00\n")
	code, _, errs = f.run("", "book", "generate", bookID, "--chapters", "1")
	require.Equal(t, exit.Usage, code)
	require.Contains(t, errs, "voicewright book chapter "+bookID+" 1 --include")
	code, _, errs = f.run("", "book", "change", bookID, "--depth", "3")
	require.Equal(t, exit.Usage, code)
	require.Contains(t, errs, "has 2 levels")
	for _, n := range []string{"c1", "c2", "c3"} {
		f.on("PATCH /books/"+bookID+"/chapters/"+n, 200, b)
	}
	for _, c := range []struct {
		args string
		sent []string
	}{
		{"1-2 --exclude", []string{`c1 {"skipped":true}`, `c2 {"skipped":true}`}},
		{"3 --title Pond --include", []string{`c3 {"skipped":false,"title":"Pond"}`}},
		{"2 --speed 0.5", []string{`c2 {"options":{"voice":"espeak:de","speed":0.5,"pauses":{"scene":2}}}`}},
		{"2 --reset", []string{`c2 {"options":{"pauses":{}}}`}},
		{"2 --reset --read notes", []string{`c2 {"options":{"pauses":{},"read":["notes"]}}`}},
	} {
		code, out, errs := f.run("", append([]string{"book", "chapter", bookID}, strings.Fields(c.args)...)...)
		require.Equal(t, exit.Done, code, errs)
		require.Contains(t, out, "Undo with: voicewright book undo "+bookID+"\n")
		for _, sent := range c.sent {
			require.Contains(t, f.called(), "PATCH /books/"+bookID+"/chapters/"+sent)
		}
	}
}

func TestBookWrongUse(t *testing.T) {
	f := bookAPI(t)
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("a.txt", []byte("A text."), 0o600))
	require.NoError(t, os.Mkdir("empty", 0o700))
	for _, c := range []struct{ args, says string }{
		{"book", "book needs a command"},
		{"book new", "book new needs a FILE"},
		{"book new empty", "There are no .txt, "},
		{"book new a.txt --chapters 5-3", "not a list of chapters"},
		{"book new a.txt --chapters x", "not a list of chapters"},
		{"book new a.txt --read footnotes", `"footnotes" is not`},
		{"book new a.txt --read notes --skip notes", "in --read and in --skip"},
		{"book new a.txt --speed 9", "between 0.25 and 4"},
		{"book new a.txt --depth 0", "at least 1"},
		{"book new a.txt a.txt --title Both", "--title is for one file"},
		{"book generate walden --chapters 2-4", "the book has 3 chapters"},
		{"book export walden -o a.pdf", "or end in .m4b or .zip"},
		{"book export walden -o a.m4b --format mp3", "only m4b is one file"},
		{"book export walden --format ogg", `"ogg" must be one of m4b`},
		{"book export walden -o a.mp3 --split chapters", "only m4b is one file"},
		{"book export walden -o a.mp3", "or end in .m4b"},
		{"book export walden --split chapters --format m4b", "has all chapters"},
		{"book export walden --split parts", "--split takes chapters only"},
		{"book export walden -o none/a.m4b", "none does not exist"},
		{"book export walden -o a.txt/ --split chapters", "is a file"},
		{"book make a.txt -o none/a.m4b", "none does not exist"},
		{"book export walden --bitrate 8", "between 16 and 320"},
		{"book export walden -o a/ --format flac --bitrate 64", "--bitrate is for m4b, mp3, opus and m4a; flac has none"},
		{"book new a.txt --cover a.txt", "neither a JPEG nor a PNG"},
		{"book new a.txt a.txt --cover a.png", "--cover is for one file"},
		{"book change walden --chapter-pause 11", "--chapter-pause must be between 0 and 10"},
		{"book cover walden", "needs a NAME-or-ID and a FILE"},
		{"book cover walden a.txt", "neither a JPEG nor a PNG"},
		{"book cover walden a.txt --remove", "takes only a NAME-or-ID"},
		{"book chapter walden 4 --exclude", "the book has 3 chapters"},
		{"book chapter walden x", "not a list of chapters"},
		{"book chapter walden 1-2", "name one to see its text"},
		{"book chapter walden 1-2 --title Both", "--title is for one chapter"},
		{"book chapter walden 1 --exclude --include", "not both"},
		{"book chapter walden 1 --speed 9", "between 0.25 and 4"},
		{"book merge walden 3", "hapter 3 is the last one"},
		{"book merge walden 1,3", "follow each other"},
		{"book move walden 1-2 3", "CHAPTER is one chapter"},
		{"book move walden 1 0", "not a list of chapters"},
		{"book split walden 1", "--at with the first words"},
		{"book split walden 1 --at x --block 2", "--at with the first words"},
	} {
		code, out, errs := f.run("", strings.Fields(c.args)...)
		require.Equal(t, exit.Usage, code, "%s: %s", c.args, errs)
		require.Empty(t, out, c.args)
		require.Contains(t, errs, c.says, c.args)
	}
	for _, call := range f.called() {
		require.True(t, strings.HasPrefix(call, "GET "), "nothing is changed: %s", call)
	}
}

// TestBookGenerate follows the chapters until all have ended, and says which failed.
func TestBookGenerate(t *testing.T) {
	t.Parallel()
	f := newFakeAPI(t)
	states := make(chan object, 5)
	for _, b := range []object{
		bookObject(bookID, "Walden", chapterObject(1, "done", false), chapterObject(2, "new", false), chapterObject(3, "new", false)), // to find it
		bookObject(bookID, "Walden", chapterObject(1, "done", false), chapterObject(2, "new", true), chapterObject(3, "new", true)),
		bookObject(bookID, "Walden", chapterObject(1, "done", false), chapterObject(2, "done", false), chapterObject(3, "new", true)),
		bookObject(bookID, "Walden", chapterObject(1, "done", false), chapterObject(2, "done", false), chapterObject(3, "failed", false)),
	} {
		states <- b
	}
	f.handle("GET /books/"+bookID, func(w http.ResponseWriter, _ *http.Request) {
		b := <-states
		chapters := b["chapters"].([]object)
		if chapters[2]["state"] == "failed" {
			chapters[2]["error"] = object{"code": "model_not_downloaded", "detail": "The model is gone.", "remedy": "Download it."}
		}
		_ = json.NewEncoder(w).Encode(b)
	})
	f.on("GET /profiles/", 404, problemBody("profile_not_found", "There is none.", ""))
	f.on("POST /books/"+bookID+"/quote", 200, object{"credits": 0, "calls": 0})
	f.on("POST /books/"+bookID+"/generate", 202, object{})
	f.handle("GET /events", func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		for range 2 {
			_, _ = fmt.Fprintf(w, "event: book\ndata: {\"id\":%q}\n\n", bookID)
		}
		<-r.Context().Done()
	})
	code, out, errs := f.run("", "book", "generate", bookID, "--chapters", "2-3", "--again")
	require.Equal(t, exit.Failed, code)
	require.Empty(t, out)
	require.Equal(t, "Generating: chapter 2 of 3\nGenerating: chapter 3 of 3\n"+
		"1 chapter has no audio yet. “Chapter 3”: The model is gone. Download it. Continue with: voicewright book generate "+bookID+"\n", errs)
	require.Contains(t, f.called(), `POST /books/`+bookID+`/generate {"again":true,"chapters":["c2","c3"]}`)
}

// TestBookGenerateStopped stops the book when the user interrupts the command, and says how to go on.
func TestBookGenerateStopped(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	f := newFakeAPI(t)
	b := bookObject(bookID, "Walden", chapterObject(1, "done", false), chapterObject(2, "new", true))
	f.on("GET /books/"+bookID, 200, b)
	f.on("POST /books/"+bookID+"/quote", 200, object{"credits": 21, "calls": 2, "credits_left": 500})
	f.on("POST /books/"+bookID+"/generate", 202, b)
	f.on("POST /books/"+bookID+"/stop", 200, b)
	f.handle("GET /events", func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		_, _ = fmt.Fprintf(w, "event: book\ndata: {\"id\":%q}\n\n", bookID)
		interrupt()
		<-r.Context().Done()
	})
	code, out, errs := f.runUntil(ctx, "", "book", "generate", bookID)
	require.Equal(t, exit.Interrupted, code)
	require.Empty(t, out)
	require.Contains(t, errs, "Price: 21 credits of 500\n")
	require.Contains(t, f.called(), "POST /books/"+bookID+`/generate {"again":false}`)
	require.Contains(t, errs, "Stopped at 1 of 2 chapters. Everything finished is saved. Continue with: voicewright book generate "+bookID+"\n")
	require.Contains(t, f.called(), "POST /books/"+bookID+"/stop")
}

// TestBookPrice shows the price of all chapters together, and begins nothing that the user did not accept.
func TestBookPrice(t *testing.T) {
	t.Parallel()
	f := bookAPI(t)
	f.on("POST /books/"+bookID+"/quote", 200, object{"credits": 4000, "calls": 40, "credits_left": 9000, "ask": true})
	for _, args := range [][]string{{}, {"--json"}} {
		code, out, errs := f.run("", append([]string{"book", "generate", "walden", "--chapters", "2"}, args...)...)
		require.Equal(t, exit.Needed, code, errs)
		require.Empty(t, out)
		require.Contains(t, errs, "4000 credits of 9000")
		require.Contains(t, errs, "--accept-credits")
	}
	require.Contains(t, f.called(), "POST /books/"+bookID+`/quote {"again":false,"chapters":["c2"]}`)
	require.NotContains(t, strings.Join(f.called(), "\n"), "/generate")
}

// TestBookExport writes one file, or the files of a zip file into a folder.
func TestBookExport(t *testing.T) {
	f := bookAPI(t)
	t.Chdir(t.TempDir())
	long, bitrate := false, ""
	f.handle("GET /books/"+bookID+"/export", func(w http.ResponseWriter, r *http.Request) {
		require.NotEmpty(t, r.URL.Query().Get("export_id"))
		bitrate = r.URL.Query().Get("bitrate")
		switch format := r.URL.Query().Get("format"); {
		case long:
			w.Header().Set("Content-Type", "application/zip")
			_, _ = w.Write(zipOf(t, "Walden, part 1 of 2.m4b", "Walden, part 2 of 2.m4b"))
		case format == "m4b":
			w.Header().Set("Content-Type", "audio/mp4")
			_, _ = io.WriteString(w, "audio")
		default:
			w.Header().Set("Content-Type", "application/zip")
			_, _ = w.Write(zipOf(t, "01 One."+format, "02 Two."+format, "../02 Two."+format))
		}
	})
	f.on("GET /books/"+bookID+"/export/size", 200, object{"bytes": 52_400_000, "seconds": 3723})
	f.on("GET /events", 200, "")
	for _, c := range []struct{ args, wrote string }{
		{"-o a.m4b", "a.m4b"},
		{"", "Walden.m4b"},
		{"", "Walden 2.m4b"},
		{"-o name", "name.m4b"},
		{"-o . --format m4b", "Walden 3.m4b"},
		{"-o chapters/", "chapters/01 One.mp3|chapters/02 Two.mp3|chapters/02 Two 2.mp3"},
		{"-o flac --format flac", "flac/01 One.flac"},
		{"--split chapters", "Walden/01 One.mp3"},
		{"--format wav", "Walden 2/01 One.wav"},
		{"-o packed.zip --split chapters", "packed.zip"},
		{"-o small.m4b --bitrate 48", "small.m4b"},
	} {
		for _, name := range strings.Split(c.wrote, "|") {
			require.NoFileExists(t, filepath.FromSlash(name), c.args)
		}
		code, _, errs := f.run("", append([]string{"book", "export", bookID}, strings.Fields(c.args)...)...)
		require.Equal(t, exit.Done, code, errs)
		require.Contains(t, errs, "About 52.4 MB, 1:02:03 long\n")
		for _, name := range strings.Split(c.wrote, "|") {
			require.FileExists(t, filepath.FromSlash(name), c.args)
		}
	}
	require.Equal(t, "48", bitrate)
	code, out, errs := f.run("", "book", "export", bookID, "--size", "--format", "opus", "--bitrate", "32")
	require.Equal(t, exit.Done, code, errs)
	require.Equal(t, "About 52.4 MB, 1:02:03 long\n", out)
	long = true
	code, out, errs = f.run("", "book", "export", bookID, "-o", "long.m4b", "--json")
	require.Equal(t, exit.Done, code, errs)
	require.Contains(t, out, "part 1 of 2.m4b")
	require.FileExists(t, "Walden, part 2 of 2.m4b")
	left, err := filepath.Glob("*/.voicewright*")
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestBookMakeNeedsItsEncoder says what is missing before anything is spoken.
func TestBookMakeNeedsItsEncoder(t *testing.T) {
	f := bookAPI(t)
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("a.txt", []byte("A text."), 0o600))
	f.on("GET /system", 200, object{"encoders": []string{"wav"}})
	code, _, errs := f.run("", "book", "make", "a.txt", "-o", "a.m4b")
	require.Equal(t, exit.Needed, code)
	require.Contains(t, errs, "m4b need ffmpeg")
	require.NotContains(t, strings.Join(f.called(), "\n"), "POST")
}

func zipOf(t *testing.T, names ...string) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for _, name := range names {
		f, err := w.Create(name)
		require.NoError(t, err)
		_, err = io.WriteString(f, name)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return packed.Bytes()
}
