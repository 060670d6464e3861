package enhance_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/enhance"
)

var (
	narrator     = &service.Voice{Category: "narrator", Language: "en"}
	conversation = &service.Voice{Category: "conversational", Language: "en"}
	german       = &service.Voice{Category: "conversational", Language: "de"}
	voices       = []*service.Voice{nil, narrator, conversation, german}
)

// tags are those that Enhance inserts, with the space that each brings.
var tags = regexp.MustCompile(`\[(?:angry|chuckles|crying|curious|excited|gasps|happy|hesitates|laughs|nervous|pause|sad|` +
	`sarcastic|shouts|sighs|surprised|whispers)\] `)

func enhanced(t require.TestingT, text string, voice *service.Voice) string {
	got, err := enhance.Enhancer{}.Enhance(context.Background(), text, voice)
	require.NoError(t, err)
	return got
}

// requireOnlyTags fails unless got is text with tags inserted.
func requireOnlyTags(t require.TestingT, text, got string) {
	for i := 0; len(got) > 0 && text != got; {
		switch m := tags.FindString(got); {
		case i < len(text) && got[0] == text[0] && (m == "" || !strings.HasPrefix(got, m) || strings.HasPrefix(text, m)):
			text, got = text[1:], got[1:]
		default:
			require.True(t, m != "" && strings.HasPrefix(got, m), "%.40q is neither a tag nor the text %.40q", got, text)
			got = got[len(m):]
		}
	}
	require.Equal(t, text, got)
}

func TestEnhance(t *testing.T) {
	for name, c := range map[string]struct {
		voice      *service.Voice
		text, want string
	}{
		"empty":                      {nil, "", ""},
		"nothing to say":             {nil, "Turn left at the church.", "Turn left at the church."},
		"verb after":                 {nil, "“Come here,” he whispered.", "“[whispers] Come here,” he whispered."},
		"verb after, inverted":       {nil, "\"Come here,\" whispered the old man.", "\"[whispers] Come here,\" whispered the old man."},
		"verb before":                {nil, "Then she sighed, \"It is late.\"", "Then she sighed, \"[sighs] It is late.\""},
		"sentence before":            {nil, "Tom laughed. “You always say that.”", "Tom laughed. “[laughs] You always say that.”"},
		"adverb":                     {nil, "“Go,” she said angrily.", "“[angry] Go,” she said angrily."},
		"verb of the next quotation": {nil, "“I see.” “Shut the door,” he growled.", "“I see.” “[angry] Shut the door,” he growled."},
		"British quotation marks":    {nil, "‘I don’t know,’ she sobbed.", "‘[crying] I don’t know,’ she sobbed."},
		"a title in quotation marks": {nil, "The film “Laughing Gas” was sold out.", "The film “Laughing Gas” was sold out."},
		"laughter":                   {nil, "That is so silly, hahaha!", "That is so silly, [laughs] hahaha!"},
		"laughter in two words":      {nil, "Ha ha, very good.", "[laughs] Ha ha, very good."},
		"a narrator chuckles":        {narrator, "Ha ha, very good.", "[chuckles] Ha ha, very good."},
		"a narrator does not shout":  {narrator, "“Run!” he shouted.", "“Run!” he shouted."},
		"a narrator pauses":          {narrator, "And then... nothing at all.", "And then... [pause] nothing at all."},
		"hesitation":                 {conversation, "Well... I am not sure.", "[hesitates] Well... I am not sure."},
		"capitals":                   {conversation, "Do NOT touch it!", "[shouts] Do NOT touch it!"},
		"an abbreviation":            {narrator, "She works for NASA!", "She works for NASA!"},
		"question and call":          {german, "Was?! Das geht doch nicht.", "[surprised] Was?! Das geht doch nicht."},
		"English words in German":    {german, "Die Band heißt Wow Furious.", "Die Band heißt Wow Furious."},
		"opening marks":              {&service.Voice{Category: "conversational", Language: "es"}, "¡Qué bonito es esto!", "[excited] ¡Qué bonito es esto!"},
		"emoji":                      {german, "Das glaubt mir niemand 😂", "[laughs] Das glaubt mir niemand 😂"},
		"negated":                    {nil, "I am not angry.", "I am not angry."},
		"felt by another":            {nil, "He was furious.", "He was furious."},
		"felt":                       {nil, "I am furious.", "[angry] I am furious."},
		"after a tag":                {nil, "[sad] Haha, that is funny!", "[sad] Haha, that is funny!"},
		"before a tag":               {nil, "Haha [sad] that is funny!", "Haha [sad] that is funny!"},
		"within brackets":            {nil, "A note [he said: haha! Wow!] and more.", "A note [he said: haha! Wow!] and more."},
		"within nested brackets":     {nil, "A [note [x] haha! Wow!] and more.", "A [note [x] haha! Wow!] and more."},
		"after an open bracket":      {nil, "A list [1, 2. Haha! Wow, we won!", "A list [1, 2. Haha! Wow, we won!"},
		"a pronunciation":            {nil, "[Haha](/hˈɑhɑ/) is a word.", "[Haha](/hˈɑhɑ/) is a word."},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, enhanced(t, c.text, c.voice))
		})
	}
}

// TestGenderDoesNotMatter: only category and language choose tags.
func TestGenderDoesNotMatter(t *testing.T) {
	text := "“Run!” she shouted. Haha, we won!"
	woman, man := *conversation, *conversation
	woman.Gender, man.Gender = "female", "male"
	require.Equal(t, enhanced(t, text, &woman), enhanced(t, text, &man))
}

func TestEnhanceEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := enhance.Enhancer{}.Enhance(ctx, "Haha!", nil)
	require.ErrorIs(t, err, context.Canceled)
}

// pieces are what texts of the property tests are made of, beside any Unicode.
var pieces = []string{
	"Haha", "haha!", "Wow!", "We won!!", "I am furious.", "“Run!” he shouted.", "\"No,\" she whispered,", "‘I don’t,’ he sobbed.",
	"Well...", "Um…", "What?!", "STOP IT NOW!", "What is it?", "[laughs]", "[", "]", "[a [b] c]", "[x](/y/)", "(/", "/)", "(", ")",
	"e\u0301", "\u0301", "👩‍👩‍👧", "\u200d", "❤️", "😂", "🇩🇪", "שלום!", "\u202eabc!\u202c", "مرحبا؟", "你好！", "信じられない！！", "¿Qué?", "¡Sí señor!",
	"\r\n", "\n\n", "\r", "\n", " ", "  ", "\t", "\u00a0", "\x00", "\xff", "\xf0\x9f", "“", "”", "\"", "'", "’", "-", "—", "*", "**Oh no!**",
	"https://example.com/?q=wow!", strings.Repeat("x", 500), strings.Repeat("字", 100), "I can't believe it",
}

func texts() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.Map(rapid.SliceOf(rapid.SampledFrom(pieces)), func(p []string) string { return strings.Join(p, " ") }),
		rapid.Map(rapid.SliceOf(rapid.SampledFrom(pieces)), func(p []string) string { return strings.Join(p, "") }),
		rapid.String(),
	)
}

// requireFaithful checks what holds for every text.
func requireFaithful(t require.TestingT, text string, voice *service.Voice) {
	got := enhanced(t, text, voice)
	requireOnlyTags(t, text, got)
	require.Equal(t, got, enhanced(t, text, voice), "not the same twice")
	require.Equal(t, got, enhanced(t, got, voice), "more tags in the enhanced text")
	for _, b := range regexp.MustCompile(`\[[^\[\]]*\]`).FindAllString(text, -1) {
		require.Contains(t, got, b, "changed brackets")
	}
}

func TestWordsAreUntouched(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		requireFaithful(t, texts().Draw(t, "text"), rapid.SampledFrom(voices).Draw(t, "voice"))
	})
}

func FuzzEnhance(f *testing.F) {
	for _, p := range pieces {
		f.Add("Haha! "+p+" We won! "+p, uint8(0))
	}
	f.Fuzz(func(t *testing.T, text string, voice uint8) {
		requireFaithful(t, text, voices[int(voice)%len(voices)])
	})
}

// TestDensity checks that tags stay rare in a text that would earn one in every sentence.
func TestDensity(t *testing.T) {
	text := strings.Repeat("I am furious! Haha, we won! What do you think? Wow, I can't wait! “No,” he whispered. ", 20)
	words := len(strings.Fields(text))
	for name, c := range map[string]struct {
		voice   *service.Voice
		percent int
	}{"narrator": {narrator, 5}, "conversation": {conversation, 10}, "no voice": {nil, 8}} {
		t.Run(name, func(t *testing.T) {
			n := len(tags.FindAllString(enhanced(t, text, c.voice), -1))
			require.Positive(t, n)
			require.LessOrEqual(t, 100*n, words*c.percent+100)
		})
	}
}

// TestHostileTexts enhances long texts of one piece, which a quadratic rule would not finish.
func TestHostileTexts(t *testing.T) {
	for _, unit := range append(pieces, "[a]", "[a] ", "[a](/", "(/[", "“a!", "‘a,’ he ", "he said: “", "...a", "¿", "a-", "[a]b! ") {
		text := strings.Repeat(unit, 1+10*service.MaxEnhance/len(unit))
		requireOnlyTags(t, text, enhanced(t, text, nil))
	}
}

// BenchmarkEnhance enhances the longest text that the API takes; the goal is 5 ms.
func BenchmarkEnhance(b *testing.B) {
	text := strings.Repeat("“Stay behind me,” she whispered. Well... I am so happy! What do you think? ", 30)[:service.MaxEnhance]
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		enhanced(b, text, conversation)
	}
}
