package query_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/query"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]query.Fault{
		"": 0, "a=": 0, "a": 0, "a=1": 0, "b=%zz&b=2": 0, "%61=1": 0, "a=1;b": 0,
		"a=1&a=2": query.Repeated, "a=&a=1": query.Repeated, "a&a": query.Repeated, "a=1&%61=1": query.Repeated,
		"a=%zz": query.Malformed, "a=%": query.Malformed, "a=%ff": query.Malformed, "a=%00": query.Malformed,
		"a=1&a=%zz": query.Malformed, "a=%zz&a=1": query.Malformed,
		strings.Repeat("b=&", 10_001) + "a=%zz": query.Malformed,
	} {
		require.Equal(t, want, query.Faults(raw)["a"], raw)
	}
}

// TestEncodedValuesHaveNoFault: what net/url writes is never refused, unless a text is none.
func TestEncodedValuesHaveNoFault(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		values := url.Values{}
		for name, value := range rapid.MapOf(rapid.String(), rapid.String()).Draw(t, "values") {
			values.Set(name, value)
		}
		faults := query.Faults(values.Encode())
		for name := range values {
			want := query.Fault(0)
			if !query.IsText(values.Get(name)) {
				want = query.Malformed
			}
			if faults[name] != want {
				t.Fatalf("%q: %v", name, faults[name])
			}
		}
	})
}
