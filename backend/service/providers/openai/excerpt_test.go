package openai

import (
	"encoding/json"
	"html"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
)

// A server may repeat the text in any way of writing it; what it says beside stays.
func TestExcerptHasNothingOfTheText(t *testing.T) {
	const text = "Dear all,\nMargaret has cancer.\tBanking password: Zoë\\Über-42/x\r\nCafé 你好世界 𠮷野家 Иванов"
	quoted, err := json.Marshal(text)
	require.NoError(t, err)
	twice, err := json.Marshal(string(quoted))
	require.NoError(t, err)
	wide := strings.Map(func(r rune) rune {
		if r > ' ' && r <= '~' {
			return r + 0xfee0
		}
		return r
	}, text)
	for name, body := range map[string]string{
		"as it is": text, "JSON": string(quoted), "JSON in JSON": string(twice), "ASCII": strconv.QuoteToASCII(text),
		"capitals": strings.ToUpper(text), "decomposed": norm.NFD.String(text), "decomposed JSON": norm.NFD.String(string(quoted)),
		"HTML": html.EscapeString(strings.ReplaceAll(text, "\n", "<br>")), "address": url.QueryEscape(text), "path": url.PathEscape(text),
		"wide": wide, "joined": strings.Join(strings.Fields(text), "_"), "surrogates": `\n\ud842\udfb7\u91ce\u5bb6\tBanking`,
	} {
		said := strings.ToLower(norm.NFKC.String(excerpt("value rejected: "+body, text)))
		require.Contains(t, said, "value rejected", name)
		for _, word := range []string{"margar", "cancer", "cance", "bank", "passw", "über", "café", "caf", "你好", "世界", "野家", "иван"} {
			require.NotContains(t, said, word, name)
		}
	}
}
