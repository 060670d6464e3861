package client_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

func keptRequest(key string) client.SynthesizeRequest {
	r := request()
	r.Sending = client.Sending{IdempotencyKey: key, Kept: true}
	return r
}

// TestOutcomeOfRepeats: once the answer of a kept call was lost, only an answer about the request itself says that nothing was
// charged.
func TestOutcomeOfRepeats(t *testing.T) {
	t.Parallel()
	cut := hostedtest.Fault{Cut: hostedtest.CutBefore}
	for name, c := range map[string]struct {
		faults  []hostedtest.Fault
		outcome client.Outcome // without one that is found
		sent    int
		found   bool
	}{
		"found":                   {faults: []hostedtest.Fault{cut}, sent: 2, found: true},
		"found after many waits":  {faults: []hostedtest.Fault{cut, {Status: 409}, {Status: 409}, {Status: 409}, {Status: 409}, {Status: 409}, {Status: 409}}, sent: 8, found: true},
		"never answered":          {faults: []hostedtest.Fault{cut, cut, cut, cut, cut}, outcome: client.Lost, sent: 5},
		"unavailable after it":    {faults: []hostedtest.Fault{cut, {Status: 503, RetryAfter: "3600"}}, outcome: client.Lost, sent: 2},
		"a refused key after it":  {faults: []hostedtest.Fault{cut, {Status: 401}}, outcome: client.Lost, sent: 2},
		"a disabled account":      {faults: []hostedtest.Fault{cut, {Status: 403}}, outcome: client.Lost, sent: 2},
		"a redirect after it":     {faults: []hostedtest.Fault{cut, {Redirect: "http://127.0.0.1:9/"}}, outcome: client.Lost, sent: 2},
		"a page after it":         {faults: []hostedtest.Fault{cut, hostedtest.HTML(200)}, outcome: client.Lost, sent: 2},
		"a gateway's 400":         {faults: []hostedtest.Fault{cut, hostedtest.HTML(400), hostedtest.HTML(400)}, sent: 4, found: true},
		"a gateway's 402":         {faults: []hostedtest.Fault{cut, hostedtest.HTML(402)}, sent: 3, found: true},
		"a gateway's 410":         {faults: []hostedtest.Fault{cut, hostedtest.HTML(410), hostedtest.HTML(410), hostedtest.HTML(410), hostedtest.HTML(410)}, outcome: client.Lost, sent: 5},
		"refunded and no credits": {faults: []hostedtest.Fault{cut, {Status: 402}}, outcome: client.Refused, sent: 2},
		"the audio is gone":       {faults: []hostedtest.Fault{cut, {Status: 410}}, outcome: client.Refused, sent: 2},
		"refused at once":         {faults: []hostedtest.Fault{{Status: 403}}, outcome: client.Refused, sent: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, hostedtest.Options{Keeps: true})
			s.service.Fault(synthesize, c.faults...)
			_, err := s.client.Synthesize(t.Context(), keptRequest("one"))
			require.Len(t, s.service.Requests(synthesize), c.sent)
			require.LessOrEqual(t, s.service.Charged(), 1)
			if c.found {
				require.NoError(t, err)
				return
			}
			var failed *client.Error
			require.ErrorAs(t, err, &failed)
			require.Equal(t, c.outcome, failed.Outcome)
		})
	}
}

// TestRepeatWithAnotherToken: the token expires while the answer is lost. It is refreshed, or the answer stays lost.
func TestRepeatWithAnotherToken(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]string{"refreshed": "fresh", "the sign-in has ended": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, hostedtest.Options{Keeps: true})
			s.creds.key, s.creds.token, s.creds.next = "", hostedtest.Token, next
			s.service.Fault(synthesize, hostedtest.Fault{Cut: hostedtest.CutBefore})
			s.service.Fault(synthesize, hostedtest.Fault{Before: func() { s.service.SetTokens("fresh") }})
			result, err := s.client.Synthesize(t.Context(), keptRequest("one"))
			require.Equal(t, 1, s.service.Charged())
			if next != "" {
				require.NoError(t, err)
				require.NotEmpty(t, result.URL)
				return
			}
			var failed *client.Error
			require.ErrorAs(t, err, &failed)
			require.Equal(t, client.Lost, failed.Outcome)
		})
	}
}

// TestAnotherAccount: a call is not sent with the credential of another account than the one that it was begun for, whose credits it
// would cost.
func TestAnotherAccount(t *testing.T) {
	t.Parallel()
	s := start(t, hostedtest.Options{Keeps: true})
	r := keptRequest("one")
	r.SameAccount = func() bool { return false }
	_, err := s.client.Synthesize(t.Context(), r)
	require.Equal(t, backend.CodeHostedNotSignedIn, backend.CodeOf(err))
	require.Empty(t, s.service.Requests(synthesize))

	s.creds.key, s.creds.token, s.creds.next = "", hostedtest.Token, "fresh"
	s.service.SetTokens("fresh")
	asked := 0
	r.Lost, r.SameAccount = true, func() bool { asked++; return asked == 1 } // the refreshed token is of another user
	_, err = s.client.Synthesize(t.Context(), r)
	var failed *client.Error
	require.ErrorAs(t, err, &failed)
	require.Equal(t, client.Lost, failed.Outcome)
	require.Len(t, s.service.Requests(synthesize), 1)
	require.Zero(t, s.service.Charged())
}

// TestAskingForALostAnswer: a call whose answer was lost before stays lost where nobody is reached, offline too.
func TestAskingForALostAnswer(t *testing.T) {
	t.Parallel()
	s := start(t, hostedtest.Options{Keeps: true})
	r := keptRequest("one")
	r.Lost = true
	s.base = hostedtest.Closed(t)
	_, err := s.client.Synthesize(t.Context(), r)
	var failed *client.Error
	require.ErrorAs(t, err, &failed)
	require.Equal(t, client.Lost, failed.Outcome)
	require.Equal(t, backend.CodeHostedAnswerLost, client.AsError(err).Code)
	require.Len(t, s.waits, 4)
	s.offline = true
	_, err = s.client.Synthesize(t.Context(), r)
	require.Equal(t, backend.CodeOffline, client.AsError(err).Code, "nothing was sent")
}

func TestKeepsKeys(t *testing.T) {
	t.Parallel()
	for keeps, o := range map[bool]hostedtest.Options{true: {Keeps: true, Prefix: "/api-root"}, false: {}} {
		s := start(t, o)
		s.creds.key = ""
		said, err := s.client.KeepsKeys(t.Context())
		require.NoError(t, err)
		require.Equal(t, keeps, said)
		require.Zero(t, s.creds.asked)
		s.service.Fault("/.well-known/", hostedtest.HTML(200))
		_, err = s.client.KeepsKeys(t.Context())
		require.Error(t, err)
	}
}
