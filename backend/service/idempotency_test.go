package service_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
)

// keyed returns a request with an idempotency key.
func keyed(v service.Voice, text, key string) service.SynthesizeRequest {
	q := request(v, text)
	q.IdempotencyKey = key
	return q
}

func TestRepeatGetsTheAnswerAgain(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	byKey, _ := k.withKey(caller)
	first, err := k.Synthesize(t.Context(), caller, keyed(anna, "Hello.", "one"))
	require.NoError(t, err)
	_, err = k.Synthesize(t.Context(), caller, request(anna, "Another."))
	require.NoError(t, err)
	left := k.account(caller).Credits()

	k.a.setVoices(nil) // what a repeat does not need: the voice, the plan, the rate, credits, and that no other call runs
	_, err = k.store.SetPlan(t.Context(), caller.Account.ID, service.Free, 0, 0, service.Change{})
	require.NoError(t, err)
	for range service.CallsPerMinute + 5 {
		for _, c := range []service.Caller{k.free(caller.Account.Subject), byKey} {
			r, err := k.Synthesize(t.Context(), c, keyed(anna, "Hello.", "one"))
			require.NoError(t, err)
			require.Equal(t, first, r)
		}
	}
	require.Len(t, k.a.speeches(), 2)
	require.Zero(t, k.account(caller).Credits())
	require.NotZero(t, left)
	require.Len(t, k.files(), 2)
}

func TestKeyWithAnotherRequest(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	_, err := k.Synthesize(t.Context(), caller, keyed(anna, "Hello.", "one"))
	require.NoError(t, err)
	titled := keyed(anna, "Hello.", "one")
	titled.Title = ptr("Greeting")
	for name, q := range map[string]service.SynthesizeRequest{
		"text": keyed(anna, "Hello!", "one"), "voice": keyed(alan, "Hello.", "one"), "title": titled, "no text": keyed(anna, "", "one"),
	} {
		_, err := k.Synthesize(t.Context(), caller, q)
		fails(t, err, http.StatusBadRequest, "")
		assert.Contains(t, err.Error(), "Idempotency-Key", name)
	}
	dialogue := service.DialogueRequest{Turns: []service.DialogueTurn{{Voice: anna.ID, Text: "Hello."}}, TTSModel: service.ModelV3}
	dialogue.IdempotencyKey = "one"
	_, err = k.SynthesizeDialogue(t.Context(), caller, dialogue)
	fails(t, err, http.StatusBadRequest, "")
	dialogue.IdempotencyKey = "two"
	first, err := k.SynthesizeDialogue(t.Context(), caller, dialogue)
	require.NoError(t, err)
	again, err := k.SynthesizeDialogue(t.Context(), caller, dialogue)
	require.NoError(t, err)
	require.Equal(t, first, again)
	_, err = k.Synthesize(t.Context(), k.pro(), keyed(anna, "Hello!", "one"))
	require.NoError(t, err, "keys are of an account")
}

func TestRepeatWhileTheCallRuns(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	started, release := make(chan struct{}, 1), make(chan struct{})
	k.a.speak = until(started, release)
	var first service.Result
	var running sync.WaitGroup
	running.Go(func() {
		var err error
		first, err = k.Synthesize(t.Context(), caller, keyed(anna, "Hello.", "one"))
		assert.NoError(t, err)
	})
	<-started
	for range 40 {
		_, err := k.service("second").Synthesize(t.Context(), caller, keyed(anna, "Hello.", "one"))
		fails(t, err, http.StatusConflict, service.CodeDuplicate)
		var e *service.Error
		require.ErrorAs(t, err, &e)
		require.Positive(t, e.RetryAfter)
	}
	_, err := k.Synthesize(t.Context(), caller, keyed(anna, "Hello!", "one"))
	fails(t, err, http.StatusBadRequest, "")
	close(release)
	running.Wait()
	again, err := k.Synthesize(t.Context(), caller, keyed(anna, "Hello.", "one"))
	require.NoError(t, err)
	require.Equal(t, first, again)
}

func TestRefundFreesTheKey(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	k.a.speak = func(context.Context, service.Speech) (audio.Buffer, error) { return audio.Buffer{}, errBoom }
	_, err := k.Synthesize(t.Context(), caller, keyed(anna, "Hello.", "one"))
	fails(t, err, http.StatusBadGateway, "")
	k.a.speak = nil
	_, err = k.Synthesize(t.Context(), caller, keyed(alan, "Hello again.", "one"))
	require.NoError(t, err)
	require.Equal(t, caller.Account.Credits()-service.Cost(len("Hello again."), 2100, false), k.account(caller).Credits())
}

func TestRepeatAfterTheFileIsGone(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	for _, key := range []string{"expired", "deleted"} {
		_, err := k.Synthesize(t.Context(), caller, keyed(anna, "Hello.", key))
		require.NoError(t, err)
	}
	usage, _, err := k.Usage(t.Context(), caller, "", 10)
	require.NoError(t, err)
	require.NotEmpty(t, usage[0].File)
	require.NoError(t, k.folder.Delete(t.Context(), usage[0].File))
	usage, _, err = k.Usage(t.Context(), caller, "", 10)
	require.NoError(t, err)
	require.Empty(t, usage[0].File)
	require.NotEmpty(t, usage[1].File)
	_, err = k.Synthesize(t.Context(), caller, keyed(anna, "Hello.", "deleted"))
	fails(t, err, http.StatusGone, "")

	left := k.account(caller).Credits()
	k.clock.Pass(service.FileRetention - time.Millisecond)
	_, err = k.Synthesize(t.Context(), caller, keyed(anna, "Hello.", "expired"))
	require.NoError(t, err)
	k.clock.Pass(time.Millisecond)
	for range 2 {
		_, err = k.Synthesize(t.Context(), caller, keyed(anna, "Hello.", "expired"))
		fails(t, err, http.StatusGone, "")
		k.Sweep(t.Context())
	}
	usage, _, err = k.Usage(t.Context(), caller, "", 10)
	require.NoError(t, err)
	require.Empty(t, usage[0].File)
	require.Empty(t, usage[1].File)
	require.Equal(t, left, k.account(caller).Credits())

	k.clock.Pass(24 * time.Hour)
	k.Sweep(t.Context())
	_, err = k.Synthesize(t.Context(), caller, keyed(alan, "Another day.", "expired"))
	require.NoError(t, err, "the key is forgotten")
}

// A repeat says whether the audio was deleted or damaged, and that only another key makes it again.
func TestRepeatOfDamagedAudio(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(k *kit, file string){
		"five bytes": func(k *kit, file string) { k.write(file) },
		"empty": func(k *kit, file string) {
			require.NoError(t, k.folder.Create(t.Context(), file, func(io.Writer) error { return nil }))
		},
	} {
		k := newKit(t)
		caller := k.pro()
		first, err := k.Synthesize(t.Context(), caller, keyed(carla, "Hello.", "one"))
		require.NoError(t, err)
		spoil(k, first.File.Name)
		_, err = k.Synthesize(t.Context(), caller, keyed(carla, "Hello.", "one"))
		fails(t, err, http.StatusGone, "")
		require.Contains(t, err.Error(), "damaged", name)
		require.Contains(t, err.Error(), "another key", name)
		require.NotContains(t, err.Error(), "24 hours", name)
		_, err = k.Synthesize(t.Context(), caller, keyed(carla, "Hello.", "two"))
		require.NoError(t, err)
	}
}

// The ids of voices count in any case, so a repeat may write them in another one.
func TestRepeatWithIdsInAnotherCase(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	for i, id := range []string{strings.ToUpper(anna.ID), anna.ID, anna.ID[:20] + strings.ToUpper(anna.ID[20:])} {
		q := keyed(anna, "Hello.", "one")
		q.Voice = id
		dialogue := service.DialogueRequest{
			Turns:    []service.DialogueTurn{{Voice: id, Text: "Hello."}, {Voice: strings.ToUpper(id), Text: "Bye."}},
			TTSModel: service.ModelV3,
		}
		dialogue.IdempotencyKey = "two"
		_, err := k.Synthesize(t.Context(), caller, q)
		require.NoError(t, err)
		_, err = k.SynthesizeDialogue(t.Context(), caller, dialogue)
		require.NoError(t, err)
		require.Equal(t, id, dialogue.Turns[0].Voice, "the request is not changed: %d", i)
	}
	require.Len(t, k.a.speeches(), 2)
	q := keyed(alan, "Hello.", "one")
	q.Voice = strings.ToUpper(q.Voice)
	_, err := k.Synthesize(t.Context(), caller, q)
	fails(t, err, http.StatusBadRequest, "")
	q.Voice = "{" + anna.ID + "}"
	_, err = k.Synthesize(t.Context(), caller, q)
	fails(t, err, http.StatusBadRequest, "")
}

// A call may take the last credits of an account that is paid by them alone: its API key still gets the lost answer.
func TestRepeatOfTheLastCredits(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	account := k.free("anna").Account.ID
	const price = 19 // of 10 characters of ProviderA with a key
	_, err := k.store.SetPlan(t.Context(), account, service.Free, 0, 0, service.Change{})
	require.NoError(t, err)
	_, err = k.store.AddCredits(t.Context(), account, price, service.Change{})
	require.NoError(t, err)
	byKey, plaintext := k.withKey(k.free("anna"))
	first, err := k.Synthesize(t.Context(), byKey, keyed(anna, "0123456789", "one"))
	require.NoError(t, err)
	require.Zero(t, first.RemainingCredits)

	caller, err := k.KeyCaller(t.Context(), plaintext)
	fails(t, err, http.StatusForbidden, service.CodePaidAccess)
	again, err := k.Synthesize(t.Context(), caller, keyed(anna, "0123456789", "one"))
	require.NoError(t, err)
	require.Equal(t, first, again)
	_, err = k.Synthesize(t.Context(), caller, keyed(carla, "Ciao.", "two"))
	fails(t, err, http.StatusForbidden, service.CodePaidAccess)
}

// Whatever calls, repeats, failures and repeats at the same time: each key that was answered is charged once, all its answers are
// the same, and the ledger is right.
func TestPropertyOfRepeats(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	services := []*service.Service{k.Service, k.service("second")}
	k.c.speak = func(_ context.Context, s service.Speech) (audio.Buffer, error) {
		if len(s.Turns[0].Text)%3 == 0 && len(k.c.speeches())%2 == 0 {
			return audio.Buffer{}, errBoom
		}
		return tone(), nil
	}
	random := rand.New(rand.NewPCG(1, 2))
	charged, repeated, failed := 0, 0, 0
	for account := range 12 {
		caller := k.paying(fmt.Sprint("account ", account), service.Pro)
		var mu sync.Mutex
		answers := map[string]service.Result{}
		spent := int64(0)
		for range 1 + random.IntN(4) {
			key := []string{"a", "bb", "ccc"}[random.IntN(3)]
			q := keyed(carla, "Text of "+key, key)
			var calls sync.WaitGroup
			for i := range 1 + random.IntN(6) {
				calls.Go(func() {
					result, err := services[i%2].Synthesize(context.Background(), caller, q)
					mu.Lock()
					defer mu.Unlock()
					before, answered := answers[key]
					switch {
					case err != nil:
						assert.Contains(t, []int{http.StatusConflict, http.StatusBadGateway}, service.StatusOf(err), "%v", err)
						failed++
					case answered:
						assert.Equal(t, before, result)
						repeated++
					default:
						answers[key] = result
						charged++
						spent += service.Cost(len(q.Text), 400, false)
					}
				})
			}
			calls.Wait()
			require.Equal(t, 100_000-spent, k.account(caller).Credits())
		}
	}
	require.NoError(t, k.store.Check(context.Background()))
	require.Positive(t, charged)
	require.Positive(t, repeated)
	require.Positive(t, failed)
}
