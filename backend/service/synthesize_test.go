package service_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

func TestSynthesize(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	q := request(anna, "Hello [laughs] there.")
	q.Title = ptr("Greeting")
	q.ResponseFormat = ptr(service.PCM16000)
	r, err := k.Synthesize(t.Context(), caller, q)
	require.NoError(t, err)
	assert.Equal(t, int64(100_000-45), r.RemainingCredits, "21 characters x 2.1, rounded up")
	assert.True(t, r.ProjectCreated)
	assert.Regexp(t, `^[A-Za-z0-9_-]{43}\.pcm$`, r.File.Name)
	assert.InDelta(t, 0.5, r.File.Seconds, 1e-9)

	content, file, err := k.OpenFile(t.Context(), r.File.Name)
	require.NoError(t, err)
	data, err := io.ReadAll(content)
	require.NoError(t, err)
	require.NoError(t, content.Close())
	assert.True(t, strings.HasPrefix(string(data), "pcm_16000"))
	assert.Equal(t, file.Bytes, int64(len(data)))

	usage, next, err := k.Usage(t.Context(), caller, "", 50)
	require.NoError(t, err)
	assert.Empty(t, next)
	require.Len(t, usage, 1)
	u := usage[0]
	assert.NoError(t, uuid.Validate(u.ID))
	u.ID = ""
	assert.Equal(t, service.Usage{
		At: k.clock.Now(), Kind: "synthesize", Provider: service.ProviderA, Model: service.ModelV3, Voice: anna.ID, Title: "Greeting",
		Characters: 21, Seconds: 0.5, Credits: 45, Status: "charged", File: r.File.Name,
	}, u)
	require.Len(t, k.events.syntheses, 1)
	e := k.events.syntheses[0]
	assert.Equal(t, []any{200, 21, int64(45)}, []any{e.Status, e.Characters, e.Credits})
	assert.NotContains(t, k.log.String(), "laughs")
}

func TestSynthesizeRefusesWrongRequests(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	for name, c := range map[string]struct {
		change func(q *service.SynthesizeRequest)
		code   service.Code
		want   string
	}{
		"no text":                {func(q *service.SynthesizeRequest) { q.Text = "" }, "", `"text" is missing`},
		"blank text":             {func(q *service.SynthesizeRequest) { q.Text = " \n\t " }, "", `"text" is missing`},
		"no voice":               {func(q *service.SynthesizeRequest) { q.Voice = "" }, "", `"voice" is missing`},
		"voice is no id":         {func(q *service.SynthesizeRequest) { q.Voice = "anna" }, "", `"voice" names no active voice`},
		"unknown voice":          {func(q *service.SynthesizeRequest) { q.Voice = uuid.NewString() }, "", `"voice" names no active voice`},
		"no model":               {func(q *service.SynthesizeRequest) { q.TTSModel = "" }, "", `"ttsModel" is missing`},
		"unknown model":          {func(q *service.SynthesizeRequest) { q.TTSModel = "providerA-v4" }, "", `"ttsModel" names no model`},
		"format":                 {func(q *service.SynthesizeRequest) { q.ResponseFormat = ptr(service.Format("wav")) }, "", `"response_format" must be one of mp3_44100_128, pcm_8000`},
		"long title":             {func(q *service.SynthesizeRequest) { q.Title = ptr(strings.Repeat("é", 1001)) }, "", `"title" has 1001 characters`},
		"empty format":           {func(q *service.SynthesizeRequest) { q.ResponseFormat = ptr(service.Format("")) }, "", `"response_format"`},
		"stability too high":     {func(q *service.SynthesizeRequest) { q.Stability = ptr(1.01) }, "", `"stability" must be a number from 0 to 1`},
		"stability too low":      {func(q *service.SynthesizeRequest) { q.Stability = ptr(-0.01) }, "", `"stability"`},
		"similarity":             {func(q *service.SynthesizeRequest) { q.SimilarityBoost = ptr(2.0) }, "", `"similarity_boost"`},
		"text too long":          {func(q *service.SynthesizeRequest) { q.Text = strings.Repeat("a", 5001) }, service.CodeTextTooLong, "5001 characters; at most 5000"},
		"speed too high for a C": {func(q *service.SynthesizeRequest) { *q = request(carla, "Ciao."); q.Speed = ptr(4.01) }, "", `"speed" must be a number from 0.25 to 4`},
		"speed too low for a B":  {func(q *service.SynthesizeRequest) { *q = request(bella, "Hi."); q.Speed = ptr(0.24) }, "", `"speed"`},
	} {
		t.Run(name, func(t *testing.T) {
			q := request(anna, "Hello.")
			c.change(&q)
			_, err := k.Synthesize(t.Context(), caller, q)
			fails(t, err, 400, c.code)
			assert.ErrorContains(t, err, c.want)
		})
	}
	assert.Empty(t, k.a.speeches(), "the provider was not called")
	for range service.CallsPerMinute {
		_, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
		require.NoError(t, err, "refused requests were not counted")
	}
}

// A request with every fault gets the answer of the first check. The fault of each answer is mended for the next one.
func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	k := newKit(t, func(c *service.Config) { c.Prices.PlanCredits = map[service.Plan]int64{service.Free: 1} })
	caller := k.free("poor") // 1 credit, no plan
	for range service.CallsPerMinute {
		require.NoError(t, k.store.CountCall(t.Context(), caller.Account.ID, service.CallsPerMinute))
	}
	started, release := make(chan struct{}, 1), make(chan struct{})
	k.c.speak = until(started, release)

	q := service.SynthesizeRequest{TTSModel: service.ModelV3}
	step := func(status int, code service.Code) {
		t.Helper()
		_, err := k.Synthesize(t.Context(), caller, q)
		fails(t, err, status, code)
	}
	step(400, "")
	q.Text = strings.Repeat("a", 5001)
	step(400, "") // no voice
	q.Voice = uuid.NewString()
	step(400, "") // unknown voice
	q.Voice = anna.ID
	step(400, service.CodeTextTooLong)
	q.Text = strings.Repeat("a", 5000)
	step(403, service.CodePaidAccess)
	q.Voice = carla.ID
	step(429, service.CodeRateLimited)
	k.clock.Pass(time.Minute)

	running := make(chan error)
	go func() {
		_, err := k.Synthesize(t.Context(), caller, request(carla, "a")) // costs 1 credit
		running <- err
	}()
	<-started
	step(409, service.CodeDuplicate)
	close(release)
	require.NoError(t, <-running)
	step(402, service.CodeNoCredits)
}

// The voice decides who speaks and what it costs; the settings are those of the model that speaks.
func TestVoiceDecidesModel(t *testing.T) {
	t.Parallel()
	wild := service.Options{Stability: ptr(7.0), SimilarityBoost: ptr(-1.0)} // wrong for v3, ignored by all others
	neutral := service.VoiceSettings{Speed: 1, Stability: 0.5, SimilarityBoost: 0.75, SpeakerBoost: true}
	for name, c := range map[string]struct {
		voice    service.Voice
		model    string
		options  service.Options
		speed    *float64
		served   string
		credits  int64
		settings service.VoiceSettings
	}{
		"v3": {anna, "providerA-v3", service.Options{}, nil, "providerA-v3", 2100, neutral},
		"v3 with its fields": {
			anna, "providerA-v3",
			service.Options{Stability: ptr(0.0), SimilarityBoost: ptr(1.0), SpeakerBoost: ptr(false), LanguageOverride: ptr(true)},
			nil, "providerA-v3", 2100,
			service.VoiceSettings{Speed: 1, SimilarityBoost: 1, LanguageOverride: true},
		},
		"v3 ignores speed":             {anna, "providerA-v3", service.Options{}, ptr(9.0), "providerA-v3", 2100, neutral},
		"another model of A":           {anna, "providerA-flash-v2-5", wild, ptr(0.25), "providerA-flash-v2-5", 2100, service.VoiceSettings{Speed: 0.25}},
		"voice of A, model of B":       {anna, "providerB-2-5-pro", wild, ptr(9.0), "providerA-v3", 2100, neutral},
		"voice of B, v3":               {bella, "providerA-v3", wild, ptr(2.0), "providerB-2-5-flash", 1200, service.VoiceSettings{Speed: 2}},
		"voice of B, its second model": {bella, "providerB-2-5-pro", wild, nil, "providerB-2-5-pro", 1300, service.VoiceSettings{Speed: 1}},
		"voice of C, v3":               {carla, "providerA-v3", wild, nil, "providerC-neural2", 400, service.VoiceSettings{Speed: 1}},
		"voice of C, its second model": {carla, "providerC-wavenet", wild, ptr(4.0), "providerC-wavenet", 400, service.VoiceSettings{Speed: 4}},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t, func(c *service.Config) { c.Prices.Rates = map[string]int64{"providerB-2-5-pro": 1300} })
			caller := k.pro()
			text := strings.Repeat("x", 1000)
			r, err := k.Synthesize(t.Context(), caller, service.SynthesizeRequest{
				Text: text, Voice: c.voice.ID, TTSModel: c.model, Options: c.options, Speed: c.speed,
			})
			require.NoError(t, err)
			assert.Equal(t, 100_000-c.credits, r.RemainingCredits)
			usage, _, err := k.Usage(t.Context(), caller, "", 1)
			require.NoError(t, err)
			assert.Equal(t, c.served, usage[0].Model)
			provider := map[service.ProviderID]*fakeProvider{service.ProviderA: k.a, service.ProviderB: k.b, service.ProviderC: k.c}[c.voice.Provider]
			assert.Equal(t, []service.Speech{{
				Turns: []service.Turn{{Voice: c.voice, Text: text}}, Settings: c.settings, Priority: true,
			}}, provider.speeches())
		})
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	for format, extension := range map[service.Format]string{
		"": ".mp3", "mp3_44100_128": ".mp3", "pcm_8000": ".pcm", "pcm_16000": ".pcm", "pcm_22050": ".pcm", "pcm_24000": ".pcm",
	} {
		q := request(carla, "Ciao.")
		if format != "" {
			q.ResponseFormat = &format
		}
		r, err := k.Synthesize(t.Context(), caller, q)
		require.NoError(t, err)
		assert.True(t, strings.HasSuffix(r.File.Name, extension), r.File.Name)
		if format == "" {
			format = service.MP3
		}
		assert.Equal(t, format, r.File.Format)
	}
}

// Characters are Unicode code points, for limits and prices.
func TestLengthsAreCodePoints(t *testing.T) {
	t.Parallel()
	family := "👩‍👩‍👧" // five code points
	for name, c := range map[string]struct {
		text       string
		characters int
	}{
		"ascii": {"abc", 3}, "umlaut": {"äöü", 3}, "combining marks": {"a\u0308o\u0308", 4},
		"emoji": {"😀😀", 2}, "joined emoji": {family, 5}, "flag": {"🇩🇪", 2}, "Chinese": {"你好", 2},
		"spaces count": {"  a  ", 5}, "tags count": {"[laughs] a", 10}, "replacement": {"\uFFFDa", 2}, "zero width": {"a\u200b", 2},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t, func(cfg *service.Config) {
				cfg.Prices.Rates = map[string]int64{"ProviderC": 1000}
				cfg.Prices.Limits = map[string]int{"ProviderC": c.characters, "providerC-wavenet": c.characters - 1}
			})
			caller := k.pro()
			r, err := k.Synthesize(t.Context(), caller, request(carla, c.text))
			require.NoError(t, err, "the limit itself is allowed")
			assert.Equal(t, int64(100_000-c.characters), r.RemainingCredits)
			q := request(carla, c.text)
			q.TTSModel = "providerC-wavenet"
			_, err = k.Synthesize(t.Context(), caller, q)
			fails(t, err, 400, service.CodeTextTooLong)
		})
	}
}

func TestLimitsOfModelsAndPlans(t *testing.T) {
	t.Parallel()
	k := newKit(t, func(c *service.Config) {
		c.Prices.Limits = map[string]int{"ProviderC": 30, "providerC-wavenet": 40}
		c.Prices.PlanCaps = map[service.Plan]int{service.Free: 20, service.Max: 35}
	})
	account := k.free("expired").Account.ID
	_, err := k.store.SetPlan(t.Context(), account, service.Max, 100_000, 0, service.Change{})
	require.NoError(t, err)
	expired := k.free("expired")
	for name, c := range map[string]struct {
		caller service.Caller
		model  string
		limit  int
	}{
		"free":                       {k.free("free"), "providerC-neural2", 20},
		"pro has no cap":             {k.paying("pro", service.Pro), "providerC-neural2", 30},
		"of the model":               {k.paying("pro", service.Pro), "providerC-wavenet", 40},
		"max":                        {k.paying("max", service.Max), "providerC-wavenet", 35},
		"an expired plan is no plan": {expired, "providerC-wavenet", 20},
	} {
		t.Run(name, func(t *testing.T) {
			q := service.SynthesizeRequest{Text: strings.Repeat("ä", c.limit), Voice: carla.ID, TTSModel: c.model}
			_, err := k.Synthesize(t.Context(), c.caller, q)
			require.NoError(t, err)
			q.Text += "ä"
			_, err = k.Synthesize(t.Context(), c.caller, q)
			fails(t, err, 400, service.CodeTextTooLong)
		})
	}
}

func TestPlanAccess(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	ctx := t.Context()
	set := func(subject string, plan service.Plan, days int, payg int64) service.Caller {
		account, change := k.free(subject).Account.ID, service.Change{}
		_, err := k.store.SetPlan(ctx, account, plan, 50_000, days, change)
		require.NoError(t, err)
		if payg > 0 {
			_, err = k.store.AddCredits(ctx, account, payg, change)
			require.NoError(t, err)
		}
		return k.free(subject)
	}
	for name, c := range map[string]struct {
		caller   service.Caller
		paid     bool
		priority bool
	}{
		"free":                      {set("free", service.Free, 0, 0), false, false},
		"free with pay-as-you-go":   {set("payg", service.Free, 0, 9_000), true, false},
		"pro":                       {set("pro", service.Pro, 1, 0), true, true},
		"max":                       {set("max", service.Max, service.PlanDays, 0), true, true},
		"expired now":               {set("now", service.Pro, 0, 0), false, false},
		"expired":                   {set("old", service.Max, -1, 0), false, false},
		"expired but pay-as-you-go": {set("oldpayg", service.Max, -1, 9_000), true, false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, v := range []service.Voice{anna, bella} {
				_, err := k.Synthesize(ctx, c.caller, request(v, "Hello."))
				if c.paid {
					require.NoError(t, err)
				} else {
					fails(t, err, 403, service.CodePaidAccess)
				}
			}
			_, err := k.Synthesize(ctx, c.caller, request(carla, "Ciao."))
			require.NoError(t, err, "voices of ProviderC are for everyone, also from the credits of an expired plan")
			all := k.c.speeches()
			assert.Equal(t, c.priority, all[len(all)-1].Priority)
		})
	}
}

func TestKeysPayTenPercentLess(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	byKey, _ := k.withKey(caller)
	for _, c := range []struct {
		caller     service.Caller
		characters int
		credits    int64
	}{{caller, 1000, 2100}, {byKey, 1000, 1890}, {caller, 1, 3}, {byKey, 1, 2}, {byKey, 5000, 9450}} {
		before := k.account(caller).Credits()
		r, err := k.Synthesize(t.Context(), c.caller, request(anna, strings.Repeat("x", c.characters)))
		require.NoError(t, err)
		assert.Equal(t, before-c.credits, r.RemainingCredits)
	}
}

// Plan credits are spent first, and the price may use both parts to the last credit.
func TestSpendingOrder(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	account := k.free("spender").Account.ID // with 10,000
	_, err := k.store.AddCredits(t.Context(), account, 500, service.Change{})
	require.NoError(t, err)
	caller := k.free("spender")
	_, err = k.Synthesize(t.Context(), caller, request(anna, strings.Repeat("x", 5000))) // 10,500
	require.NoError(t, err)
	a := k.account(caller)
	assert.Zero(t, a.PlanCredits)
	assert.Zero(t, a.PaygCredits)
	_, err = k.Synthesize(t.Context(), k.free("spender"), request(carla, "a"))
	fails(t, err, 402, service.CodeNoCredits)
	assert.ErrorContains(t, err, "the call needs 1, and 0 are left")
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	for range 15 {
		_, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
		require.NoError(t, err)
		_, err = k.Enhance(t.Context(), caller, service.EnhanceRequest{Text: "Ciao."})
		require.NoError(t, err)
	}
	k.clock.Pass(20 * time.Second)
	check := func(err error) {
		t.Helper()
		fails(t, err, 429, service.CodeRateLimited)
		var e *service.Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, 40*time.Second, e.RetryAfter)
	}
	_, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
	check(err)
	_, err = k.SynthesizeDialogue(t.Context(), caller, dialogue(anna, "Hello."))
	check(err)
	_, err = k.Enhance(t.Context(), caller, service.EnhanceRequest{Text: "Ciao."})
	check(err)
	_, _, err = k.EnhanceDialogue(t.Context(), caller, []service.EnhanceTurn{{ID: "1", Text: "Ciao."}})
	check(err)
	k.clock.Pass(40 * time.Second)
	_, err = k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
	require.NoError(t, err)
	k.clock.Pass(-time.Hour) // a clock that goes back locks nobody out for longer than a minute
	k.clock.Pass(time.Minute)
	_, err = k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
	require.NoError(t, err)
}

// The account of a call that is running may be deleted; the call ends without a file.
func TestAccountDeletedDuringCall(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	started, release := make(chan struct{}, 1), make(chan struct{})
	k.c.speak = until(started, release)
	done := make(chan error)
	go func() {
		_, err := k.Synthesize(context.Background(), caller, request(carla, "Ciao."))
		done <- err
	}()
	<-started
	_, err := k.store.DeleteAccount(t.Context(), caller.Account.ID, service.Change{})
	require.NoError(t, err)
	close(release)
	require.Error(t, <-done)
	assert.Empty(t, k.files())
	_, err = k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
	fails(t, err, 401, "")
}
