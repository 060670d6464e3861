package httpapi_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
)

const bookChapters = 24

// emptyPDF has a page without text.
const emptyPDF = "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n" +
	"3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>\nendobj\ntrailer\n<</Root 1 0 R>>\n"

// bookText is a text file of chapters of two sentences each.
func bookText(change func(chapter int, text string) string) string {
	var out strings.Builder
	for i := range bookChapters {
		text := fmt.Sprintf("Chapter %d\n\nIt was the day number %d. Nobody came to the harbour, see https://a.example.", i+1, i+1)
		out.WriteString(change(i+1, text) + "\n\n")
	}
	return out.String()
}

func same(_ int, text string) string { return text }

// bookEPUB is an EPUB file with a cover, of chapters with a note each.
func bookEPUB(t *testing.T, more map[string]string) string {
	t.Helper()
	var items, spine, toc strings.Builder
	files := map[string]string{
		"mimetype": "application/epub+zip",
		"META-INF/container.xml": `<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>` +
			`<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
		"cover.png": picture(t, func(b *bytes.Buffer, m image.Image) error { return png.Encode(b, m) }),
	}
	for i := range bookChapters {
		name := fmt.Sprintf("c%d", i+1)
		fmt.Fprintf(&items, `<item id="%s" href="%s.xhtml" media-type="application/xhtml+xml"/>`, name, name)
		fmt.Fprintf(&spine, `<itemref idref="%s"/>`, name)
		fmt.Fprintf(&toc, `<li><a href="%s.xhtml">Day %d</a></li>`, name, i+1)
		files[name+".xhtml"] = fmt.Sprintf(`<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>`+
			`<h1>Day %d</h1><p>Nobody came to the harbour.<a epub:type="noteref" href="#n">1</a></p>`+
			`<aside epub:type="footnote" id="n"><p>A note of four.</p></aside></body></html>`, i+1)
	}
	files["nav.xhtml"] = `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="toc"><ol>` +
		toc.String() + `</ol></nav></body></html>`
	files["book.opf"] = `<package version="3.0" xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">` +
		`<dc:title>The Days</dc:title><dc:creator>Ann Author</dc:creator><dc:language>en</dc:language></metadata><manifest>` +
		`<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>` +
		`<item id="cover" href="cover.png" media-type="image/png" properties="cover-image"/>` + items.String() +
		`</manifest><spine>` + spine.String() + `</spine></package>`
	for name, content := range more {
		files[name] = content
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, content := range files {
		f, err := w.Create(name)
		require.NoError(t, err)
		_, err = f.Write([]byte(content))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.String()
}

func picture(t testing.TB, encode func(*bytes.Buffer, image.Image) error) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, encode(&out, image.NewGray(image.Rect(0, 0, 8, 8))))
	return out.String()
}

// sendBook sends a form to a route of books.
func (s *studio) sendBook(method, path string, parts ...part) answer {
	s.t.Helper()
	body, kind := multipartForm(s.t, parts...)
	return s.do(method, path, body, kind)
}

// newBook makes a book of a text file with the built-in voice.
func (s *studio) newBook(parts ...part) object {
	s.t.Helper()
	parts = append(parts, part{"file", "The Harbour.txt", bookText(same)}, part{"profile_id", "", s.profile})
	a := s.sendBook("POST", "/books", parts...)
	require.Equal(s.t, 201, a.StatusCode, a.body)
	return a.object(s.t)
}

// at returns a value within an object by its path.
func (o object) at(path ...any) any {
	var v any = map[string]any(o)
	for _, step := range path {
		switch step := step.(type) {
		case string:
			v = v.(map[string]any)[step]
		case int:
			v = v.([]any)[step]
		}
	}
	return v
}

// num returns a number as it is written.
func num(v any) string { return fmt.Sprint(v) }

func integer(t *testing.T, v any) int64 {
	t.Helper()
	n, err := v.(json.Number).Int64()
	require.NoError(t, err)
	return n
}

// generated waits until a book is no longer generated.
func (s *studio) generated(path string) object {
	s.t.Helper()
	var o object
	require.Eventually(s.t, func() bool {
		o = s.do("GET", path, "").object(s.t)
		return o["generating"] == false
	}, testTimeout, 5*time.Millisecond)
	return o
}

func TestBookOfATextFile(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	made := s.newBook(part{"title", "", "Days"}, part{"author", "", "Bo Writer"}, part{"speed", "", "1.5"})
	requireShape(t, map[string]string{
		"id": "string", "title": "string", "author": "string", "language": "string", "chapters": "array", "words": "object",
		"passages": "object", "options": "object", "depth": "integer", "depths": "array", "source": "object", "has_cover": "boolean",
		"state": "string", "generating": "boolean", "seconds": "number", "progress": "number", "undos": "integer", "notes": "array",
		"created_at": "string", "updated_at": "string",
	}, made)
	require.NotContains(t, made, "cover_url")
	require.Equal(t, []any{"Days", "Bo Writer", "new"}, []any{made["title"], made["author"], made["state"]})
	require.Len(t, made["chapters"], bookChapters)
	require.Equal(t, "Chapter 1", made.at("chapters", 0, "title"))
	require.Equal(t, "urls", made.at("words", "left_out", 0, "class"))
	require.Equal(t, "1.5", num(made.at("options", "speed")))
	require.Equal(t, "The Harbour.txt", made.at("source", "name"))
	s.noUploadLeft()

	path := "/books/" + made["id"].(string)
	first, second := made.at("chapters", 0, "id").(string), made.at("chapters", 1, "id").(string)
	ids := fmt.Sprintf(`{"chapters":[%q,%q]}`, first, strings.ToUpper(second))
	quote := s.do("POST", path+"/quote", ids)
	require.Equal(t, 200, quote.StatusCode, quote.body)
	require.Equal(t, []any{"0", false}, []any{num(quote.object(t)["credits"]), quote.object(t)["ask"]}, "a local voice costs nothing")
	a := s.do("POST", path+"/generate", ids)
	require.Equal(t, 202, a.StatusCode, a.body)
	require.Equal(t, true, a.object(t)["generating"])
	done := s.generated(path)
	require.Equal(t, []any{"done", "done", "new", "partial"},
		[]any{done.at("chapters", 0, "state"), done.at("chapters", 1, "state"), done.at("chapters", 2, "state"), done["state"]})
	generation := done.at("chapters", 0, "generations", 0).(string)
	require.Equal(t, map[string]any{"book_id": made["id"]}, s.do("GET", "/history/"+generation, "").object(t)["request"])

	require.Equal(t, 204, s.do("PUT", path+"/place", fmt.Sprintf(`{"chapter_id":%q,"seconds":2.5}`, strings.ToUpper(second))).StatusCode)
	row := s.do("GET", "/books", "").items(t)[0]
	require.Equal(t, map[string]any{"chapter_id": second, "seconds": json.Number("2.5")}, row["place"])
	require.Equal(t, map[string]any{"done": "2", "total": "24"}, map[string]any{
		"done": num(row.at("chapters", "done")), "total": num(row.at("chapters", "total")),
	})

	// An edited sentence is spoken, the others are copied.
	blocks := s.do("GET", path+"/chapters/"+first, "").object(t)
	require.Equal(t, "heading", blocks.at("blocks", 0, "kind"))
	a = s.do("PATCH", path+"/chapters/"+first+"/blocks/1", `{"text":"Somebody came. Nobody came to the harbour."}`)
	require.Equal(t, "changed", a.object(t).at("chapters", 0, "state"), a.body)
	require.Equal(t, 200, s.do("POST", path+"/undo", "").StatusCode)
	require.Equal(t, "done", s.do("GET", path, "").object(t).at("chapters", 0, "state"))

	// A changed file: one chapter is new.
	changed := bookText(func(chapter int, text string) string {
		if chapter == 3 {
			return text + " And yet."
		}
		return text
	})
	a = s.sendBook("POST", path+"/update", part{"file", "Second edition.txt", changed})
	require.Equal(t, 200, a.StatusCode, a.body)
	updated := a.object(t)
	require.Equal(t, "23 1 0 0", fmt.Sprintf("%v %v %v %v", updated.at("report", "same"), updated.at("report", "changed"),
		updated.at("report", "new"), updated.at("report", "removed")))
	require.Equal(t, []any{"Days", "Second edition.txt", "done"}, []any{updated["title"], updated.at("source", "name"), updated.at("chapters", 0, "state")})

	history := num(s.do("GET", "/history", "").object(t)["total"])
	require.Equal(t, "2", history)
	s.speak("Nothing of a book.", "")
	require.Equal(t, []string{"2", "1"}, []string{
		num(s.do("GET", "/history?of_book=true", "").object(t)["total"]), num(s.do("GET", "/history?of_book=false", "").object(t)["total"]),
	})
	storage := s.do("GET", "/history/storage", "").object(t)
	require.Equal(t, []string{"3", "2", "0"}, []string{
		num(storage["files"]), num(storage.at("books", "files")), num(storage.at("books", "missing")),
	})
	require.Less(t, integer(t, storage.at("books", "bytes")), integer(t, storage["bytes"]))
	require.Greater(t, integer(t, storage.at("books", "text_bytes")), int64(len(changed)))
	require.Equal(t, 204, s.do("DELETE", "/history/"+s.do("GET", "/history?of_book=false", "").items(t)[0]["id"].(string), "").StatusCode)
	require.Equal(t, 204, s.do("DELETE", path, "").StatusCode)
	require.Equal(t, "0", num(s.do("GET", "/history", "").object(t)["total"]))
	require.Equal(t, 404, s.do("GET", path, "").StatusCode)
	require.Empty(t, s.do("GET", "/books", "").items(t))
}

func TestBookOfAnEPUB(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	a := s.sendBook("POST", "/books", part{"file", `C:\books\days.epub`, bookEPUB(t, nil)}, part{"profile_id", "", strings.ToUpper(s.profile)},
		part{"read", "", "notes"}, part{"chapters", "", "1-3, 24"}, part{"depth", "", "1"})
	require.Equal(t, 201, a.StatusCode, a.body)
	book := a.object(t)
	path := "/books/" + book["id"].(string)
	require.Equal(t, []any{"The Days", "Ann Author", "en", true}, []any{book["title"], book["author"], book["language"], book["has_cover"]})
	require.Len(t, book["chapters"], bookChapters)
	require.Equal(t, []any{false, true, false}, []any{
		book.at("chapters", 2, "skipped"), book.at("chapters", 3, "skipped"), book.at("chapters", 23, "skipped"),
	})
	require.Equal(t, s.profile, book.at("options", "profile_id"))
	require.Equal(t, "notes", book.at("words", "read", 0, "class"))
	total := integer(t, book.at("words", "kept"))
	for _, class := range book.at("words", "left_out").([]any) {
		total += integer(t, class.(map[string]any)["words"])
	}
	require.Equal(t, integer(t, book.at("words", "body")), total)

	chapter := func(i int) string { return path + "/chapters/" + book.at("chapters", i, "id").(string) }
	titles := func(o object) string {
		var out []string
		for i := range 4 {
			out = append(out, o.at("chapters", i, "title").(string))
		}
		return strings.Join(out, ", ")
	}
	for _, step := range []struct{ method, path, body, want string }{
		{"PATCH", chapter(0), `{"title":"One"}`, "One, Day 2, Day 3, Day 4"},
		{"POST", chapter(0) + "/split", `{"block":1,"title":"Half"}`, "One, Half, Day 2, Day 3"},
		{"POST", chapter(0) + "/merge", ``, "One, Day 2, Day 3, Day 4"},
		{"POST", chapter(2) + "/move", `{"to":0}`, "Day 3, One, Day 2, Day 4"},
		{"POST", path + "/undo", ``, "One, Day 2, Day 3, Day 4"},
		{"PATCH", chapter(3), `{"skipped":false,"options":{"speed":2}}`, "One, Day 2, Day 3, Day 4"},
		{"PATCH", path, `{"narrator":"Cy","genre":"Fantasy","options":{"profile_id":"` + s.profile + `","read":[]}}`, "One, Day 2, Day 3, Day 4"},
	} {
		a := s.do(step.method, step.path, step.body)
		require.Equal(t, 200, a.StatusCode, "%s: %s", step.path, a.body)
		require.Equal(t, step.want, titles(a.object(t)), step.path)
	}
	book = s.do("GET", path, "").object(t)
	require.Equal(t, []any{"Cy", "2"}, []any{book["narrator"], num(book.at("chapters", 3, "options", "speed"))})
	require.Empty(t, book.at("words", "read"))

	next := s.listen()
	a = s.do("POST", path+"/generate", "{}")
	require.Equal(t, 202, a.StatusCode, a.body)
	name, data := next()
	require.Equal(t, []string{"book", fmt.Sprintf(`{"id":%q}`, book["id"])}, []string{name, data})
	done := s.generated(path)
	require.Equal(t, "done", done["state"])
	s.exportBook(t, path)
	require.Equal(t, 200, s.do("POST", path+"/stop", "").StatusCode)

	// The cover opens without the token as long as its address is valid.
	signed := done["cover_url"].(string)
	got := s.do("GET", signed, "", "-Authorization")
	require.Equal(t, []any{200, "image/png"}, []any{got.StatusCode, got.Header.Get("Content-Type")})
	require.Equal(t, 401, s.do("GET", strings.Replace(signed, "sig=", "sig=x", 1), "", "-Authorization").StatusCode)
	s.at(s.now.Load().Add(2 * time.Hour))
	require.Equal(t, 401, s.do("GET", signed, "", "-Authorization").StatusCode)
	photo := picture(t, func(b *bytes.Buffer, m image.Image) error { return jpeg.Encode(b, m, nil) })
	require.Equal(t, 200, s.sendBook("PUT", path+"/cover", part{"file", "a.jpg", photo}).StatusCode)
	got = s.do("GET", path+"/cover", "")
	require.Equal(t, []any{"image/jpeg", photo}, []any{got.Header.Get("Content-Type"), got.body})
	require.Equal(t, 415, s.sendBook("PUT", path+"/cover", part{"file", "a.jpg", "no picture"}).StatusCode)
	require.Equal(t, 415, s.sendBook("PUT", path+"/cover", part{"file", "a.jpg", ""}).StatusCode)
	large := s.sendBook("PUT", path+"/cover", part{"file", "a.jpg", strings.Repeat("x", 21<<20)})
	require.Equal(t, 413, large.StatusCode)
	require.Contains(t, large.body, "larger than 20 MB")
	require.NotContains(t, s.do("DELETE", path+"/cover", "").object(t), "cover_url")
	require.Equal(t, 404, s.do("GET", path+"/cover", "").StatusCode)
	s.noUploadLeft()
}

func TestBooksThatCannotBeMade(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	encrypted := map[string]string{"META-INF/encryption.xml": `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" ` +
		`xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:CipherData><enc:CipherReference URI="c1.xhtml"/>` +
		`</enc:CipherData></enc:EncryptedData></encryption>`}
	text := part{"file", "a.txt", "Chapter 1\n\nWords.\n\nChapter 2\n\nMore words."}
	for name, c := range map[string]struct {
		parts  []part
		status int
		has    string
	}{
		"no file":            {nil, 422, `"loc":["body","file"]`},
		"kind":               {[]part{{"file", "a.exe", "MZ"}}, 415, "unsupported_media"},
		"no words":           {[]part{{"file", "a.txt", "* * *"}}, 422, "nothing_to_speak"},
		"copy protection":    {[]part{{"file", "a.epub", bookEPUB(t, encrypted)}}, 415, `"reason":"`},
		"pictures in a PDF":  {[]part{{"file", "scan.pdf", emptyPDF}}, 422, "nothing_to_speak"},
		"no zip file":        {[]part{{"file", "a.epub", "PK"}}, 415, "unsupported_media"},
		"encoding":           {[]part{text, {"encoding", "", "klingon"}}, 422, `"loc":["body","encoding"]`},
		"speed":              {[]part{text, {"speed", "", "9"}}, 422, `"loc":["body","speed"]`},
		"depth":              {[]part{text, {"depth", "", "0"}}, 422, `"loc":["body","depth"]`},
		"class":              {[]part{text, {"read", "", "notes,jokes"}}, 422, `"loc":["body","read"]`},
		"chapters":           {[]part{text, {"chapters", "", "1-x"}}, 422, `"loc":["body","chapters"]`},
		"too many chapters":  {[]part{text, {"chapters", "", "3"}}, 422, "the file has 2 chapters"},
		"chapters backwards": {[]part{text, {"chapters", "", "2-1"}}, 422, `"loc":["body","chapters"]`},
		"profile":            {[]part{text, {"profile_id", "", "nobody"}}, 422, "uuid_parsing"},
		"no such profile":    {[]part{text, {"profile_id", "", "01990000-0000-7000-8000-000000000000"}}, 404, "profile_not_found"},
		"long title":         {[]part{text, {"title", "", strings.Repeat("ä", 1001)}}, 422, `"loc":["body","title"]`},
		"too long":           {[]part{{"file", "a.txt", strings.Repeat("Many words. ", 170_000)}}, 413, "body_too_large"},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.sendBook("POST", "/books", c.parts...)
			require.Equal(t, c.status, a.StatusCode, a.body)
			require.Contains(t, a.body, c.has)
		})
	}
	require.Equal(t, 422, s.do("POST", "/books", `{"title":"x"}`).StatusCode)
	require.Empty(t, s.do("GET", "/books", "").items(t))
	s.noUploadLeft()

	title := strings.Repeat("Grüße ", 43)[:300]
	a := s.sendBook("POST", "/books", text, part{"title", "", title}, part{"colour", "", "red"})
	require.Equal(t, 201, a.StatusCode, a.body)
	require.Equal(t, title, a.object(t)["title"])
	a = s.sendBook("POST", "/books", part{"file", url.PathEscape("ä") + strings.Repeat("b", 3000) + ".txt", "Words."})
	require.Equal(t, 201, a.StatusCode, a.body)
}

func TestBookRequestsThatAreWrong(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	book := s.newBook()
	path := "/books/" + book["id"].(string)
	chapter := path + "/chapters/" + book.at("chapters", 0, "id").(string)
	last := path + "/chapters/" + book.at("chapters", bookChapters-1, "id").(string)
	const unknown = "01990000-0000-7000-8000-000000000000"
	a := s.sendBook("POST", "/books", part{"file", "b.txt", "Words."})
	voiceless := "/books/" + a.object(t)["id"].(string)
	s.play(t, []scenario{
		{name: "bad id", method: "GET", path: "/books/x", status: 422, has: []string{"uuid_parsing", `["path","book_id"]`}},
		{name: "bad id of a cover", method: "GET", path: "/books/x/cover", status: 422, has: []string{"uuid_parsing", `["path","book_id"]`}},
		{name: "no cover", method: "GET", path: path + "/cover", status: 404, has: []string{"not_found"}},
		{name: "unknown book", method: "GET", path: "/books/" + unknown, status: 404, has: []string{"not_found"}},
		{name: "delete an unknown book", method: "DELETE", path: "/books/" + unknown, status: 404},
		{name: "unknown chapter", method: "GET", path: path + "/chapters/" + unknown, status: 404, has: []string{"not_found"}},
		{name: "bad id of a chapter", method: "GET", path: path + "/chapters/1", status: 422, has: []string{`["path","chapter_id"]`}},
		{name: "unknown field", method: "PATCH", path: path, body: `{"colour":"red","title":"New"}`, status: 200, has: []string{`"title":"New"`}},
		{name: "empty title", method: "PATCH", path: path, body: `{"title":" "}`, status: 422, has: []string{`["body","title"]`}},
		{name: "depth", method: "PATCH", path: path, body: `{"depth":9}`, status: 422, has: []string{`["body","depth"]`}},
		{name: "class", method: "PATCH", path: path, body: `{"options":{"read":["jokes"]}}`, status: 422, has: []string{`["body","options","read"]`}},
		{name: "class of a chapter", method: "PATCH", path: chapter, body: `{"options":{"read":["jokes"]}}`, status: 422, has: []string{"read"}},
		{name: "speed", method: "PATCH", path: path, body: `{"options":{"speed":9}}`, status: 422, has: []string{"speed"}},
		{name: "words", method: "PATCH", path: path, body: `{"options":{"pronunciations":{"a":""}}}`, status: 422, has: []string{`["body","options","pronunciations","a"]`}},
		{name: "title of a chapter", method: "PATCH", path: chapter, body: `{"title":""}`, status: 422, has: []string{`["body","title"]`}},
		{name: "block", method: "PATCH", path: chapter + "/blocks/99", body: `{"text":"x"}`, status: 422, has: []string{"block"}},
		{name: "block as text", method: "PATCH", path: chapter + "/blocks/x", body: `{"text":"x"}`, status: 422},
		{name: "split at the start", method: "POST", path: chapter + "/split", body: `{"block":0}`, status: 422, has: []string{`["body","block"]`}},
		{name: "split behind the end", method: "POST", path: chapter + "/split", body: `{"block":99}`, status: 422, has: []string{`["body","block"]`}},
		{name: "merge the last", method: "POST", path: last + "/merge", status: 422, has: []string{`["path","chapter_id"]`}},
		{name: "move away", method: "POST", path: chapter + "/move", body: `{"to":24}`, status: 422, has: []string{`["body","to"]`}},
		{name: "nothing to undo", method: "POST", path: voiceless + "/undo", status: 409, has: []string{"nothing_to_undo"}},
		{name: "no voice", method: "POST", path: voiceless + "/generate", body: `{}`, status: 422, has: []string{"profile_id"}},
		{name: "generate an unknown chapter", method: "POST", path: path + "/generate", body: `{"chapters":["` + unknown + `"]}`, status: 404},
		{name: "price of an unknown chapter", method: "POST", path: path + "/quote", body: `{"chapters":["` + unknown + `"]}`, status: 404},
		{name: "negative price", method: "POST", path: path + "/generate", body: `{"accept_credits":-1}`, status: 422, has: []string{"accept_credits"}},
		{name: "export what is not generated", method: "GET", path: path + "/export", status: 409, has: []string{"not_in_progress", `"chapter":1`}},
		{name: "export an unknown book", method: "GET", path: "/books/" + unknown + "/export", status: 404},
		{name: "stop what does not run", method: "POST", path: path + "/stop", status: 200},
		{name: "update without a file", method: "POST", path: path + "/update", body: `{}`, status: 422, has: []string{`["body","file"]`}},
		{name: "place of an unknown chapter", method: "PUT", path: path + "/place", body: `{"chapter_id":"` + unknown + `","seconds":1}`, status: 404},
		{name: "place before the start", method: "PUT", path: path + "/place", body: `{"chapter_id":"` + unknown + `","seconds":-1}`, status: 422, has: []string{`["body","seconds"]`}},
		{name: "place without a chapter", method: "PUT", path: path + "/place", body: `{"seconds":1}`, status: 422, has: []string{`["body","chapter_id"]`}},
		{name: "list", method: "GET", path: "/books?limit=0", status: 422, has: []string{"limit"}},
		{name: "cursor", method: "GET", path: "/books?cursor=x", status: 422, has: []string{"cursor"}},
	})
	require.Equal(t, "New", s.do("GET", path, "").object(t)["title"])

	page := s.do("GET", "/books?limit=1", "").object(t)
	require.Equal(t, "2", num(page["total"]))
	next := s.do("GET", "/books?limit=1&cursor="+page["next_cursor"].(string), "").object(t)
	require.Len(t, next["items"], 1)
	require.Nil(t, next["next_cursor"])
}

// exportBook exports a finished book of four chapters.
func (s *studio) exportBook(t *testing.T, path string) {
	t.Helper()
	const id = "01990000-0000-7000-8000-00000000000a"
	size := s.do("GET", path+"/export/size?format=wav", "").object(t)
	a := s.do("GET", path+"/export?format=wav&export_id="+id, "")
	require.Equal(t, []any{200, "application/zip"}, []any{a.StatusCode, a.Header.Get("Content-Type")}, a.body)
	require.Contains(t, a.Header.Get("Content-Disposition"), "The Days.zip")
	all, err := zip.NewReader(strings.NewReader(a.body), int64(len(a.body)))
	require.NoError(t, err)
	var names []string
	var bytes uint64
	for _, f := range all.File {
		names, bytes = append(names, f.Name), bytes+f.UncompressedSize64
	}
	require.Equal(t, []string{"01 - One.wav", "02 - Day 2.wav", "03 - Day 3.wav", "04 - Day 4.wav", "05 - Day 24.wav"}, names)
	require.InEpsilon(t, integer(t, size["bytes"]), bytes, 0.2)
	require.Equal(t, 422, s.do("GET", path+"/export?format=ogg", "").StatusCode)
	require.Equal(t, 422, s.do("GET", path+"/export?bitrate=1", "").StatusCode)
	require.Equal(t, 422, s.do("GET", path+"/export?export_id=x", "").StatusCode)
	s.free.Store(0)
	require.Equal(t, 507, s.do("GET", path+"/export?format=wav", "").StatusCode)
	s.free.Store(1 << 40)
	codecs := audio.FindCodecs()
	if codecs.Ready(t.Context(), audio.FormatM4B) == nil {
		a = s.do("GET", path+"/export", "")
		require.Equal(t, []any{200, "audio/mp4"}, []any{a.StatusCode, a.Header.Get("Content-Type")}, a.body)
		require.Equal(t, "ftypM4B ", a.body[4:12])
		require.Contains(t, a.body, "Fantasy")
	}
	s.noUploadLeft()
}
