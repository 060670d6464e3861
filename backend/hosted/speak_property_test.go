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

// TestNothingIsPaidTwice drives texts through faults, deaths of the program and retries: what was charged is each part once, and
// again what was lost or had expired and was retried.
func TestNothingIsPaidTwice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		k := newKit(t)
		var texts []string
		for range rapid.IntRange(1, 4).Draw(r, "parts") {
			texts = append(texts, strings.Repeat("a", rapid.IntRange(1, 300).Draw(r, "length")))
		}
		h := k.speech(t, texts...)
		for range rapid.IntRange(1, 6).Draw(r, "attempts") {
			k.attempt(t, r, h)
		}
		k.complete(r, h)
	})
}

// attempt speaks once with faults, and may die in between.
func (k *kit) attempt(t *testing.T, r *rapid.T, h backend.HostedSpeech) {
	for range rapid.IntRange(0, 3).Draw(r, "faults") {
		k.server.Fault(speechPath, speechFault(r))
	}
	for range rapid.IntRange(0, 8).Draw(r, "broken fetches") {
		k.server.Fault(filePath, fileFault(r, k.server))
	}
	if rapid.Bool().Draw(r, "dies") {
		k.parts.dieAfter(rapid.IntRange(0, 10).Draw(r, "writes"))
	}
	h.FetchOnly = rapid.IntRange(0, 4).Draw(r, "fetch only") == 0
	before, unpaid := k.server.Charged(), len(h.Texts)-len(k.paid())
	o := k.speak(r.Context(), h)
	charged := k.server.Charged() - before
	if charged > unpaid || h.FetchOnly && charged > 0 {
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
	for _, a := range o.audio {
		require.FileExists(r, a.Path)
	}
	rows := k.parts.all()
	stored, expired, lost := count(rows, backend.HostedStored), count(rows, backend.HostedExpired), count(rows, backend.HostedLost)
	require.Equal(r, len(h.Texts), stored, "each part has one file")
	require.Equal(r, len(rows)-stored-expired-lost, count(rows, backend.HostedRefused))
	charged := k.server.Charged()
	require.GreaterOrEqual(r, charged, stored+expired)
	require.LessOrEqual(r, charged, stored+expired+lost)
	require.Equal(r, stored+expired+lost, o.bill.Calls)
	if o.bill.Credits != nil {
		require.Equal(r, 100_000-k.server.Credits(), *o.bill.Credits)
	}
	require.Equal(r, k.server.Credits(), *o.bill.Left)
}

func count(rows []backend.HostedPart, state backend.HostedState) int {
	return len(slices.DeleteFunc(slices.Clone(rows), func(row backend.HostedPart) bool { return row.State != state }))
}

// paid returns the parts that need no further call.
func (k *kit) paid() map[int]bool {
	paid := map[int]bool{}
	for _, row := range k.parts.all() {
		if row.State == backend.HostedStored || row.State == backend.HostedAnswered {
			paid[row.N] = true
		}
	}
	return paid
}

func speechFault(r *rapid.T) hostedtest.Fault {
	html := hostedtest.HTML(http.StatusBadGateway)
	html.Charge = rapid.Bool().Draw(r, "charged")
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
		{Status: 402},
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
