package service_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

func TestFoldEmail(t *testing.T) {
	for email, want := range map[string]string{
		"ann@example.org":                    "ann@example.org",
		" Ann@Example.ORG\n":                 "ann@example.org",
		"ann+tts@example.org":                "ann+tts@example.org",
		"MÜLLER@Bücher.example":              "müller@xn--bcher-kva.example",
		"mu\u0308ller@XN--BCHER-KVA.example": "müller@xn--bcher-kva.example",
		"ann@example.org.":                   "ann@example.org",
		"ann@localhost":                      "ann@localhost",
		"ann@ex\u0430mple.org":               "ann@xn--exmple-4nf.org",
		"安@例子.测试":                            "安@xn--fsqu00a.xn--0zwm56d",
	} {
		folded, ok := service.FoldEmail(email)
		require.True(t, ok, email)
		require.Equal(t, want, folded)
	}
	for _, wrong := range []string{
		"", "ann", "@example.org", "ann@", "ann@example.org@evil.example", "ann@evil.example,bob@example.org", "Ann <ann@example.org>",
		"a nn@example.org", "ann@example..org", "ann@.org", "ann@*.example.org", "ann@exa mple.org", "a\x1bnn@example.org", "\xff@example.org",
		"\u212aate@example.org", "Adm\u0130n@example.org", // in lower case they would be another's mailbox
		strings.Repeat("a", 400) + "@example.org",
	} {
		folded, ok := service.FoldEmail(wrong)
		assert.False(t, ok, "%q is %q", wrong, folded)
	}
}
