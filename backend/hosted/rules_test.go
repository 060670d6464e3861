package hosted_test

import (
	"math/big"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/hosted"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

// speechOf returns a speech of texts with the n-th voice.
func speechOf(n int, texts ...string) backend.HostedSpeech {
	provider := []string{"ProviderA", "ProviderB", "ProviderC"}[n%3]
	model := []string{backend.HostedV3, "providerB-2-5-flash", "providerC-neural2"}[n%3]
	h := backend.HostedSpeech{
		GenerationID: "g", Voice: backend.HostedVoice{ID: hostedtest.VoiceID(n), Name: "Voice", Provider: provider}, Model: model, Speed: 1,
	}
	for _, text := range texts {
		h.Texts = append(h.Texts, backend.HostedText{Text: text})
	}
	return h
}

// TestRules breaks each rule before a call: the service sees no speech.
func TestRules(t *testing.T) {
	t.Parallel()
	thousand := strings.Repeat("a", 1000) // 1,890 credits with a key
	past := time.Now().Add(-time.Hour)
	tooHigh := "hosted_insufficient_credits"
	for name, c := range map[string]struct {
		speech  backend.HostedSpeech
		prepare func(k *kit)
		accept  *int64
		want    backend.Code
	}{
		"allowed":                   {speech: speechOf(0, thousand)},
		"at the limit of v3":        {speech: speechOf(0, strings.Repeat("é", 5000))},
		"over the limit of v3":      {speech: speechOf(0, strings.Repeat("é", 5001)), want: "hosted_text_too_long"},
		"over our own limit":        {speech: speechOf(2, strings.Repeat("a", 5001)), want: "hosted_text_too_long"},
		"a provider for paying":     {speech: speechOf(1, "Hi."), prepare: func(k *kit) { k.server.SetPlan("free", nil) }, want: "hosted_paid_access_required"},
		"a provider for all":        {speech: speechOf(2, "Hi."), prepare: func(k *kit) { k.server.SetPlan("free", nil) }},
		"a plan that has ended":     {speech: speechOf(0, "Hi."), prepare: func(k *kit) { k.server.SetPlan("max", &past) }, want: "hosted_paid_access_required"},
		"just enough credits":       {speech: speechOf(0, thousand), prepare: func(k *kit) { k.server.SetCredits(1890) }},
		"too few credits":           {speech: speechOf(0, thousand), prepare: func(k *kit) { k.server.SetCredits(1889) }, want: backend.Code(tooHigh)},
		"few credits, unknown cost": {speech: speechOf(2, thousand), prepare: func(k *kit) { k.server.SetCredits(0) }},
		"below the question":        {speech: speechOf(0, thousand), prepare: asks(1891)},
		"at the question":           {speech: speechOf(0, thousand), prepare: asks(1890), want: backend.CodeHostedConfirm},
		"accepted":                  {speech: speechOf(0, thousand), prepare: asks(1890), accept: new(int64(1890))},
		"accepted for less":         {speech: speechOf(0, thousand), prepare: asks(1890), accept: new(int64(1889)), want: backend.CodeHostedConfirm},
		"unknown cost":              {speech: speechOf(2, "Hi."), prepare: asks(1_000_000), want: backend.CodeHostedConfirm},
		"unknown cost accepted":     {speech: speechOf(2, "Hi."), prepare: asks(1_000_000), accept: new(int64(0))},
		"revoked":                   {speech: speechOf(0, "Hi."), prepare: func(k *kit) { k.server.RevokeKeys() }, want: backend.CodeHostedNotSignedIn},
		"offline":                   {speech: speechOf(0, "Hi."), prepare: func(k *kit) { k.config.offline = true }, want: backend.CodeOffline},
		"switched off":              {speech: speechOf(0, "Hi."), prepare: func(k *kit) { k.config.off = true }, want: backend.CodeHostedNotConfigured},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit(t)
			if c.prepare != nil {
				c.prepare(k)
			}
			err := k.Check(t.Context(), []backend.HostedSpeech{c.speech}, c.accept)
			assert.Empty(t, k.server.Requests("/api/v1/tts/synth"))
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			e := backendtest.Failure(t, c.want, err)
			require.NotEmpty(t, e.Remedy)
			if c.want == backend.CodeHostedConfirm {
				require.Contains(t, e.Params, "credits")
				require.Equal(t, c.accept, e.Params["accepted"])
			}
		})
	}
}

// TestRulesOfAScript are those of its speeches together: each alone would be allowed.
func TestRulesOfAScript(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	known := []backend.HostedSpeech{speechOf(0, strings.Repeat("a", 1000)), speechOf(3, strings.Repeat("b", 1000))} // 3,780 credits
	check := func(accepted *int64) error { return k.Check(t.Context(), known, accepted) }
	k.server.SetCredits(3780)
	require.NoError(t, check(nil))
	k.server.SetCredits(3779)
	k.pass(time.Minute)
	e := backendtest.Failure(t, "hosted_insufficient_credits", check(nil))
	require.Equal(t, int64(3780), e.Params["credits"])
	require.Equal(t, int64(3779), e.Params["credits_left"])
	e = backendtest.Failure(t, "hosted_insufficient_credits", k.Check(t.Context(), append(known, speechOf(2, "Unknown.")), nil))
	require.Equal(t, int64(3780), e.Params["credits"], "what is known of it is too much")

	k.server.SetCredits(10_000)
	k.pass(time.Minute)
	k.change(func(s *settings) { s.warn, s.ask = 3780, 3780 })
	_ = backendtest.Failure(t, backend.CodeHostedConfirm, check(nil))
	_ = backendtest.Failure(t, backend.CodeHostedConfirm, check(new(int64(3779))))
	require.NoError(t, check(new(int64(3780))))
	q, err := k.Quote(t.Context(), known, nil)
	require.NoError(t, err)
	require.True(t, q.Warn && q.Ask)
	require.Equal(t, int64(3780), *q.Credits)
	k.change(func(s *settings) { s.warn, s.ask = 3781, 3781 })
	q, err = k.Quote(t.Context(), known, nil)
	require.NoError(t, err)
	require.False(t, q.Warn || q.Ask)
	require.NoError(t, check(nil))

	k.server.SetPlan("free", nil)
	k.pass(time.Minute)
	mixed := []backend.HostedSpeech{speechOf(2, "Allowed."), speechOf(1, "Not allowed.")}
	_ = backendtest.Failure(t, "hosted_paid_access_required", k.Check(t.Context(), mixed, nil))
}

func asks(credits int64) func(k *kit) { return func(k *kit) { k.config.ask = credits } }

// TestPlanThatEnded is checked by the service before a call is refused, and shown as a notice.
func TestPlanThatEnded(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	ended := k.Now().Add(-time.Minute).Truncate(time.Millisecond)
	k.server.SetPlan("pro", &ended)
	st, err := k.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, "free", st.Plan)
	require.Equal(t, int64(10_000), *st.Credits)
	require.Nil(t, st.ExpiresAt)
	require.Equal(t, &hosted.Notice{Kind: "plan_expired", ExpiresAt: ended.UTC()}, st.Notice)

	soon := k.Now().Add(71 * time.Hour).Truncate(time.Millisecond)
	k.server.SetPlan("max", &soon)
	k.pass(time.Minute)
	st, err = k.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, &hosted.Notice{Kind: "plan_expires", ExpiresAt: soon.UTC()}, st.Notice)
}

// TestQuote compares the price with exact fractions: ceil(characters x 2100 / 1000 x 0.9), the sum of the rounded parts.
func TestQuote(t *testing.T) {
	t.Parallel()
	byKey, byToken := newKit(t), newBareKit(t)
	byToken.signInAs()
	rapid.Check(t, func(rt *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringN(0, 400, -1), 1, 4).Draw(rt, "texts")
		h := speechOf(0, texts...)
		for k, factor := range map[*kit]*big.Rat{byKey: big.NewRat(9, 10), byToken: big.NewRat(1, 1)} {
			want, characters := int64(0), 0
			for _, s := range texts {
				n := utf8.RuneCountInString(s)
				exact := new(big.Rat).Mul(big.NewRat(int64(n)*2100, 1000), factor)
				up := new(big.Int).Sub(new(big.Int).Add(exact.Num(), exact.Denom()), big.NewInt(1))
				want += up.Quo(up, exact.Denom()).Int64()
				characters += n
			}
			q, err := k.Quote(rt.Context(), []backend.HostedSpeech{h}, nil)
			require.NoError(rt, err)
			require.Equal(rt, want, *q.Credits)
			require.Equal(rt, characters, q.Characters)
			require.Equal(rt, len(texts), q.Calls)
		}
	})
	q, err := byKey.Quote(t.Context(), []backend.HostedSpeech{speechOf(2, "Hello")}, nil)
	require.NoError(t, err)
	assert.Equal(t, backend.HostedQuote{Characters: 5, Calls: 1}, q, "the rate is unknown")
	byKey.change(func(s *settings) { s.warn = 11 })
	q, err = byKey.Quote(t.Context(), []backend.HostedSpeech{speechOf(0, "Hello.")}, nil)
	require.NoError(t, err)
	assert.Equal(t, int64(12), *q.Credits)
	assert.Equal(t, int64(1890), *q.Per1000)
	assert.True(t, q.Warn)
	assert.False(t, q.Ask)
	assert.Nil(t, q.Left, "the balance was not read yet")
}

// TestRefusalReadsTheBalanceAgain tests that who has just bought a plan or credits is not refused from memory.
func TestRefusalReadsTheBalanceAgain(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	check := func() error { return k.Check(t.Context(), []backend.HostedSpeech{speechOf(0, "Hi.")}, nil) }
	k.server.SetPlan("free", nil)
	k.server.SetCredits(1)
	backendtest.RequireCode(t, "hosted_paid_access_required", check())
	k.pass(time.Second)
	k.server.SetPlan("pro", nil)
	backendtest.RequireCode(t, "hosted_insufficient_credits", check())
	k.pass(time.Second)
	k.server.SetCredits(1000)
	require.NoError(t, check())
}

// TestPricesOfTheService tests that the prices which a service states count for voices and quotes, and outlast an answer without
// them.
func TestPricesOfTheService(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.answerVoices(`{"id":"a","name":"Ann","provider":"ProviderA","language":"en"},{"id":"b","name":"Ben","provider":"ProviderB","language":"en"},
		{"id":"c","name":"Cid","provider":"ProviderC","language":"en"}`)
	const prices = "/api/v1/tts/prices"
	k.server.Fault(prices, hostedtest.Fault{Body: `{"prices":[{"model":"providerA-v3","creditsPer1000":2000},
		{"model":"providerB-2-5-flash","creditsPer1000":1200},{"model":"providerC-neural2","creditsPer1000":-1}]}`})
	per1000 := func(f hosted.VoiceFilter) []*int64 {
		l, err := k.Voices(t.Context(), f)
		require.NoError(t, err)
		var all []*int64
		for _, v := range l.Items {
			all = append(all, v.Per1000)
		}
		return all
	}
	a, b := int64(1800), int64(1080) // less 10 %, by the key
	require.Equal(t, []*int64{&a, &b, nil}, per1000(voiceFilter()))
	v, m, err := k.Voice(t.Context(), "b", "")
	require.NoError(t, err)
	q, err := k.Quote(t.Context(), []backend.HostedSpeech{{Voice: v, Model: m.ID, Texts: []backend.HostedText{{Text: "Hello."}}}}, nil)
	require.NoError(t, err)
	require.EqualValues(t, 7, *q.Credits, "6 characters x 1.2 x 0.9, rounded up")

	k.answerVoices(`{"id":"b","name":"Ben","provider":"ProviderB","language":"en"}`)
	k.server.Fault(prices, hostedtest.Fault{Status: 500})
	require.Equal(t, []*int64{&b}, per1000(hosted.VoiceFilter{Refresh: true}))
}
