package app

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBrowserCommand(t *testing.T) {
	t.Parallel()
	const address = "https://issuer.example/authorize?a=b&c=d"
	for _, c := range []struct {
		system, variable string
		want             []string
	}{
		{"linux", "DISPLAY", []string{"xdg-open", address}},
		{"linux", "WAYLAND_DISPLAY", []string{"xdg-open", address}},
		{"linux", "", nil},
		{"darwin", "", []string{"open", address}},
		{"windows", "", []string{"rundll32", "url.dll,FileProtocolHandler", address}},
	} {
		got, ok := browserCommand(c.system, address, func(name string) string {
			if name == c.variable {
				return ":0"
			}
			return ""
		})
		require.Equal(t, c.want != nil, ok, c)
		if ok {
			require.Equal(t, c.want, got)
		}
	}
}
