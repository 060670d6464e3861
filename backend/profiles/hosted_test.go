package profiles_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/profiles"
)

func TestHostedProfile(t *testing.T) {
	l := newFixture(t)
	_, err := l.service.Create(t.Context(), profiles.Draft{Name: "Ann", ProfilePatch: backend.ProfilePatch{VoiceType: new(backend.VoiceHosted)}})
	var invalid *backend.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, []string{"body", "hosted_voice_id"}, invalid.Fields[0].Loc)
	p, err := l.service.Create(t.Context(), profiles.Draft{
		Name: "Ann", ProfilePatch: backend.ProfilePatch{VoiceType: new(backend.VoiceHosted), HostedVoiceID: new("v")},
	})
	require.NoError(t, err)
	list := []backend.Profile{p}
	l.service.Describe(list)
	require.False(t, list[0].Usable)
	require.NotEmpty(t, list[0].Reason)
	l.hosted = true
	list = []backend.Profile{p}
	l.service.Describe(list)
	require.True(t, list[0].Usable)
	var file bytes.Buffer
	err = l.service.Export(t.Context(), p.ID, &file)
	require.NoError(t, err)
	copied, err := l.importFile(t.Context(), file.Bytes())
	require.NoError(t, err)
	require.Equal(t, "v", copied.HostedVoiceID)
	require.Equal(t, backend.VoiceHosted, copied.VoiceType)
}

// TestHostedModel: the service's list decides about the model of a hosted profile when it is made, changed and imported, and not
// when something else of it changes.
func TestHostedModel(t *testing.T) {
	l := newFixture(t)
	unlisted := backend.E(backend.CodeHostedModelUnknown, "There is none.", "Choose another one.")
	var asked []string
	refused := ""
	o := l.options()
	o.HostedVoice = func(_ context.Context, voice, model string) (string, string, error) {
		asked = append(asked, voice+" "+model)
		if model == refused {
			return "", "", unlisted
		}
		return strings.ToLower(voice), strings.TrimSuffix(model, "-of-another"), nil
	}
	l.service = profiles.New(o)
	hosted := func(voice, model string) backend.ProfilePatch {
		return backend.ProfilePatch{VoiceType: new(backend.VoiceHosted), HostedVoiceID: &voice, HostedModelID: &model}
	}
	refused = "no"
	_, err := l.service.Create(t.Context(), profiles.Draft{Name: "Ann", ProfilePatch: hosted("V", "no")})
	requireCode(t, backend.CodeHostedModelUnknown, err)
	p := l.create(t, profiles.Draft{Name: "Ann", ProfilePatch: hosted("V", "m-of-another")})
	require.Equal(t, []string{"v", "m"}, []string{p.HostedVoiceID, p.HostedModelID})
	local := l.create(t, profiles.Draft{Name: "Local"})
	require.Equal(t, []string{"V no", "V m-of-another"}, asked)

	_, err = l.service.Update(t.Context(), p.ID, backend.ProfilePatch{HostedModelID: new("no")})
	requireCode(t, backend.CodeHostedModelUnknown, err)
	_, err = l.service.Update(t.Context(), local.ID, hosted("V", "no"))
	requireCode(t, backend.CodeHostedModelUnknown, err)
	p, err = l.service.Update(t.Context(), p.ID, backend.ProfilePatch{HostedVoiceID: new("W"), HostedModelID: new("n-of-another")})
	require.NoError(t, err)
	require.Equal(t, []string{"w", "n"}, []string{p.HostedVoiceID, p.HostedModelID})

	refused, asked = "n", nil
	p, err = l.service.Update(t.Context(), p.ID, backend.ProfilePatch{Name: new("Anna"), HostedModelID: new("n")})
	require.NoError(t, err)
	require.Equal(t, "Anna", p.Name)
	require.Empty(t, asked, "the model stays")
	var file bytes.Buffer
	require.NoError(t, l.service.Export(t.Context(), p.ID, &file))
	_, err = l.importFile(t.Context(), file.Bytes())
	requireCode(t, backend.CodeHostedModelUnknown, err)
	refused = ""
	_, err = l.importFile(t.Context(), file.Bytes())
	require.NoError(t, err)
}
