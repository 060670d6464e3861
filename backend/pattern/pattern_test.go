package pattern_test

import (
	"regexp"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/pattern"
)

func TestPatternIsTheExpressionOfRegexp(t *testing.T) {
	t.Parallel()
	const expression, text, n = `(\w)(\d+)`, "a12 b3, c, d456", -1
	p, want := pattern.New(expression), regexp.MustCompile(expression)
	require.Equal(t, want.MatchString(text), p.MatchString(text))
	require.Equal(t, want.FindString(text), p.FindString(text))
	require.Equal(t, want.FindStringSubmatch(text), p.FindStringSubmatch(text))
	require.Equal(t, want.FindSubmatch([]byte(text)), p.FindSubmatch([]byte(text)))
	require.Equal(t, want.FindAllStringIndex(text, n), p.FindAllStringIndex(text, n))
	require.Equal(t, want.FindAllStringSubmatch(text, n), p.FindAllStringSubmatch(text, n))
	require.Equal(t, want.FindAllStringSubmatchIndex(text, n), p.FindAllStringSubmatchIndex(text, n))
	require.Equal(t, want.ReplaceAllString(text, "$2$1"), p.ReplaceAllString(text, "$2$1"))
	require.Equal(t, want.ReplaceAllLiteralString(text, "$1"), p.ReplaceAllLiteralString(text, "$1"))
	shout := func(s string) string { return s + "!" }
	require.Equal(t, want.ReplaceAllStringFunc(text, shout), p.ReplaceAllStringFunc(text, shout))
	require.Equal(t, want.Split(text, n), p.Split(text, n))
}

func TestPatternIsCompiledOnceForAll(t *testing.T) {
	t.Parallel()
	p := pattern.New(`^x+$`)
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			if !p.MatchString("xx") || p.MatchString("y") {
				t.Error("another expression")
			}
		})
	}
	callers.Wait()
	require.Panics(t, func() { pattern.New(`(`).MatchString("") })
}
