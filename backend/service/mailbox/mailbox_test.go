package mailbox_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/mailbox"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for email, want := range map[string]string{
		"ann@example.org":                    "ann@example.org",
		" Ann@Example.ORG\n":                 "ann@example.org",
		"ann+tts@example.org":                "ann+tts@example.org",
		"MÜLLER@Bücher.example":              "müller@xn--bcher-kva.example",
		"mu\u0308ller@XN--BCHER-KVA.example": "müller@xn--bcher-kva.example",
		"ann@example.org.":                   "ann@example.org",
		"ann@localhost":                      "ann@localhost",
		"\u01f0@example.org":                 "\u01f0@example.org",
		"J\u030c@example.org":                "\u01f0@example.org", // there is no capital of it in one rune
		"ann@ex\u0430mple.org":               "ann@xn--exmple-4nf.org",
		"安@例子.测试":                            "安@xn--fsqu00a.xn--0zwm56d",
	} {
		folded, ok := mailbox.Fold(email)
		require.True(t, ok, email)
		require.Equal(t, want, folded)
	}
	for _, wrong := range []string{
		"", "ann", "@example.org", "ann@", "ann@example.org@evil.example", "ann@evil.example,bob@example.org", "Ann <ann@example.org>",
		"a nn@example.org", "ann@example..org", "ann@.org", "ann@*.example.org", "ann@exa mple.org", "a\x1bnn@example.org", "\xff@example.org",
		"\u212aate@example.org", "Adm\u0130n@example.org", "bI\u0307ll@example.org", "B\u212bI\u0307\u0301ll@example.org",
		"\u1fefann@example.org", "ann\u037ebob@example.org", // folded they would be another's mailbox
		strings.Repeat("a", 400) + "@example.org",
	} {
		folded, ok := mailbox.Fold(wrong)
		assert.False(t, ok, "%q is %q", wrong, folded)
	}
}

// No mailbox with a sign beyond ASCII, alone or composed with a letter, is compared as one in ASCII, and folding twice changes nothing.
func TestFoldedStayApart(t *testing.T) {
	t.Parallel()
	check := func(name string) {
		folded, ok := mailbox.Fold(name + "@example.org")
		if !ok {
			return
		}
		again, _ := mailbox.Fold(folded)
		if again != folded || !strings.ContainsFunc(folded, func(r rune) bool { return r >= utf8.RuneSelf }) {
			t.Errorf("%q is %q, and %q when it is folded again", name, folded, again)
		}
	}
	for r := rune(utf8.RuneSelf); r <= 0x1ffff; r++ {
		if !unicode.IsSpace(r) && utf8.ValidRune(r) {
			check("a" + string(r) + "a")
		}
	}
	for letter := rune('A'); letter <= 'z'; letter++ {
		for mark := rune(0x300); mark < 0x370; mark++ {
			check("a" + string(letter) + string(mark) + "a")
			check("a" + string(letter) + "\u0323" + string(mark) + "a")
		}
	}
}
