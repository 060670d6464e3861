package hosted_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

// A page of a gateway is no verdict of the service about a call whose answer was lost: the next retry still asks for it by its key.
func TestPagesAfterALostAnswerCostNothing(t *testing.T) {
	t.Parallel()
	cut := hostedtest.Fault{Cut: hostedtest.CutBefore}
	json := func(status int) hostedtest.Fault { return hostedtest.Fault{Status: status, Body: `{"message":"Gone"}`} }
	for name, page := range map[string]hostedtest.Fault{
		"HTML with 400": hostedtest.HTML(400), "HTML with 402": hostedtest.HTML(402), "HTML with 410": hostedtest.HTML(410),
		"JSON with 400": json(400), "JSON with 402": json(402), "JSON with 410": json(410),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKeepingKit(t)
			h := k.speech(t, "One.")
			k.server.Fault(speechPath, cut, page, page, page, page)
			o := k.speak(t.Context(), h)
			require.Equal(t, backend.CodeHostedAnswerLost, backend.CodeOf(o.err), "%v", o.err)
			assert.Equal(t, []backend.HostedState{backend.HostedLost}, k.parts.states())
			k.server.Heal()
			o = k.speak(t.Context(), h)
			require.NoError(t, o.err)
			assert.Equal(t, 1, k.server.Charged())
			assert.Equal(t, int64(8), *o.bill.Credits)
		})
	}
}

// useAnotherAccount forgets the key and signs in.
func (k *kit) useAnotherAccount(t *testing.T) {
	t.Helper()
	require.NoError(t, k.credentials.DeleteKey(t.Context()))
	k.signInAs()
}

// A lost answer that can be asked for is not hidden by a later call of its part that was refused, so that nothing is paid twice.
func TestRefusedCallHidesNoLostOne(t *testing.T) {
	t.Parallel()
	cut := hostedtest.Fault{Cut: hostedtest.CutBefore}
	for name, moved := range map[string]bool{"in its place": false, "in another place": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKeepingKit(t)
			h := k.speech(t, "One.")
			k.server.Fault(speechPath, cut, cut, cut, cut, cut)
			require.Error(t, k.speak(t.Context(), h).err)
			k.useAnotherAccount(t)
			k.server.Fault(speechPath, hostedtest.Fault{Status: 400})
			require.Error(t, k.speak(t.Context(), h).err)
			require.Equal(t, []backend.HostedState{backend.HostedLost, backend.HostedRefused}, k.parts.states())

			_, err := k.credentials.SetKey(t.Context(), hostedtest.Key)
			require.NoError(t, err)
			if moved {
				h.Texts = append([]backend.HostedText{{Text: "New."}}, h.Texts...)
			}
			o := k.speak(t.Context(), h)
			require.NoError(t, o.err)
			assert.Equal(t, len(h.Texts), k.server.Charged())
			assert.Equal(t, int64(8*len(h.Texts)), *o.bill.Credits)
		})
	}
}
