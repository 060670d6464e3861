package providers_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/providers"
)

var local = providers.Entry{Adapter: "local", Timeout: 10 * time.Minute, Queue: 8}

func TestFile(t *testing.T) {
	t.Setenv("SPEECH_KEY", " from-environment\n")
	for name, tt := range map[string]struct {
		file string
		want providers.File
	}{
		"empty":   {"", providers.File{"ProviderA": local, "ProviderB": local, "ProviderC": local}},
		"comment": {"# nothing yet\n", providers.File{"ProviderA": local, "ProviderB": local, "ProviderC": local}},
		"null":    {"null", providers.File{"ProviderA": local, "ProviderB": local, "ProviderC": local}},
		"one line": {"ProviderA: {adapter: openai, url: http://host/v1, api_key: K, model: M, timeout: 45s, queue: 0}", providers.File{
			"ProviderA": {Adapter: "openai", URL: "http://host/v1", APIKey: "K", Model: "M", Timeout: 45 * time.Second},
			"ProviderB": local, "ProviderC": local,
		}},
		"defaults, environment, voices": {`
ProviderB:
  adapter: openai
  url: https://host:8443/v1?version=2
  api_key_env: SPEECH_KEY
  model: tts
  voices:
    - {name: af_heart, gender: female, language: en-us, category: narrator}
    - name: de1
      gender: male
      language: de
ProviderC: {adapter: local, timeout: 1m, queue: 2}
`, providers.File{
			"ProviderA": local,
			"ProviderB": {
				Adapter: "openai", URL: "https://host:8443/v1?version=2", APIKey: "from-environment", Model: "tts",
				Timeout: 30 * time.Second, Queue: 8, Voices: []service.Voice{
					{Native: "af_heart", Name: "af_heart", Gender: "female", Language: "en", Accent: "United States", Category: "narrator", Provider: "ProviderB"},
					{Native: "de1", Name: "de1", Gender: "male", Language: "de", Category: "conversational", Provider: "ProviderB"},
				},
			},
			"ProviderC": {Adapter: "local", Timeout: time.Minute, Queue: 2},
		}},
		"anchors": {"ProviderA: &x {adapter: openai, url: &u http://h, model: m}\nProviderB: *x\nProviderC: {adapter: openai, url: *u, model: n}", providers.File{
			"ProviderA": {Adapter: "openai", URL: "http://h", Model: "m", Timeout: 30 * time.Second, Queue: 8},
			"ProviderB": {Adapter: "openai", URL: "http://h", Model: "m", Timeout: 30 * time.Second, Queue: 8},
			"ProviderC": {Adapter: "openai", URL: "http://h", Model: "n", Timeout: 30 * time.Second, Queue: 8},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := providers.Parse(strings.NewReader(tt.file))
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

// A mistake is one sentence with its line.
func TestMistakesInTheFile(t *testing.T) {
	const head = "ProviderA:\n  adapter: openai\n  url: http://host/v1\n  model: M\n"
	for name, tt := range map[string]struct{ file, want string }{
		"no YAML":              {"ProviderA: {adapter: local", "providers file: line 1: did not find expected ',' or '}'"},
		"a list":               {"- a", `providers file, line 1: the file must be a list of fields, such as {adapter: local}`},
		"two documents":        {"ProviderA: {adapter: local}\n---\n{}", "providers file: it has more than one YAML document; keep one"},
		"unknown provider":     {"\nProviderD: {adapter: local}", `providers file, line 2: "ProviderD" is no provider; the providers are ProviderA, ProviderB and ProviderC`},
		"provider given twice": {"ProviderA: {adapter: local}\nProviderA: {adapter: local}", `providers file, line 2: "ProviderA" is given twice`},
		"no mapping":           {"ProviderA: openai", `providers file, line 1: ProviderA must be a list of fields, such as {adapter: local}`},
		"empty entry":          {"ProviderA:", `providers file, line 1: ProviderA must be a list of fields, such as {adapter: local}`},
		"no adapter":           {"ProviderA:\n  queue: 3", "providers file, line 2: ProviderA needs an adapter: local or openai"},
		"unknown adapter":      {"ProviderA:\n  adapter: azure", `providers file, line 2: "azure" is no adapter; the adapters are local and openai`},
		"no url":               {"ProviderA:\n  adapter: openai\n  model: M", "providers file, line 2: ProviderA needs a url for the adapter openai"},
		"no model":             {"ProviderA:\n  adapter: openai\n  url: http://host", "providers file, line 2: ProviderA needs a model for the adapter openai"},
		"empty model":          {"ProviderA:\n  adapter: openai\n  url: http://host\n  model:", "providers file, line 4: model must be a text of one line"},
		"unknown field":        {head + "  speed: x", `providers file, line 5: ProviderA has no field "speed"; its fields are adapter, url, api_key, api_key_env, model, timeout, queue and voices`},
		"field given twice":    {head + "  model: x", `providers file, line 5: "model" is given twice`},
		"url without scheme":   {"ProviderA:\n  url: host/v1", "providers file, line 2: url must be like https://host/v1, without a name or password"},
		"url with a password":  {"ProviderA:\n  url: https://me:pw@host/v1", "providers file, line 2: url must be like https://host/v1, without a name or password"},
		"url is a list":        {"ProviderA:\n  url: [a]", "providers file, line 2: url must be a text of one line"},
		"duration":             {head + "  timeout: 30", "providers file, line 5: timeout must be a duration up to 1h, such as 30s"},
		"duration of 0":        {head + "  timeout: 0s", "providers file, line 5: timeout must be a duration up to 1h, such as 30s"},
		"queue below 0":        {head + "  queue: -1", "providers file, line 5: queue must be a whole number from 0 to 10000"},
		"queue of a half":      {head + "  queue: 1.5", "providers file, line 5: queue must be a whole number from 0 to 10000"},
		"two keys":             {head + "  api_key: a\n  api_key_env: PATH", "providers file, line 6: ProviderA has both api_key and api_key_env; keep one of them"},
		"no such variable":     {head + "  api_key_env: NOT_SET_IN_ANY_TEST", "providers file, line 5: api_key_env names the environment variable NOT_SET_IN_ANY_TEST, which is not set"},
		"key with a line end":  {head + "  api_key: \"a\\nb\"", "providers file, line 5: api_key must be a text of one line"},
		"url of local":         {"ProviderA:\n  adapter: local\n  url: http://host", "providers file, line 3: ProviderA is local, which has no url; remove it, or use the adapter openai"},
		"no voices":            {head + "  voices: []", "providers file, line 5: voices must be a list of at least one voice, such as [{name: alloy, gender: female, language: en, category: narrator}]"},
		"voice without name":   {head + "  voices:\n    - {gender: male}", "providers file, line 6: a voice needs a name and a gender (female or male)"},
		"voice of no gender":   {head + "  voices:\n    - {name: x, gender: neutral}", "providers file, line 6: gender must be female or male"},
		"voice of no category": {head + "  voices:\n    - {name: x, gender: male,\n       category: news}", "providers file, line 7: category must be conversational or narrator"},
		"voice of no language": {head + "  voices:\n    - {name: x, gender: male, language: english language}", "providers file, line 6: language must be a language tag, such as en or en-GB"},
		"voice twice":          {head + "  voices:\n    - {name: x, gender: male}\n    - {name: x, gender: male}", `providers file, line 7: the voice "x" is listed twice`},
		"field of a voice":     {head + "  voices:\n    - {name: x, gender: male, id: y}", `providers file, line 6: a voice has no field "id"; its fields are name, gender, language and category`},
		"too large":            {strings.Repeat("# comment\n", 200_000), "providers file: it is larger than 1 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := providers.Parse(strings.NewReader(tt.file))
			require.EqualError(t, err, tt.want)
		})
	}
}

func FuzzFile(f *testing.F) {
	f.Add("ProviderA: {adapter: openai, url: http://host/v1, api_key: K, model: M, timeout: 30s, queue: 8}")
	f.Add("ProviderB: &x\n  adapter: local\nProviderC: *x")
	f.Add("ProviderB: {voices: [{name: x, gender: male, language: en-GB}]}")
	f.Add("a: &a [*a]")
	f.Fuzz(func(t *testing.T, content string) {
		file, err := providers.Parse(strings.NewReader(content))
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "providers file"), err.Error())
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.Len(t, file, 3)
	})
}

// TestLongestCall is the longest wait and the longest call of any provider: a dialogue may take its time for each turn, up to 10 minutes.
func TestLongestCall(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"": 10 * time.Minute,
		"ProviderA: {adapter: openai, url: http://h/v1, model: m, timeout: 3s}\n": 10 * time.Minute, // the others are local
		"ProviderB: {adapter: local, timeout: 1h}\n":                              time.Hour,
		"ProviderA: {adapter: openai, url: http://h/v1, model: m, timeout: 1s}\nProviderB: {adapter: local, timeout: 2s}\n" +
			"ProviderC: {adapter: local, timeout: 3s}\n": 5 * time.Minute,
	} {
		file, err := providers.Parse(strings.NewReader(text))
		require.NoError(t, err)
		require.Equal(t, want+30*time.Second, file.Longest(30*time.Second), text)
	}
}
