package sqlite_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

func TestHostedParts(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), open(t)
	g, err := db.CreateGeneration(ctx, backend.Generation{Text: "Paid."})
	require.NoError(t, err)
	quoted, used, left := int64(21), int64(20), int64(9980)

	_, err = db.AddHostedPart(ctx, backend.HostedPart{GenerationID: "unknown"})
	require.Equal(t, backend.CodeGenerationNotFound, backend.CodeOf(err))
	sent, err := db.AddHostedPart(ctx, backend.HostedPart{
		GenerationID: g.ID, N: 3, Kind: backend.HostedKindDialogue, State: backend.HostedSent, Hash: "abc", Characters: 10, Quoted: &quoted,
		Format: "mp3_44100_128", Key: "key", Account: "http://127.0.0.1:9 key svc_sk_abcd", Request: `{"text":"Paid."}`,
	})
	require.NoError(t, err)
	require.NotZero(t, sent.Seq)
	require.False(t, sent.CreatedAt.IsZero())
	again, err := db.AddHostedPart(ctx, backend.HostedPart{GenerationID: g.ID, N: 3, State: backend.HostedSent})
	require.NoError(t, err)

	parts, err := db.HostedPartsIn(ctx, backend.HostedSent)
	require.NoError(t, err)
	require.Equal(t, []backend.HostedPart{sent, again}, parts)

	stored := sent
	stored.Request = ""
	stored.State, stored.Credits, stored.Left, stored.File, stored.SHA256 = backend.HostedStored, &used, &left, "a.mp3", "def"
	stored, err = db.UpdateHostedPart(ctx, stored)
	require.NoError(t, err)
	parts, err = db.HostedParts(ctx, g.ID)
	require.NoError(t, err)
	require.Equal(t, []backend.HostedPart{stored, again}, parts)
	parts, err = db.HostedPartsIn(ctx, backend.HostedSent, backend.HostedAnswered)
	require.NoError(t, err)
	require.Equal(t, []backend.HostedPart{again}, parts)

	other, err := db.CreateGeneration(ctx, backend.Generation{Text: "Kept."})
	require.NoError(t, err)
	kept, err := db.AddHostedPart(ctx, backend.HostedPart{GenerationID: other.ID, State: backend.HostedSent})
	require.NoError(t, err)
	_, err = db.DeleteGenerations(ctx, []string{g.ID})
	require.NoError(t, err)
	_, err = db.UpdateHostedPart(ctx, stored)
	require.Equal(t, backend.CodeGenerationNotFound, backend.CodeOf(err))
	parts, err = db.HostedPartsIn(ctx, backend.HostedSent, backend.HostedStored)
	require.NoError(t, err)
	require.Equal(t, []backend.HostedPart{kept}, parts, "the calls of a deleted generation are forgotten")
	require.NoError(t, db.DeleteHostedParts(ctx, other.ID))
	parts, err = db.HostedParts(ctx, other.ID)
	require.NoError(t, err)
	require.Empty(t, parts)
}
