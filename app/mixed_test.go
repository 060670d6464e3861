//go:build whisper

package app_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/whisper/whispertest"
)

// mixed is a library with people at work on everything that the program does. They remember what it told them.
type mixed struct {
	*user
	home, temp string
	hub        *hubtest.Server
	service    *hostedtest.Service
	server     *server // another one only while nobody works
	builtIn    string  // the profiles
	tone       string
	clip       string // audio of one person
	tones      string // and of four
	workers    []*worker
}

// newMixed returns a library with small models of every kind and an account of the hosted service, and a worker for each kind of work.
func newMixed(t *testing.T, seed uint64, env ...string) *mixed {
	u, hub := newUserWithHub(t)
	m := &mixed{hub: hub, service: hostedtest.Start(t, hostedtest.Options{}), home: t.TempDir(), temp: t.TempDir()}
	m.user = u.withEnv(append(env, oneThread, "HOME="+m.home, "TMPDIR="+m.temp)...)
	folder, err := filepath.Abs(filepath.Join("testdata", toneFolder))
	require.NoError(t, err)
	m.mustRun("models", "import", folder)
	m.mustRun("models", "import", whispertest.Path(t, "plain"), "--name", "plain")
	m.mustRun("models", "import", diarizetest.Folder(t), "--name", "toys")
	clip, err := os.ReadFile(enginetest.ClipFile(t, "jfk.wav"))
	require.NoError(t, err)
	tones, err := os.ReadFile(diarizetest.Kit(t, "audio/tones.wav"))
	require.NoError(t, err)
	m.clip, m.tones = string(clip), string(tones)
	m.server = m.serveHosted(m.service.URL)
	for _, p := range m.server.must("GET", "/profiles", "", "")["items"].([]any) {
		if p := p.(object); p["name"] == "Tone" {
			m.tone = p["id"].(string)
		} else {
			m.builtIn = p["id"].(string)
		}
	}
	for i, k := range mixedWork() {
		m.workers = append(m.workers, &worker{m: m, kind: k, random: rand.New(rand.NewPCG(seed, uint64(i))), facts: map[string][]fact{}})
	}
	return m
}

// mixedKind is a kind of work.
type mixedKind struct {
	name  string
	work  func(*worker) error // one piece of it
	times int                 // of a busy user in two hours
}

// fact is what is at a path of the API: the values of some fields, or nil where there is nothing.
type fact object

// worker does one kind of work. What it makes is touched by nobody else.
type worker struct {
	m      *mixed
	kind   mixedKind
	random *rand.Rand
	made   int
	own    []string          // paths of what it made, the oldest first
	facts  map[string][]fact // what may be at a path: one fact once a change was answered, two until then
	doing  string            // the request that has no answer yet
	done   int               // pieces of work
}

// errLost is the error of a request that was not answered, because the program was killed.
var errLost = errors.New("no answer came")

// refusal is an answer that is an error.
type refusal struct {
	request string
	status  int
	answer  string
}

func (r *refusal) Error() string { return fmt.Sprintf("%s: %d %s", r.request, r.status, r.answer) }

// unless returns nil for answers with these statuses.
func unless(err error, statuses ...int) error {
	var r *refusal
	if errors.As(err, &r) {
		for _, s := range statuses {
			if r.status == s {
				return nil
			}
		}
	}
	return err
}

// call makes a request. Errors: errLost, refusal.
func (w *worker) call(method, path, body, file string, more ...string) (object, error) {
	w.doing = method + " " + path
	status, answer, err := w.m.server.try(method, path, body, file, more...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errLost, err)
	}
	w.doing = ""
	if status >= 300 {
		return nil, &refusal{method + " " + path, status, answer}
	}
	if !strings.HasPrefix(answer, "{") {
		return nil, nil
	}
	return parseJSON(w.m.t, answer), nil
}

// create makes what gets a path of its own below list, where the fact is then.
func (w *worker) create(list string, after fact, request, body, file string, more ...string) (path string, err error) {
	made, err := w.call("POST", request, body, file, more...)
	if err != nil {
		return "", err
	}
	path = list + "/" + made["id"].(string)
	w.own = append(w.own, path)
	w.facts[path] = []fact{after}
	return path, nil
}

// begin notes that the fact at a path is about to change: until it was answered, both are right.
func (w *worker) begin(path string, after fact) {
	for _, before := range w.facts[path] {
		w.facts[path] = append(w.facts[path], before.with(after))
	}
}

// with returns a fact with other values of some fields.
func (f fact) with(after fact) fact {
	if after == nil || f == nil {
		return after
	}
	both := fact{}
	for _, from := range []fact{f, after} {
		for k, v := range from {
			both[k] = v
		}
	}
	return both
}

// answered says that the last change at a path was answered.
func (w *worker) answered(path string) {
	all := w.facts[path]
	w.facts[path] = all[len(all)-1:]
}

// change makes a request that changes what is at a path.
func (w *worker) change(path string, after fact, method, request, body string) error {
	w.begin(path, after)
	_, err := w.call(method, request, body, "")
	switch {
	case err == nil:
		w.answered(path)
	case !errors.Is(err, errLost):
		w.facts[path] = w.facts[path][:1]
	}
	return err
}

// remove deletes what is at a path.
func (w *worker) remove(path string) error { return w.change(path, nil, "DELETE", path, "") }

// trim deletes the oldest things of the worker, so that at most n stay.
func (w *worker) trim(n int) error {
	for len(w.own) > n {
		path := w.own[0]
		w.own = w.own[1:]
		if err := w.remove(path); err != nil {
			return err
		}
	}
	return nil
}

// compare compares the facts with what there is. It returns which of them is right, nil where none is, and what is wrong.
func (w *worker) compare() (right map[string]*fact, wrong []string) {
	right = map[string]*fact{}
	for path, allowed := range w.facts {
		status, answer, err := w.m.server.try("GET", path, "", "")
		require.NoError(w.m.t, err)
		found := fact(nil)
		if status == http.StatusOK {
			found = fact(parseJSON(w.m.t, answer))
		}
		right[path] = nil
		for i, f := range allowed {
			if f.fits(found) {
				right[path] = &allowed[i]
			}
		}
		if right[path] == nil {
			wrong = append(wrong, fmt.Sprintf("%s: %s is %d %s, which is none of %v", w.kind.name, path, status, cut(answer), allowed))
		}
	}
	return right, wrong
}

// check returns what is wrong. What was changed or not is then known, and what is gone is forgotten.
func (w *worker) check() []string {
	right, wrong := w.compare()
	for path, f := range right {
		if f == nil || *f == nil {
			delete(w.facts, path)
			w.own = slices.DeleteFunc(w.own, func(p string) bool { return p == path })
		} else {
			w.facts[path] = []fact{*f}
		}
	}
	return wrong
}

func cut(text string) string { return text[:min(len(text), 400)] }

// fits reports whether the fact is right about what was found.
func (f fact) fits(found fact) bool {
	if f == nil || found == nil {
		return f == nil && found == nil
	}
	for k, v := range f {
		if !reflect.DeepEqual(found[k], v) {
			return false
		}
	}
	return true
}

// word returns a word that it has not returned before.
func (w *worker) word() string {
	w.made++
	return fmt.Sprintf("%s %d", w.kind.name, w.made)
}

// text returns a text of n sentences of which no two are the same.
func (w *worker) text(n int) string {
	var sentences []string
	for i := range n {
		w.made++
		sentences = append(sentences, fmt.Sprintf("The kettle sings song %d of %s in hour %d.", w.made, w.kind.name, i+1))
	}
	return strings.Join(sentences, " ")
}

// voice returns a profile.
func (w *worker) voice() string {
	if w.random.IntN(3) == 0 {
		return w.m.builtIn
	}
	return w.m.tone
}

// one returns one of the worker's own, "" where it has none.
func (w *worker) one() string {
	if len(w.own) == 0 {
		return ""
	}
	return w.own[w.random.IntN(len(w.own))]
}
