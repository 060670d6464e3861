package service_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// dialogue returns a request in which a voice speaks texts.
func dialogue(v service.Voice, texts ...string) service.DialogueRequest {
	q := service.DialogueRequest{TTSModel: service.ModelV3}
	for _, text := range texts {
		q.Turns = append(q.Turns, service.DialogueTurn{Voice: v.ID, Text: text})
	}
	return q
}

func TestSynthesizeDialogue(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	byKey, _ := k.withKey(caller)
	q := dialogue(anna, "a", "b")
	q.Turns = append(q.Turns, service.DialogueTurn{Voice: alan.ID, Text: "[sighs] c"})
	q.Stability, q.Title = ptr(0.9), ptr("Talk")
	r, err := k.SynthesizeDialogue(t.Context(), byKey, q)
	require.NoError(t, err)
	assert.Equal(t, int64(100_000-21), r.RemainingCredits, "11 x 2.1 x 0.9 = 20.79, rounded once")
	assert.True(t, r.ProjectCreated)
	assert.Equal(t, []service.Speech{{
		Turns:    []service.Turn{{Voice: anna, Text: "a"}, {Voice: anna, Text: "b"}, {Voice: alan, Text: "[sighs] c"}},
		Settings: service.VoiceSettings{Speed: 1, Stability: 0.9, SimilarityBoost: 0.75, SpeakerBoost: true}, Priority: true,
	}}, k.a.speeches(), "the whole dialogue is one call of the provider")
	usage, _, err := k.Usage(t.Context(), caller, "", 1)
	require.NoError(t, err)
	assert.Equal(t, []any{"dialogue", service.ModelV3, "Talk", 11}, []any{usage[0].Kind, usage[0].Model, usage[0].Title, usage[0].Characters})
}

func TestSynthesizeDialogueRefusesWrongRequests(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	many := make([]string, service.MaxTurns+1)
	for i := range many {
		many[i] = "x"
	}
	with := func(q service.DialogueRequest, change func(*service.DialogueRequest)) service.DialogueRequest {
		change(&q)
		return q
	}
	for name, c := range map[string]struct {
		q    service.DialogueRequest
		code service.Code
		want string
	}{
		"no turns":       {dialogue(anna), "", `"turns" must have 1 to 100`},
		"101 turns":      {dialogue(anna, many...), "", "not 101"},
		"empty turn":     {dialogue(anna, "a", " "), "", `"turns[1].text"`},
		"no voice":       {with(dialogue(anna, "a"), func(q *service.DialogueRequest) { q.Turns[0].Voice = "" }), "", `"turns[0].voice"`},
		"unknown voice":  {with(dialogue(anna, "a", "b"), func(q *service.DialogueRequest) { q.Turns[1].Voice = uuid.NewString() }), "", `"turns[1].voice" names no active voice`},
		"voice of C":     {dialogue(carla, "a"), "", "Dialogues take voices of ProviderA only"},
		"voice of B":     {dialogue(bella, "a"), "", "a voice of ProviderB"},
		"no model":       {with(dialogue(anna, "a"), func(q *service.DialogueRequest) { q.TTSModel = "" }), "", `"ttsModel" is missing`},
		"unknown model":  {with(dialogue(anna, "a"), func(q *service.DialogueRequest) { q.TTSModel = "x" }), "", `"ttsModel" names no model`},
		"not v3":         {with(dialogue(anna, "a"), func(q *service.DialogueRequest) { q.TTSModel = "providerA-flash-v2-5" }), "", "must be providerA-v3"},
		"stability":      {with(dialogue(anna, "a"), func(q *service.DialogueRequest) { q.Stability = ptr(1.5) }), "", `"stability"`},
		"format":         {with(dialogue(anna, "a"), func(q *service.DialogueRequest) { q.ResponseFormat = ptr(service.Format("ogg")) }), "", `"response_format"`},
		"5001 in total":  {dialogue(anna, strings.Repeat("ä", 2500), strings.Repeat("ö", 2501)), service.CodeTextTooLong, "5001 characters"},
		"5001 in a turn": {dialogue(anna, strings.Repeat("ä", 5001)), service.CodeTextTooLong, "5001 characters"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := k.SynthesizeDialogue(t.Context(), caller, c.q)
			fails(t, err, 400, c.code)
			assert.ErrorContains(t, err, c.want)
		})
	}
	_, err := k.SynthesizeDialogue(t.Context(), k.free("free"), dialogue(anna, "a"))
	fails(t, err, 403, service.CodePaidAccess)
	assert.Empty(t, k.a.speeches())

	_, err = k.SynthesizeDialogue(t.Context(), caller, dialogue(anna, strings.Repeat("ä", 2500), strings.Repeat("ö", 2500)))
	require.NoError(t, err, "5,000 characters")
	_, err = k.SynthesizeDialogue(t.Context(), caller, dialogue(anna, many[1:]...))
	require.NoError(t, err, "100 turns")
	_, err = k.SynthesizeDialogue(t.Context(), caller, with(dialogue(anna, "a"), func(q *service.DialogueRequest) { q.TTSModel = "providerC-neural2" }))
	require.NoError(t, err, "a model of another provider is ignored")
}

// A lower limit of the model counts for dialogues, a higher one does not.
func TestDialogueLimit(t *testing.T) {
	t.Parallel()
	for limit, allowed := range map[int]int{100: 100, 9000: 5000} {
		k := newKit(t, func(c *service.Config) { c.Prices.Limits = map[string]int{service.ModelV3: limit} })
		caller := k.pro()
		_, err := k.SynthesizeDialogue(t.Context(), caller, dialogue(anna, strings.Repeat("a", allowed)))
		require.NoError(t, err)
		_, err = k.SynthesizeDialogue(t.Context(), caller, dialogue(anna, strings.Repeat("a", allowed+1)))
		fails(t, err, 400, service.CodeTextTooLong)
	}
}
