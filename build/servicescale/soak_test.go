//go:build scale && postgres && soak && linux

package servicescale_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/build/servicescale"
)

// soaked is a service that people use in every way, on whom providers fail and who go away.
type soaked struct {
	*world
	client *http.Client
	voices []voice
	done   atomic.Int64
	left   atomic.Int64 // requests whose clients went away

	mu       sync.Mutex
	statuses map[int]int
}

// TestSoakService does a minute of mixed work on each database and prints what the service has meanwhile: memory, goroutines and handles
// stay. VOICEWRIGHT_SOAK_PERCENT is how much of it.
func TestSoakService(t *testing.T) {
	percent, err := strconv.Atoi(cmp.Or(os.Getenv("VOICEWRIGHT_SOAK_PERCENT"), "100"))
	require.NoError(t, err)
	length := time.Duration(percent) * time.Minute / 100
	t.Run("SQLite", func(t *testing.T) { soakService(t, onSQLite(t), length) })
	t.Run("PostgreSQL", func(t *testing.T) { soakService(t, onPostgres(t, newCluster(t, false)), length) })
}

// Limits of what may stay: memory in MB, as the caches of connections fill, and what another connection to the database has.
const (
	memoryGrowth = 20
	heapGrowth   = 5
	fewMore      = 5
)

// soakNames are the names of the numbers of a sample.
var soakNames = append(slices.Clip(programtest.Names), "heap MB", "goroutines")

func soakService(t *testing.T, db database, length time.Duration) {
	w := newWorld(t, db, 500)
	w.speaker.SetDelay(shortDelay)
	w.speaker.SetFault(func() servicescale.Fault {
		if rand.N(20) > 0 {
			return servicescale.NoFault
		}
		return 1 + rand.N(servicescale.Cut)
	})
	w.run(1, "--metrics")
	s := &soaked{world: w, client: newClient(), statuses: map[int]int{}}
	s.voices = w.voices(s.client)
	s.work(length / 3) // the first use of everything
	before := s.idle()
	samples := s.work(length)
	after := s.idle()
	t.Logf("%d pieces of work, %d clients that went away, answers by status: %v", s.done.Load(), s.left.Load(), s.statuses)
	programtest.Fifths(t, soakNames, before, samples, after)
	grown := func(name string) int {
		i := slices.Index(soakNames, name)
		return after[i] - before[i]
	}
	require.Less(t, grown("memory MB"), memoryGrowth)
	require.Less(t, grown("heap MB"), heapGrowth)
	require.LessOrEqual(t, grown("goroutines"), fewMore)
	require.LessOrEqual(t, grown("handles"), fewMore)
	require.Zero(t, s.statuses[http.StatusInternalServerError])
	s.sound()
}

// sound requires that nothing is held, that the sums are right, and that each call that was charged has its file.
func (s *soaked) sound() {
	s.t.Helper()
	s.waitUntilNothingIsHeld()
	code, out, complaints := command(s.t, "account", "check", "--database", s.db.address)
	require.Equal(s.t, exit.Done, code, "%s%s", out, complaints)
	files, r := map[string]bool{}, report{}
	for _, uses := range s.usage(&r) {
		for _, u := range uses {
			files[u.File] = true
		}
	}
	require.NotZero(s.t, r.charged)
	require.NotZero(s.t, r.refunded)
	s.sweep(files)
}

// work has eight people work for a time, and returns a sample of every half second.
func (s *soaked) work(length time.Duration) (samples [][]int) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), length)
	defer cancel()
	kinds := []func() error{s.speak, s.speak, s.leave, s.leave, s.dialogue, s.enhance, s.repeat, s.keys, s.refused, s.look, s.look, s.look}
	var people sync.WaitGroup
	failures := make([]error, 8)
	for i := range failures {
		people.Go(func() {
			for failures[i] == nil && ctx.Err() == nil {
				failures[i] = kinds[rand.N(len(kinds))]()
				s.done.Add(1)
			}
		})
	}
	for tick := time.NewTicker(500 * time.Millisecond); ctx.Err() == nil; {
		select {
		case <-ctx.Done():
			tick.Stop()
		case <-tick.C:
			samples = append(samples, s.sample())
		}
	}
	people.Wait()
	for _, err := range failures {
		require.NoError(s.t, err)
	}
	return samples
}

// idle returns what the service has at least in the seconds after the work.
func (s *soaked) idle() []int {
	s.t.Helper()
	s.client.CloseIdleConnections()
	least := s.sample()
	for range 20 {
		time.Sleep(time.Second)
		for i, n := range s.sample() {
			least[i] = min(least[i], n)
		}
	}
	return least
}

var metric = regexp.MustCompile(`(?m)^(go_goroutines|go_memstats_next_gc_bytes) (\S+)$`)

// sample returns what the service has now. The heap is what the last collection left: the next one comes when it is twice that.
func (s *soaked) sample() []int {
	s.t.Helper()
	status, answer, err := s.to("GET", "/metrics", "", "", nil)
	require.NoError(s.t, err)
	require.Equal(s.t, http.StatusOK, status)
	values := map[string]int{}
	for _, found := range metric.FindAllStringSubmatch(string(answer), -1) {
		n, err := strconv.ParseFloat(found[2], 64)
		require.NoError(s.t, err)
		values[found[1]] = int(n)
	}
	u := programtest.UsageOf(s.t, s.processes[0].cmd.Process.Pid)
	return append(u.Numbers(), values["go_memstats_next_gc_bytes"]>>21, values["go_goroutines"])
}

// to sends a request to the process itself, and counts the status of its answer.
func (s *soaked) to(method, path, key, idempotency string, body any) (status int, answer []byte, err error) {
	if at := strings.Index(path, "/files/"); at >= 0 {
		path = path[at:]
	}
	status, answer, err = s.send(s.client, method, s.processes[0].url+path, key, idempotency, body)
	s.mu.Lock()
	s.statuses[status]++
	s.mu.Unlock()
	return status, answer, err
}

func (s *soaked) user() user { return s.users[rand.N(len(s.users))] }

// call returns a call of a user.
func (s *soaked) call(u user) map[string]any {
	v := s.voices[rand.N(len(s.voices))]
	return map[string]any{
		"text": u.name + " says a word.", "voice": v.id, "ttsModel": v.model, "title": newKey(), "response_format": "pcm_24000",
	}
}

const synthesize = "/api/v1/tts/synthesize"

// speak has a text spoken and fetches the audio.
func (s *soaked) speak() error {
	u := s.user()
	status, answer, err := s.to("POST", synthesize, u.key, "", s.call(u))
	if err != nil || status != http.StatusOK {
		return err
	}
	return s.fetch(string(answer))
}

var audioLink = regexp.MustCompile(`/files/[^"]+`)

// fetch fetches the audio of an answer.
func (s *soaked) fetch(answer string) error {
	status, audio, err := s.to("GET", audioLink.FindString(answer), "", "", nil)
	if err == nil && (status != http.StatusOK || len(audio) == 0) {
		err = fmt.Errorf("the audio of %s: %d, %d bytes", answer, status, len(audio))
	}
	return err
}

// leave sends a request and goes away before it is answered.
func (s *soaked) leave() error {
	u := s.user()
	ctx, cancel := context.WithTimeout(s.t.Context(), rand.N(30*time.Millisecond))
	defer cancel()
	method, path, body := "POST", synthesize, strings.NewReader(fmt.Sprintf(`{"text":"%s says a word.","voice":%q,"ttsModel":%q}`,
		u.name, s.voices[0].id, s.voices[0].model))
	switch rand.N(4) {
	case 0:
		body = strings.NewReader(`{"text":"`) // and never the rest
	case 1:
		method, path = "GET", "/api/v1/tts/voices"
	}
	r, err := http.NewRequestWithContext(ctx, method, s.processes[0].url+path, body)
	if err != nil {
		return err
	}
	r.ContentLength += int64(rand.N(2)) // the service waits for another byte
	r.Header.Set("Authorization", "Bearer "+u.key)
	if res, err := s.client.Do(r); err == nil {
		_ = res.Body.Close() // unread
	}
	s.left.Add(1)
	return nil
}

// dialogue has two people speak.
func (s *soaked) dialogue() error {
	u := s.user()
	var v voice
	for _, v = range s.voices {
		if strings.HasPrefix(v.model, "providerA") {
			break
		}
	}
	turn := map[string]any{"voice": v.id, "text": u.name + " says a word."}
	_, _, err := s.to("POST", "/api/v1/tts/synthesize-dialogue", u.key, "", map[string]any{"turns": []any{turn, turn}, "ttsModel": v.model})
	return err
}

func (s *soaked) enhance() error {
	_, _, err := s.to("POST", "/api/v1/tts/enhance", s.user().key, "", map[string]any{"text": "How happy I am! But who is there?"})
	return err
}

// repeat sends a call twice.
func (s *soaked) repeat() error {
	u := s.user()
	body, key := s.call(u), newKey()
	_, _, err := s.to("POST", synthesize, u.key, key, body)
	if err == nil {
		_, _, err = s.to("POST", synthesize, u.key, key, body)
	}
	return err
}

// keys makes an API key and revokes it, with a token of the issuer.
func (s *soaked) keys() error {
	token := s.issuer.Token(s.user().name)
	status, answer, err := s.to("POST", "/api/v1/user/api-keys", token, "", map[string]any{"name": "soak"})
	if err != nil || status != http.StatusCreated {
		return err
	}
	id := keyID.FindStringSubmatch(string(answer))
	if id == nil {
		return fmt.Errorf("no id in %s", answer)
	}
	_, _, err = s.to("DELETE", "/api/v1/user/api-keys/"+id[1], token, "", nil)
	return err
}

var keyID = regexp.MustCompile(`"id":"([^"]+)"`)

// refused sends what the service answers with an error.
func (s *soaked) refused() error {
	u := s.user()
	body := s.call(u)
	switch rand.N(4) {
	case 0:
		u.key = newKey()
	case 1:
		body["voice"] = "nobody"
	case 2:
		body["text"] = strings.Repeat("word ", 2000)
	default:
		_, _, err := s.to("GET", "/files/none.mp3", "", "", nil)
		return err
	}
	status, answer, err := s.to("POST", synthesize, u.key, "", body)
	if err == nil && status < http.StatusBadRequest {
		err = fmt.Errorf("accepted: %s", answer)
	}
	return err
}

// look reads what apps show.
func (s *soaked) look() error {
	paths := []string{
		"/api/v1/tts/voices", "/api/v1/tts/filters", "/api/v1/tts/models", "/api/v1/tts/prices", "/api/v1/tts/favorites", "/api/v1/user/credits",
		"/api/v1/user/usage", "/openapi.json", "/health", "/ready",
	}
	_, _, err := s.to("GET", paths[rand.N(len(paths))], s.user().key, "", nil)
	return err
}
