//go:build scale && postgres

package servicescale_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
	"github.com/voicewright/voicewright/build/servicescale"
)

// timeout is how long anything may take on a busy machine.
const timeout = programtest.Timeout

// pause is the time between two tries to learn the outcome of a call, as Retry-After says.
const pause = time.Second

// outcome is what a client knows of its call.
type outcome int

const (
	lost     outcome = iota // no answer came
	refused                 // the service answered with an error
	answered                // with the link to the audio
)

// call is a call of a client, with its outcome.
type call struct {
	user    int
	title   string // of no other call
	keyed   bool   // it has an Idempotency-Key
	outcome outcome
	status  int
	text    string // of the last answer
	url     string
	tries   int
}

// load is clients that make calls, each for another account at a time.
type load struct {
	w       *world
	client  *http.Client
	voices  []voice
	ended   chan struct{}
	workers sync.WaitGroup
	again   bool         // some calls that were answered are repeated
	repeats atomic.Int64 // how many

	mu    sync.Mutex
	free  []int // users without a call
	calls []*call
}

// voice is a voice with a model of its provider.
type voice struct{ id, model string }

// newLoad returns a load without clients.
func (w *world) newLoad() *load {
	w.t.Helper()
	l := &load{w: w, client: newClient(), ended: make(chan struct{}), again: true}
	for i := range w.users {
		l.free = append(l.free, i)
	}
	l.voices = w.voices(l.client)
	return l
}

func newClient() *http.Client {
	return &http.Client{Timeout: timeout, Transport: &http.Transport{MaxIdleConnsPerHost: 256}}
}

// voices returns a voice of each provider.
func (w *world) voices(client *http.Client) []voice {
	w.t.Helper()
	var list struct {
		Voices []struct {
			ID, Provider string
			Metadata     struct {
				Models []string `json:"supported_models"`
			}
		}
	}
	status, body, err := w.send(client, "GET", "/api/v1/tts/voices", w.users[0].key, "", nil)
	require.NoError(w.t, err)
	require.Equal(w.t, http.StatusOK, status, string(body))
	require.NoError(w.t, json.Unmarshal(body, &list))
	found := map[string]voice{}
	for _, v := range list.Voices {
		found[v.Provider] = voice{v.ID, v.Metadata.Models[0]}
	}
	require.Len(w.t, found, 3)
	return slices.Collect(maps.Values(found))
}

// errLost is the error of a request whose answer was lost.
var errLost = errors.New("the answer was lost")

// send sends a request to the balancer. Error: errLost.
func (w *world) send(client *http.Client, method, path, key, idempotency string, body any) (status int, answer []byte, err error) {
	content, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	if !strings.HasPrefix(path, "http") {
		path = w.url + path
	}
	r, err := http.NewRequestWithContext(w.t.Context(), method, path, bytes.NewReader(content))
	if err != nil {
		return 0, nil, err
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	if idempotency != "" {
		r.Header.Set("Idempotency-Key", idempotency)
	}
	res, err := client.Do(r)
	if err != nil {
		return 0, nil, fmt.Errorf("%w: %w", errLost, err)
	}
	defer func() { _ = res.Body.Close() }() // it is read
	if answer, err = io.ReadAll(res.Body); err != nil || res.Header.Get(servicescale.Lost) != "" {
		return 0, nil, fmt.Errorf("%w: %w: %s", errLost, err, answer)
	}
	return res.StatusCode, answer, nil
}

// begin starts clients, which make calls until end.
func (l *load) begin(clients int) {
	for range clients {
		l.workers.Go(func() {
			for !l.stopped() {
				l.one()
			}
		})
	}
}

func (l *load) stopped() bool {
	select {
	case <-l.ended:
		return true
	default:
		return false
	}
}

// stop lets the clients make no more calls.
func (l *load) stop() { close(l.ended) }

// end stops the clients and returns their calls, when the outcome of each is known that can be.
func (l *load) end() []*call {
	if !l.stopped() {
		l.stop()
	}
	l.workers.Wait()
	l.client.CloseIdleConnections()
	return l.calls
}

// take returns a user without a call, false where there is none.
func (l *load) take() (int, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.free) == 0 {
		return 0, false
	}
	i := rand.N(len(l.free))
	u := l.free[i]
	l.free[i] = l.free[len(l.free)-1]
	l.free = l.free[:len(l.free)-1]
	return u, true
}

// give ends the call of a user.
func (l *load) give(c *call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = append(l.calls, c)
	l.free = append(l.free, c.user)
}

// one makes a call. Where its answer is lost, it is repeated beside the client, who goes on for another user.
func (l *load) one() {
	u, ok := l.take()
	if !ok {
		time.Sleep(time.Millisecond)
		return
	}
	c := &call{user: u, keyed: rand.N(4) > 0}
	c.title = fmt.Sprintf("%s-%d", l.w.users[u].name, rand.Uint64())
	l.try(c)
	if c.outcome == lost && c.keyed {
		l.workers.Go(func() {
			defer l.give(c)
			l.learn(c)
		})
		return
	}
	if l.again && c.outcome == answered && c.keyed && rand.N(5) == 0 {
		l.repeat(c)
	}
	l.give(c)
}

// try sends the call.
func (l *load) try(c *call) {
	c.tries++
	v := l.voices[len(c.title)%len(l.voices)]
	body := map[string]any{
		"text": l.w.users[c.user].name + " says a word.", "voice": v.id, "ttsModel": v.model, "title": c.title, "response_format": "pcm_24000",
	}
	key := ""
	if c.keyed {
		key = c.title
	}
	status, answer, err := l.w.send(l.client, "POST", "/api/v1/tts/synthesize", l.w.users[c.user].key, key, body)
	if err != nil {
		c.outcome, c.status, c.text = lost, 0, err.Error()
		return
	}
	c.status, c.text = status, string(answer)
	var made struct{ URL string }
	if status == http.StatusOK && json.Unmarshal(answer, &made) == nil && made.URL != "" {
		c.outcome, c.url = answered, made.URL
		return
	}
	c.outcome = refused
}

// learn repeats a call whose answer was lost until the audio comes, or an error that no repetition changes.
func (l *load) learn(c *call) {
	for deadline := time.Now().Add(timeout); time.Now().Before(deadline); time.Sleep(pause) {
		l.try(c)
		again := c.status >= 500 || c.status == http.StatusConflict || c.status == http.StatusTooManyRequests
		if c.outcome == answered || c.outcome == refused && !again {
			return
		}
	}
	c.outcome = lost
}

// repeat sends a call again that was answered; the answer must be the same.
func (l *load) repeat(c *call) {
	again := *c
	l.try(&again)
	if again.outcome == answered {
		l.repeats.Add(1)
		if again.url != c.url {
			c.outcome, c.text = lost, "the repeat has another answer: "+again.text
		}
	}
}

// together calls f for 0 to n-1, some at once, and fails the test at an error.
func together(t testing.TB, n int, f func(i int) error) {
	t.Helper()
	var next atomic.Int64
	var failure atomic.Pointer[error]
	var workers sync.WaitGroup
	for range min(n, 16) {
		workers.Go(func() {
			for i := int(next.Add(1) - 1); i < n && failure.Load() == nil; i = int(next.Add(1) - 1) {
				if err := f(i); err != nil {
					failure.Store(&err)
				}
			}
		})
	}
	workers.Wait()
	if err := failure.Load(); err != nil {
		require.NoError(t, *err)
	}
}
