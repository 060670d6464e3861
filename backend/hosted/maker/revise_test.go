package maker_test

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
	"github.com/voicewright/voicewright/backend/scripts"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
)

const changedParts = "Three.[pause 2s]Another one.[pause 1s]One."

// TestHostedRevise pays for the part that is new; the others keep the samples that were received.
func TestHostedRevise(t *testing.T) {
	l, f := studiotest.NewWithHosted(t)
	r := l.HostedRequest(studiotest.Ann, studiotest.ThreeParts)
	r.Format = "wav"
	g := l.Stored(l.Speak(r).ID)
	old := studiotest.SamplesByText(t, g)
	plan, err := l.Takes.PlanRevision(t.Context(), g.ID, changedParts, nil)
	require.NoError(t, err)
	require.Equal(t, []int{2, 1, 1}, []int{plan.Reused, plan.Generated, plan.Removed})
	require.Equal(t, []int64{studiotest.HostedPrice("Another one."), 1}, []int64{*plan.Quote.Credits, int64(plan.Quote.Calls)})
	require.Equal(t, g, l.Stored(g.ID), "a plan changes nothing")

	_, after := l.Revised(g.ID, changedParts)
	require.Nil(t, after.Error)
	require.Equal(t, []string{"One.", "Two.", "Three.", "Another one."}, f.Paid())
	require.Equal(t, old["Three."], studiotest.Part(t, after, 0))
	require.Equal(t, old["One."], studiotest.Part(t, after, 2))
	require.Equal(t, studiotest.FileHash(t, after.AudioPath), after.Receipt.AudioSHA256)
	require.InDelta(t, 0, after.Chunks[0].Start, 1e-9)
	require.InDelta(t, after.Chunks[0].End+2, after.Chunks[1].Start, 1e-9)
	require.InDelta(t, after.Chunks[1].End+1, after.Chunks[2].Start, 1e-9)
	require.Equal(t, "Three. Another one. One.", after.Receipt.SpokenText)
	require.True(t, after.CanUndo)

	back, err := l.Takes.UndoText(t.Context(), g.ID)
	require.NoError(t, err)
	require.Equal(t, g.Chunks, back.Chunks)
	require.Equal(t, g.Receipt, back.Receipt)
	require.Equal(t, g.Receipt.AudioSHA256, studiotest.FileHash(t, back.AudioPath))
	plan, err = l.Takes.PlanRevision(t.Context(), g.ID, changedParts, nil)
	require.NoError(t, err)
	require.Zero(t, *plan.Quote.Credits, "the undone version is paid")
	_, again := l.Revised(g.ID, changedParts)
	require.Equal(t, after.Receipt.AudioSHA256, again.Receipt.AudioSHA256)
	require.Len(t, f.Paid(), 4)
	l.Settled(g.AudioPath, again.AudioPath)
}

// TestHostedReviseIsBilled compares quote, receipt and the balance of the service.
func TestHostedReviseIsBilled(t *testing.T) {
	for _, format := range []string{"mp3", "wav", "flac"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			l, server := paidLab(t)
			r := l.HostedRequest(hostedtest.VoiceID(0), studiotest.ThreeParts)
			r.Format = format
			full := server.Credits()
			g := l.Stored(l.Speak(r).ID)
			first := full - server.Credits()
			plan, err := l.Takes.PlanRevision(t.Context(), g.ID, changedParts, nil)
			require.NoError(t, err)
			require.Equal(t, server.Credits(), *plan.Quote.Left)
			_, after := l.Revised(g.ID, changedParts)
			require.Nil(t, after.Error)
			require.Equal(t, *plan.Quote.Credits, full-first-server.Credits())
			bill := after.Receipt.Hosted
			require.Equal(t, *plan.Quote.Credits, *bill.RevisionCredits)
			require.Equal(t, full-server.Credits(), *bill.Credits)
			require.Equal(t, 4, bill.Calls)
			require.Equal(t, server.Credits(), *bill.Left)
			require.Equal(t, full-server.Credits(), *after.Credits)
			require.Equal(t, studiotest.FileHash(t, after.AudioPath), after.Receipt.AudioSHA256)
			require.InDelta(t, g.Duration+1.75, after.Duration, 0.06)

			back, err := l.Takes.UndoText(t.Context(), g.ID)
			require.NoError(t, err)
			require.Equal(t, g.Receipt, back.Receipt)
			require.Equal(t, full-server.Credits(), *back.Credits, "what is paid stays paid")
			_, err = l.Generations.Archive.Delete(t.Context(), []string{g.ID})
			require.NoError(t, err)
			require.Empty(t, l.Files(), "the parts are removed too")
		})
	}
}

// TestHostedReviseThatFails leaves the version before, pays nothing twice, and says what was paid.
func TestHostedReviseThatFails(t *testing.T) {
	const newText = "One.[pause 1s]Second.[pause 1s]Third."
	for name, c := range map[string]struct {
		path  string
		fault hostedtest.Fault
		code  backend.Code
		calls int // that the next attempt pays
	}{
		"lost":        {"/api/v1/tts/synthesize", hostedtest.Fault{Cut: hostedtest.CutBefore}, backend.CodeHostedAnswerLost, 1},
		"refused":     {"/api/v1/tts/synthesize", hostedtest.Fault{Status: http.StatusPaymentRequired}, "hosted_402", 1},
		"not fetched": {"/files/", hostedtest.Fault{Status: http.StatusInternalServerError}, backend.CodeHostedUnreachable, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, server := paidLab(t)
			full := server.Credits()
			g := l.Stored(l.Speak(l.HostedRequest(hostedtest.VoiceID(0), studiotest.ThreeParts)).ID)
			server.Fault(c.path, hostedtest.Fault{}) // the first new part is made
			server.Fault(c.path, slices.Repeat([]hostedtest.Fault{c.fault}, 20)...)
			_, after := l.Revised(g.ID, newText)
			require.Equal(t, c.code, after.Error.Code)
			require.Equal(t, full-server.Credits(), *after.Credits)
			after.Error, after.Credits = nil, g.Credits
			require.Equal(t, g, after)
			require.Equal(t, g.Receipt.AudioSHA256, studiotest.FileHash(t, g.AudioPath))
			server.Heal()
			charged := server.Charged()
			require.NoError(t, l.Close(t.Context()))
			l.Start() // fetches what is paid
			l.Ended(g.ID)
			_, after = l.Revised(g.ID, newText)
			require.Nil(t, after.Error)
			require.Equal(t, newText, after.Text)
			require.Equal(t, c.calls, server.Charged()-charged)
			require.Equal(t, full-server.Credits(), *after.Receipt.Hosted.Credits)
		})
	}
}

// TestHostedReviseIsRefused where its price is not accepted, or where it would pay for what is paid.
func TestHostedReviseIsRefused(t *testing.T) {
	l, f := studiotest.NewWithHosted(t)
	g := l.Stored(l.Speak(l.HostedRequest(studiotest.Ann, studiotest.ThreeParts)).ID)
	f.CheckError = backend.E(backend.CodeHostedConfirm, "This costs 8 credits.", "Accept it.").With("credits", 8)
	_, err := l.Takes.Revise(t.Context(), g.ID, changedParts, nil)
	backendtest.RequireCode(t, backend.CodeHostedConfirm, err)
	_, moved := l.Revised(g.ID, "Two.[pause 1s]One.")
	require.Nil(t, moved.Error, "it costs nothing, so nobody is asked")
	require.Len(t, f.Paid(), 3)
	f.CheckError = nil
	_, err = l.Takes.Revise(t.Context(), g.ID, "Two.[pause 1s]One.[pause 1s]New.", new(int64(9)))
	require.NoError(t, err)
	require.Nil(t, l.Ended(g.ID).Error)
	require.Equal(t, new(int64(9)), f.Spoken[len(f.Spoken)-1].AcceptCredits)

	require.NoError(t, f.Forget(t.Context(), g.ID)) // as of an earlier version of the program
	for _, do := range []func() error{
		func() error {
			_, err := l.Takes.PlanRevision(t.Context(), g.ID, "Two.[pause 1s]Other.", nil)
			return err
		},
		func() error {
			_, err := l.Takes.Revise(t.Context(), g.ID, "Two.[pause 1s]Other.", nil)
			return err
		},
	} {
		err := do()
		backendtest.RequireCode(t, backend.CodeNotInProgress, err)
		require.Contains(t, err.Error(), "not on this machine")
	}
	_, after := l.Revised(g.ID, "All of it is new.")
	require.Nil(t, after.Error)

	s, err := l.Scripts.Script(t.Context(), scripts.Request{Turns: []generations.Request{l.HostedRequest(studiotest.Ann, "Hello."), l.HostedRequest(studiotest.Bob, "Hi.")}})
	require.NoError(t, err)
	_, err = l.Takes.Revise(t.Context(), s.Turns[0].ID, "Hello again.", nil)
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
}

// TestHostedReviseOfALongText keeps the parts into which the limit of the service cut it.
func TestHostedReviseOfALongText(t *testing.T) {
	l, f := studiotest.NewWithHosted(t)
	f.MaxCharacters = 100
	var sentences []string
	for i := range 12 {
		sentences = append(sentences, "This is the "+studiotest.Word(i)+" sentence of it.")
	}
	g := l.Speak(l.HostedRequest(studiotest.Ann, strings.Join(sentences, " ")))
	require.Greater(t, len(g.Chunks), 3)
	before := len(f.Paid())
	counts, after := l.Revised(g.ID, "A new sentence comes first. "+strings.Join(sentences, " "))
	require.Nil(t, after.Error)
	require.Equal(t, []int{len(g.Chunks), 1, 0}, []int{counts.Reused, counts.Generated, counts.Removed})
	require.Equal(t, []string{"A new sentence comes first."}, f.Paid()[before:])
}

// TestStorageCountsHostedParts, as they stay beside the file.
func TestStorageCountsHostedParts(t *testing.T) {
	l, _ := paidLab(t)
	g := l.Speak(l.HostedRequest(hostedtest.VoiceID(0), studiotest.ThreeParts))
	parts, err := os.ReadDir(filepath.Join(l.Dir, "hosted", g.ID))
	require.NoError(t, err)
	require.Len(t, parts, 3)
	storage, err := l.Generations.Archive.Storage(t.Context())
	require.NoError(t, err)
	require.Equal(t, 4, storage.Files)
}
