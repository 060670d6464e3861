//go:build whisper

package app_test

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

// mixedWork returns every kind of work, and how often a busy user does it in two hours: about one piece in two minutes of each
// thing that is made, and a look at something every ten seconds.
func mixedWork() []mixedKind {
	return []mixedKind{
		{"speak", (*worker).speak, 120},
		{"queue", (*worker).queue, 40},
		{"stream", (*worker).stream, 40},
		{"hosted", (*worker).hosted, 30},
		{"takes", (*worker).takes, 80},
		{"script", (*worker).script, 25},
		{"book", (*worker).book, 15},
		{"transcribe", (*worker).transcribe, 12},
		{"speakers", (*worker).speakers, 12},
		{"download", (*worker).download, 10},
		{"import", (*worker).importModel, 12},
		{"load", (*worker).load, 20},
		{"backup", (*worker).backup, 4},
		{"draft", (*worker).draft, 240},
		{"profile", (*worker).profile, 30},
		{"dictionary", (*worker).dictionary, 60},
		{"settings", (*worker).settings, 60},
		{"delete", (*worker).deleteMany, 30},
		{"export", (*worker).export, 40},
		{"look", (*worker).look, 720},
		{"listen", (*worker).listen, 120},
		{"abort", (*worker).abort, 60},
	}
}

// body returns JSON of pairs of names and values.
func body(pairs ...any) string {
	o := object{}
	for i := 0; i < len(pairs); i += 2 {
		o[pairs[i].(string)] = pairs[i+1]
	}
	raw, _ := json.Marshal(o) // of strings, numbers, lists and objects
	return string(raw)
}

// speak generates a text, names it and deletes an old one.
func (w *worker) speak() error {
	text := w.text(1 + w.random.IntN(20))
	format := []string{"wav", "wav", "mp3", "flac", "opus"}[w.random.IntN(5)]
	path, err := w.create("/history", fact{"text": text, "status": "complete"}, "/generate",
		body("profile_id", w.voice(), "text", text, "format", format), "")
	if err != nil {
		return err
	}
	title := w.word()
	if err := w.change(path, fact{"title": title, "favorite": true}, "PATCH", path, body("title", title, "favorite", true)); err != nil {
		return err
	}
	return w.trim(6)
}

// queue has long texts generated, of which it stops, cancels and retries some.
func (w *worker) queue() error {
	text := w.text(60)
	path, err := w.create("/history", fact{"text": text}, "/generate", body("profile_id", w.voice(), "text", text), "", "Prefer: respond-async")
	if err != nil {
		return err
	}
	run := strings.Replace(path, "/history", "/generate", 1)
	steps := [][]string{{"/stop", "/retry"}, {"/cancel"}, {"/cancel", "/retry"}, {}}[w.random.IntN(4)]
	for _, step := range steps {
		if _, err := w.call("POST", run+step, "", "", "Prefer: respond-async"); unless(err, http.StatusConflict) != nil {
			return err
		}
	}
	if err := w.ended(path); err != nil {
		return err
	}
	return w.trim(3)
}

// ended waits until a generation has ended.
func (w *worker) ended(path string) error {
	return w.until(path, func(o object) bool {
		return o["status"] == "complete" || o["status"] == "failed" || o["status"] == "cancelled"
	})
}

// until waits until what is at a path is as it should be.
func (w *worker) until(path string, right func(object) bool) error {
	for deadline := time.Now().Add(testTimeout); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if o, err := w.call("GET", path, "", ""); err != nil || right(o) {
			return err
		}
	}
	return fmt.Errorf("%s is not what it should become", path)
}

// stream listens to a text while it is made.
func (w *worker) stream() error {
	_, err := w.call("POST", "/generate/stream", body("profile_id", w.voice(), "text", w.text(1+w.random.IntN(10))), "")
	return err
}

// hosted speaks with the hosted service.
func (w *worker) hosted() error {
	text := w.text(1)
	_, err := w.create("/history", fact{"text": text, "status": "complete"}, "/generate",
		body("profile_id", w.m.builtIn, "text", text, "voice", "hosted:"+hostedtest.VoiceID(0)), "")
	if err != nil {
		return err
	}
	return w.trim(4)
}

// takes changes one generation again and again.
func (w *worker) takes() error {
	path := w.one()
	if path == "" {
		text := w.text(3)
		_, err := w.create("/history", fact{"text": text, "status": "complete"}, "/generate",
			body("profile_id", w.m.tone, "text", text, "max_chunk_chars", 60), "")
		return err
	}
	run := strings.Replace(path, "/history", "/generate", 1)
	switch w.random.IntN(6) {
	case 0:
		text := w.text(3)
		w.begin(path, fact{"text": text})
		if _, err := w.call("POST", run+"/revise", body("text", text), ""); err != nil {
			return err
		}
		if err := w.until(path, func(o object) bool { return o["status"] == "complete" && o["text"] == text }); err != nil {
			return err
		}
		w.answered(path)
		return nil
	case 1:
		return w.undo(path, run+"/revise/undo", "text")
	case 2:
		_, err := w.call("POST", run+"/level", "{}", "")
		return err
	case 3:
		_, err := w.call("PATCH", path, `{"chunks":{"0":{"take":0}}}`, "")
		return err
	case 4:
		if w.random.IntN(4) == 0 {
			return w.trim(0)
		}
	}
	_, err := w.call("POST", fmt.Sprint(run, "/chunks/", w.random.IntN(3), "/regenerate"), "{}", "")
	return err
}

// undo takes back a change of a field; of which value it then has, the answer says.
func (w *worker) undo(path, request, field string) error {
	before := w.facts[path]
	w.facts[path] = []fact{w.facts[path][0].without(field)}
	made, err := w.call("POST", request, "", "")
	if err == nil {
		w.facts[path] = []fact{before[0].with(fact{field: made[field]})}
	} else if !errors.Is(err, errLost) {
		w.facts[path] = before
	}
	return unless(err, http.StatusConflict)
}

// without returns a fact that says nothing about a field.
func (f fact) without(field string) fact {
	other := fact{}.with(f)
	delete(other, field)
	return other
}

// script makes a script, changes a turn, takes that back, and exports it.
func (w *worker) script() error {
	turns := func() []any {
		return []any{
			object{"profile_id": w.m.builtIn, "text": "Who sings?"},
			object{"profile_id": w.m.tone, "text": w.text(1)},
			object{"profile_id": w.m.tone, "text": w.text(2)},
		}
	}
	title := w.word()
	path, err := w.create("/scripts", fact{"title": title}, "/script", body("title", title, "turns", turns()), "")
	if err != nil {
		return err
	}
	title = w.word()
	w.begin(path, fact{"title": title})
	if _, err := w.call("PUT", path, body("title", title, "turns", turns()), ""); err != nil {
		return err
	}
	if err := w.until(path, func(o object) bool { return o["title"] == title }); err != nil {
		return err
	}
	w.answered(path)
	if err := w.undo(path, path+"/revise/undo", "title"); err != nil {
		return err
	}
	if _, err := w.call("GET", path+"/export?format=mp3", "", ""); err != nil {
		return err
	}
	return w.trim(1)
}

// book makes a book, has it generated while a paragraph is changed, exports it and deletes an old one.
func (w *worker) book() error {
	path, err := w.create("/books", fact{}, "/books", "# One\n\n"+w.text(4)+"\n\n# Two\n\n"+w.text(5)+"\n\n# Three\n\n"+w.text(6)+"\n", "kettle.md")
	if err != nil {
		return err
	}
	title := w.word()
	options := body("title", title, "options", object{"profile_id": w.m.tone})
	if err := w.change(path, fact{"title": title}, "PATCH", path, options); err != nil {
		return err
	}
	if _, err := w.call("POST", path+"/generate", "{}", ""); err != nil {
		return err
	}
	book, err := w.call("GET", path, "", "")
	if err != nil {
		return err
	}
	chapter := fmt.Sprint(path, "/chapters/", bookChapters(book)[w.random.IntN(3)]["id"])
	if _, err := w.call("PATCH", chapter+"/blocks/1", body("text", w.text(2)), ""); err != nil {
		return err
	}
	if _, err := w.call("POST", path+"/generate", "{}", ""); err != nil {
		return err
	}
	if err := w.until(path, func(o object) bool { return o["generating"] == false }); err != nil {
		return err
	}
	if _, err := w.call("GET", path+"/export", "", ""); err != nil {
		return err
	}
	return w.trim(1)
}

// transcribe has a recording written down, corrects it and takes that back.
func (w *worker) transcribe() error {
	path, err := w.create("/transcriptions", fact{"status": "complete"}, "/transcriptions", w.m.clip, "talk.wav")
	if err != nil {
		return err
	}
	title := w.word()
	if err := w.change(path, fact{"title": title}, "PATCH", path, body("title", title)); err != nil {
		return err
	}
	if err := w.undo(path, path+"/undo", "title"); err != nil {
		return err
	}
	if _, err := w.call("GET", path+"/export?format=srt", "", ""); err != nil {
		return err
	}
	return w.trim(1)
}

// speakers finds the speakers of a transcript, and names one.
func (w *worker) speakers() error {
	path := w.one()
	if path == "" {
		_, err := w.create("/transcriptions", fact{"status": "complete"}, "/transcriptions", w.m.tones, "tones.wav")
		return err
	}
	if _, err := w.call("POST", path+"/speakers", fmt.Sprintf(`{"mode":"number","count":%d}`, 2+w.random.IntN(3)), ""); err != nil {
		return err
	}
	title := w.word()
	return w.change(path, fact{"title": title}, "PATCH", path, body("title", title))
}

// download fetches a model of the hub, and deletes it.
func (w *worker) download() error {
	const path = "/models/toy"
	now, err := w.call("GET", path, "", "")
	if err != nil {
		return err
	}
	if now["downloaded"] == true {
		w.facts[path] = []fact{{"downloaded": true}}
		return w.change(path, fact{"downloaded": false}, "DELETE", path, "")
	}
	w.facts[path] = []fact{{"downloaded": false}, {"downloaded": true}}
	_, err = w.call("POST", "/models/download", `{"model_name":"toy","accept_license":true}`, "")
	if unless(err, http.StatusConflict) != nil {
		return err
	}
	if err := w.until(path, func(o object) bool { return o["downloaded"] == true }); err != nil {
		return err
	}
	w.answered(path)
	return nil
}

// importModel copies a model from a folder, and deletes it.
func (w *worker) importModel() error {
	const path = "/models/second"
	folder, err := filepath.Abs(filepath.Join("testdata", toneFolder))
	if err != nil {
		return err
	}
	if w.facts[path] == nil {
		w.facts[path] = []fact{nil, {"downloaded": true}}
		if _, err := w.call("POST", "/models/import", body("path", folder, "name", "second"), ""); err != nil {
			return err
		}
		w.answered(path)
		return nil
	}
	if err := w.remove(path); err != nil {
		return err
	}
	delete(w.facts, path)
	return nil
}

// load loads a model, and unloads it.
func (w *worker) load() error {
	if _, err := w.call("POST", "/models/load", `{"model_name":"plain"}`, ""); err != nil {
		return err
	}
	_, err := w.call("POST", "/models/unload", `{"model_name":"plain"}`, "")
	return unless(err, http.StatusConflict) // it transcribes
}

// backup fetches the whole library.
func (w *worker) backup() error {
	w.doing = "GET /backup"
	status, answer, err := w.m.server.try("GET", "/backup", "", "")
	if err != nil {
		return fmt.Errorf("%w: %w", errLost, err)
	}
	w.doing = ""
	if status != http.StatusOK {
		return &refusal{"GET /backup", status, answer}
	}
	_, err = zip.NewReader(strings.NewReader(answer), int64(len(answer)))
	return err
}

// draft keeps what is written, as the page does.
func (w *worker) draft() error {
	path := w.one()
	if path == "" || w.random.IntN(10) == 0 {
		name := w.word()
		if _, err := w.create("/drafts", fact{"name": name}, "/drafts", body("name", name, "content", object{"text": w.text(2)}), ""); err != nil {
			return err
		}
		return w.trim(3)
	}
	content := map[string]any{"text": w.text(20)}
	return w.change(path, fact{"content": content}, "PUT", path, body("content", content))
}

// profile makes a profile with a sample, renames it and deletes an old one.
func (w *worker) profile() error {
	name := w.word()
	path, err := w.create("/profiles", fact{"name": name}, "/profiles", body("name", name, "cloned", true), "")
	if err != nil {
		return err
	}
	w.begin(path, fact{"samples": 1.0})
	_, err = w.call("POST", path+"/samples", w.m.clip, "talk.wav", "consent=own_voice")
	if err != nil {
		return err
	}
	w.answered(path)
	name = w.word()
	if err := w.change(path, fact{"name": name, "description": "sings"}, "PUT", path, body("name", name, "description", "sings")); err != nil {
		return err
	}
	return w.trim(2)
}

// dictionary teaches the program a word, and another way to say it.
func (w *worker) dictionary() error {
	said := w.word()
	written := fmt.Sprint("Kettle", w.made)
	path, err := w.create("/pronunciations", fact{"word": written, "respelling": said}, "/pronunciations", body("word", written, "respelling", said), "")
	if err != nil {
		return err
	}
	said = w.word()
	if err := w.change(path, fact{"respelling": said}, "PUT", path, body("word", written, "respelling", said)); err != nil {
		return err
	}
	return w.trim(4)
}

// settings changes two of them.
func (w *worker) settings() error {
	const path = "/settings"
	pause, limit := fmt.Sprint(300+w.random.IntN(99), "ms"), float64(1+w.random.IntN(40))
	if w.facts[path] == nil {
		w.facts[path] = []fact{{}}
	}
	after := fact{"speech.sentence_pause": pause, "audio.max_hours": limit}
	return w.change(path, after, "PUT", path, body("speech.sentence_pause", pause, "audio.max_hours", limit))
}

// deleteMany makes some generations and deletes them together.
func (w *worker) deleteMany() error {
	var paths, ids []string
	for range 3 {
		text := w.text(1)
		path, err := w.create("/history", fact{"text": text, "status": "complete"}, "/generate", body("profile_id", w.m.builtIn, "text", text), "")
		if err != nil {
			return err
		}
		paths, ids = append(paths, path), append(ids, filepath.Base(path))
	}
	for _, path := range paths {
		w.begin(path, nil)
		w.own = slices.DeleteFunc(w.own, func(p string) bool { return p == path })
	}
	if _, err := w.call("POST", "/history/delete", body("ids", ids), ""); err != nil {
		return err
	}
	for _, path := range paths {
		w.answered(path)
	}
	return nil
}

// export makes files of what was spoken.
func (w *worker) export() error {
	path := w.one()
	if path == "" {
		text := w.text(4)
		_, err := w.create("/history", fact{"text": text, "status": "complete"}, "/generate", body("profile_id", w.m.tone, "text", text), "")
		return err
	}
	for _, format := range []string{"mp3", "flac", "srt", "m4a"} {
		if _, err := w.call("GET", path+"/export?format="+format, "", ""); err != nil {
			return err
		}
	}
	_, err := w.call("POST", "/history/export", body("ids", []string{filepath.Base(path)}, "format", "opus"), "")
	return err
}

// look reads what screens show.
func (w *worker) look() error {
	paths := []string{
		"/history?search=kettle+song&limit=50", "/history?limit=100", "/history/stats", "/history/storage", "/models/status", "/profiles", "/scripts",
		"/books", "/transcriptions", "/system", "/settings", "/pronunciations", "/drafts", "/hosted/voices", "/hosted/status", "/openapi.json",
	}
	if _, err := w.call("GET", paths[w.random.IntN(len(paths))], "", ""); err != nil {
		return err
	}
	if w.random.IntN(4) == 0 {
		_, err := w.call("POST", "/text/extract", "# One\n\n"+w.text(50), "one.md")
		return err
	}
	_, err := w.call("POST", "/text/preview", body("text", w.text(3)), "")
	return err
}

// listen follows the events of the program for a moment, as a window that is opened and closed.
func (w *worker) listen() error {
	return w.leave("GET", "/events", "", "")
}

// abort sends work and goes away before it is done.
func (w *worker) abort() error {
	switch w.random.IntN(4) {
	case 0:
		return w.leave("POST", "/generate/stream", body("profile_id", w.voice(), "text", w.text(40)), "")
	case 1:
		return w.leave("POST", "/transcriptions", w.m.clip, "talk.wav")
	case 2:
		return w.leave("GET", "/backup", "", "")
	}
	return w.leave("POST", "/generate", body("profile_id", w.voice(), "text", w.text(40)), "")
}

// leave makes a request whose connection breaks after a moment.
func (w *worker) leave(method, path, body, file string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(w.random.IntN(500))*time.Millisecond)
	defer cancel()
	_, _, _ = w.m.server.tryFor(ctx, method, path, body, file) // it breaks off
	_, err := w.call("GET", "/health", "", "")
	return err
}
