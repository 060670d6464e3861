package hosted_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

// TestSpeakCopiesFromDonors speaks a text of which another generation has paid parts.
func TestSpeakCopiesFromDonors(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	first := k.speak(t.Context(), k.speech(t, "One.", "Two, two."))
	require.NoError(t, first.err)

	h := k.speech(t, "New.", "Two, two.", "One.", "One.")
	h.GenerationID, h.Donors = "generation-2", []string{"gone", "../x", "generation-1"}
	unpaid, err := k.Unpaid(t.Context(), h)
	require.NoError(t, err)
	assert.Equal(t, []backend.HostedText{{Text: "New."}}, unpaid.Texts)
	o := k.speak(t.Context(), h)
	require.NoError(t, o.err)
	assert.Equal(t, 3, k.server.Charged(), "only the new text is sent")
	assert.Equal(t, []any{int64(8), 1}, []any{*o.bill.Credits, o.bill.Calls})
	assert.Equal(t, []string{"", "generation-1", "generation-1", "generation-1"},
		[]string{o.audio[0].From, o.audio[1].From, o.audio[2].From, o.audio[3].From})
	for _, a := range o.audio {
		content, err := os.ReadFile(a.Path)
		require.NoError(t, err)
		assert.Equal(t, hostedtest.MP3, content)
	}

	require.NoError(t, k.Forget(t.Context(), "generation-1"))
	k.reopen(t)
	again := k.speak(t.Context(), h)
	require.NoError(t, again.err)
	assert.Equal(t, o.audio, again.audio, "what was copied stays without its donor")
	assert.Equal(t, o.bill, again.bill)

	require.NoError(t, os.WriteFile(o.audio[0].Path, []byte("damaged"), 0o600))
	other := k.speech(t, "Two, two.", "New.")
	other.GenerationID, other.Donors = "generation-4", []string{"generation-2"}
	damaged := k.speak(t.Context(), other)
	require.NoError(t, damaged.err)
	assert.Equal(t, 4, k.server.Charged(), "a damaged part is paid again")
	slow := k.speech(t, "Two, two.")
	slow.GenerationID, slow.Donors, slow.Options.Stability = "generation-5", []string{"generation-4"}, new(0.2)
	require.NoError(t, k.speak(t.Context(), slow).err)
	assert.Equal(t, 5, k.server.Charged(), "with other options it is another sound")
}
