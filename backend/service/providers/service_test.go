package providers_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/encode"
	"github.com/voicewright/voicewright/backend/service/enhance"
	"github.com/voicewright/voicewright/backend/service/folder"
	"github.com/voicewright/voicewright/backend/service/providers"
	"github.com/voicewright/voicewright/backend/service/providers/openai"
	"github.com/voicewright/voicewright/backend/service/providers/providertest"
	"github.com/voicewright/voicewright/backend/service/sqlite"
)

// upstream is a server of OpenAI's shape that answers when the test says so, with 500 to texts
// with "fail" and with silence to those with "silent".
type upstream struct {
	answer chan struct{} // one value for each answer; closed for all

	mu    sync.Mutex
	texts []string
}

func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct{ Input string }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	u.mu.Lock()
	u.texts = append(u.texts, body.Input)
	u.mu.Unlock()
	<-u.answer
	if strings.Contains(body.Input, "fail") {
		http.Error(w, "out of memory", http.StatusInternalServerError)
		return
	}
	if strings.Contains(body.Input, "silent") {
		_, _ = w.Write(append(audio.WAVHeader(24_000, 1, 4800), make([]byte, 4800)...))
		return
	}
	tone, _ := providertest.Null{}.Speak(r.Context(), service.Speech{})
	_, _ = w.Write(append(audio.WAVHeader(tone.Rate, 1, uint32(2*len(tone.Samples))), audio.PCM16(nil, tone.Samples)...))
}

// spoken returns the first words of the texts that arrived.
func (u *upstream) spoken() (first []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, text := range u.texts {
		word, _, _ := strings.Cut(text, " ")
		first = append(first, word)
	}
	return first
}

// whole is the service on SQLite with one provider, whose lane speaks with an upstream.
type whole struct {
	*service.Service
	t        *testing.T
	upstream *upstream
	lane     *providers.Lane
	db       *sqlite.DB
	voice    string
}

func newWhole(t *testing.T, id service.ProviderID, queue int) *whole {
	w := &whole{t: t, upstream: &upstream{answer: make(chan struct{})}}
	server := httptest.NewServer(w.upstream)
	t.Cleanup(server.Close)
	speaker, err := openai.New(openai.Options{Provider: id, URL: server.URL, Model: "tts-1", Client: server.Client()})
	require.NoError(t, err)
	w.lane = providers.NewLane(speaker, providers.LaneOptions{Provider: id, Queue: queue})
	w.db, err = sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "service.db")})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.db.Close()) })
	files, err := folder.Open(t.TempDir())
	require.NoError(t, err)
	w.Service, err = service.New(service.Config{
		Store: w.db, Files: files, Providers: map[service.ProviderID]service.Provider{id: w.lane},
		Encoder: encode.New(audio.FindCodecs()), Enhancer: enhance.Enhancer{}, Now: time.Now, NewID: uuid.NewString,
		Random: rand.Reader, Instance: uuid.NewString(), Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, w.Close(context.WithoutCancel(t.Context()))) })
	w.voice = service.VoiceID(id, "nova")
	return w
}

// account creates an account on a plan, with pay-as-you-go credits beside it.
func (w *whole) account(name string, plan service.Plan, payg int64) {
	change := service.Change{}
	a, err := w.db.SignIn(w.t.Context(), service.SignIn{
		Identity: service.Identity{Subject: name}, Admitted: true, Baseline: 10_000,
	})
	require.NoError(w.t, err)
	if plan != service.Free {
		_, err = w.db.SetPlan(w.t.Context(), a.ID, plan, 100_000, service.PlanDays, change)
		require.NoError(w.t, err)
	}
	if payg > 0 {
		_, err = w.db.AddCredits(w.t.Context(), a.ID, payg, change)
		require.NoError(w.t, err)
	}
}

// speak speaks a text for an account in the background.
func (w *whole) speak(name, text string) chan error {
	done := make(chan error, 1)
	go func() {
		caller, err := w.TokenCaller(w.t.Context(), service.Identity{Subject: name})
		if err == nil {
			format := service.PCM8000
			_, err = w.Synthesize(w.t.Context(), caller, service.SynthesizeRequest{
				Text: text, Voice: w.voice, TTSModel: "providerC-neural2", Options: service.Options{ResponseFormat: &format},
			})
		}
		done <- err
	}()
	return done
}

// waits blocks until so many callers wait for the running call.
func (w *whole) waits(n int) {
	require.Eventually(w.t, func() bool {
		return w.lane.State() == providers.LaneState{Waiting: n, Running: true, Breaker: "closed"}
	}, time.Minute, time.Millisecond)
}

func (w *whole) credits(name string) int64 {
	account, err := w.db.Account(w.t.Context(), name)
	require.NoError(w.t, err)
	return account.Credits()
}

// Twenty accounts of all plans speak at once; four calls fail. Pro and Max go first, every sum is right.
func TestTwentyAccountsAtOnce(t *testing.T) {
	w := newWhole(t, service.ProviderC, 19)
	var (
		calls         []chan error
		first, others []string
	)
	before := map[string]int64{}
	for i := range 20 {
		name := fmt.Sprintf("account-%02d", i)
		plan := []service.Plan{service.Free, service.Pro, service.Free, service.Max}[i%4]
		w.account(name, plan, int64(i%3)*1000) // credits of their own bring no priority
		before[name] = w.credits(name)
		text := name + " speaks a hundred characters: " + strings.Repeat("x", 60)
		if i%5 == 4 {
			text = name + " fails."
		}
		calls = append(calls, w.speak(name, text))
		w.waits(i)
		switch {
		case i == 0 || plan != service.Free:
			first = append(first, name)
		default:
			others = append(others, name)
		}
	}
	close(w.upstream.answer)
	charged := 0
	for i, done := range calls {
		err := <-done
		name := fmt.Sprintf("account-%02d", i)
		if i%5 == 4 {
			require.Equal(t, http.StatusBadGateway, service.StatusOf(err), name)
			require.Equal(t, before[name], w.credits(name), "refunded")
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, before[name]-40, w.credits(name), "100 characters at 400 credits per 1,000")
		charged++
	}
	require.Equal(t, append(first, others...), w.upstream.spoken())
	require.Equal(t, 16, charged)
	require.NoError(t, w.db.Check(t.Context()))
	require.Equal(t, providers.LaneState{Breaker: "closed"}, w.lane.State())
}

// One call runs, eight wait, and eleven of twenty accounts are answered at once and charged nothing.
func TestFullQueueOfTheService(t *testing.T) {
	for id, code := range map[service.ProviderID]service.Code{
		service.ProviderB: service.CodeServerBusy, service.ProviderA: service.CodeProviderBusy,
	} {
		t.Run(string(id), func(t *testing.T) {
			w := newWhole(t, id, service.DefaultQueueLimit)
			results := make(chan error, 20)
			for i := range 20 {
				name := fmt.Sprintf("account-%02d", i)
				w.account(name, service.Pro, 0)
				go func() { results <- <-w.speak(name, "Hello.") }()
			}
			for range 11 {
				requireBusy(t, <-results, code, 5*time.Second)
			}
			close(w.upstream.answer)
			for range 9 {
				require.NoError(t, <-results)
			}
			require.Len(t, w.upstream.spoken(), 9)
			require.NoError(t, w.db.Check(t.Context()))
			var left int64
			for i := range 20 {
				left += w.credits(fmt.Sprintf("account-%02d", i))
			}
			price := map[service.ProviderID]int64{service.ProviderA: 13, service.ProviderB: 8}[id] // 6 characters at 2,100 or 1,200
			require.Equal(t, 20*100_000-9*price, left)
		})
	}
}

// A breaker that opens answers everybody who waits; nobody is charged.
func TestOpenBreakerOfTheService(t *testing.T) {
	w := newWhole(t, service.ProviderB, service.DefaultQueueLimit)
	close(w.upstream.answer)
	for i := range 6 {
		name := fmt.Sprintf("account-%d", i)
		w.account(name, service.Max, 0)
		err := <-w.speak(name, "This will fail.")
		if i < 5 {
			require.Equal(t, http.StatusBadGateway, service.StatusOf(err))
			require.Empty(t, service.CodeOf(err))
		} else {
			var e *service.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, service.CodeProviderBusy, e.Code)
			require.Positive(t, e.RetryAfter)
			require.LessOrEqual(t, e.RetryAfter, 15*time.Second)
		}
		require.EqualValues(t, 100_000, w.credits(name))
	}
	require.Len(t, w.upstream.spoken(), 5)
	require.NoError(t, w.db.Check(t.Context()))
}

func TestSilenceIsAudio(t *testing.T) {
	w := newWhole(t, service.ProviderC, 0)
	close(w.upstream.answer)
	w.account("account", service.Free, 0)
	require.NoError(t, <-w.speak("account", "A silent answer."))
	require.EqualValues(t, 9993, w.credits("account"), "16 characters at 400 credits per 1,000")
}
