package hosted_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

// TestNothingIsPaidTwice drives texts through faults, deaths of the program, retries and a change: what was charged is each part
// once, and again what was lost or had expired and was retried. Where the service keeps answers, lost ones are no reason.
func TestNothingIsPaidTwice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		k := newKit(t)
		if rapid.Bool().Draw(r, "keeps answers") {
			k = newKeepingKit(t)
		}
		var texts []string
		for range rapid.IntRange(1, 4).Draw(r, "parts") {
			texts = append(texts, strings.Repeat("a", rapid.IntRange(3, 300).Draw(r, "length")))
		}
		h := k.speech(t, texts...)
		for range rapid.IntRange(1, 6).Draw(r, "attempts") {
			k.attempt(t, r, h)
		}
		k.complete(r, h)
		require.Equal(r, len(h.Texts), count(k.parts.all(), backend.HostedStored), "each part has one file")

		changed, fresh := revised(r, h)
		unpaid, err := k.Unpaid(r.Context(), changed)
		require.NoError(r, err)
		require.Len(r, unpaid.Texts, fresh, "what stays is paid")
		for range rapid.IntRange(0, 4).Draw(r, "attempts after the change") {
			k.attempt(t, r, changed)
		}
		k.complete(r, changed)
		charged := k.server.Charged()
		k.complete(r, h)
		require.Equal(r, charged, k.server.Charged(), "the former text is paid")
	})
}

// revised returns a changed text: some of its parts in another order, and new ones, and how many of these.
func revised(r *rapid.T, h backend.HostedSpeech) (changed backend.HostedSpeech, fresh int) {
	changed = h
	changed.Texts = rapid.Permutation(h.Texts).Draw(r, "order")[:rapid.IntRange(0, len(h.Texts)).Draw(r, "kept")]
	fresh = rapid.IntRange(0, 2).Draw(r, "new parts")
	if len(changed.Texts) == 0 {
		fresh = max(fresh, 1)
	}
	for i := range fresh {
		at := rapid.IntRange(0, len(changed.Texts)).Draw(r, "place")
		changed.Texts = slices.Insert(slices.Clone(changed.Texts), at, backend.HostedText{Text: strings.Repeat("b", i+1)})
	}
	return changed, fresh
}

// attempt speaks once with faults, and may die in between.
func (k *kit) attempt(t *testing.T, r *rapid.T, h backend.HostedSpeech) {
	for range rapid.IntRange(0, 3).Draw(r, "faults") {
		k.server.Fault(speechPath, speechFault(r, k.server.Keeps()))
	}
	for range rapid.IntRange(0, 8).Draw(r, "broken fetches") {
		k.server.Fault(filePath, fileFault(r, k.server))
	}
	if rapid.Bool().Draw(r, "dies") {
		k.parts.dieAfter(rapid.IntRange(0, 10).Draw(r, "writes"))
	}
	h.FetchOnly = rapid.IntRange(0, 4).Draw(r, "fetch only") == 0
	before, unpaid := k.server.Charged(), k.unpaid(h)
	o := k.speak(r.Context(), h)
	charged := k.server.Charged() - before
	if charged > unpaid || h.FetchOnly && charged > 0 && !k.server.Keeps() {
		r.Fatalf("%d calls were charged for %d parts (%v)", charged, unpaid, o.err)
	}
	if rapid.Bool().Draw(r, "ends") {
		k.reopen(t)
		_, err := k.Pending(r.Context())
		require.NoError(r, err)
	}
	k.parts.revive()
}

// complete lets the service work, retries until the generation is complete, and compares what was charged with what is recorded.
func (k *kit) complete(r *rapid.T, h backend.HostedSpeech) {
	var o outcome
	for range 50 {
		if o = k.speak(r.Context(), h); o.err == nil {
			break
		}
	}
	require.NoError(r, o.err)
	require.Len(r, o.audio, len(h.Texts))
	used := map[string]bool{}
	for _, a := range o.audio {
		require.FileExists(r, a.Path)
		require.False(r, used[a.Path], "two parts have one file")
		used[a.Path] = true
	}
	rows := k.parts.all()
	stored, expired, lost := count(rows, backend.HostedStored), count(rows, backend.HostedExpired), count(rows, backend.HostedLost)
	require.Equal(r, len(rows)-stored-expired-lost, count(rows, backend.HostedRefused))
	charged := k.server.Charged()
	require.GreaterOrEqual(r, charged, stored+expired)
	require.LessOrEqual(r, charged, stored+expired+lost)
	if k.server.Keeps() {
		require.Zero(r, lost)
	}
	require.Equal(r, stored+expired+lost, o.bill.Calls)
	if o.bill.Credits != nil {
		require.Equal(r, 100_000-k.server.Credits(), *o.bill.Credits)
	}
	require.Equal(r, k.server.Credits(), *o.bill.Left)
}

func count(rows []backend.HostedPart, state backend.HostedState) int {
	return len(slices.DeleteFunc(slices.Clone(rows), func(row backend.HostedPart) bool { return row.State != state }))
}

// unpaid returns how many parts need a call. No two different texts have the same length.
func (k *kit) unpaid(h backend.HostedSpeech) (n int) {
	paid := map[int]int{}
	for _, row := range k.parts.all() {
		if row.State == backend.HostedStored || row.State == backend.HostedAnswered {
			paid[row.Characters]++
		}
	}
	for _, text := range h.Texts {
		if paid[len(text.Text)]--; paid[len(text.Text)] < 0 {
			n++
		}
	}
	return n
}

// speechFault returns how a call fails. A service that keeps answers finds one before it looks at the credits.
func speechFault(r *rapid.T, keeps bool) hostedtest.Fault {
	html := hostedtest.HTML(http.StatusBadGateway)
	html.Charge = rapid.Bool().Draw(r, "charged")
	refused := hostedtest.Fault{Status: 402}
	if keeps {
		refused.Status = 500
	}
	return rapid.SampledFrom([]hostedtest.Fault{
		{},
		{Cut: hostedtest.CutBefore},
		{Cut: hostedtest.CutHeaders},
		{Cut: hostedtest.CutHalf},
		{Cut: hostedtest.CutAfter},
		{Status: 200, Cut: hostedtest.CutBefore},
		html,
		{Body: "<html>", Charge: html.Charge},
		{Status: 500},
		refused,
		{Status: 409, Code: "DUPLICATE_REQUEST"},
		{Status: 429, RetryAfter: "3"},
		{Status: 503, RetryAfter: "600"},
	}).Draw(r, "speech fault")
}

func fileFault(r *rapid.T, server *hostedtest.Service) hostedtest.Fault {
	return rapid.SampledFrom([]hostedtest.Fault{
		{},
		{Cut: hostedtest.CutHalf},
		{Status: 500},
		{Cut: hostedtest.CutBefore},
		{Before: server.ExpireLinks},
		{Length: -1},
		{Body: "<html>"},
	}).Draw(r, "file fault")
}
