package usage_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/cli/usage"
)

func TestSpeakers(t *testing.T) {
	t.Parallel()
	for flag, want := range map[string]map[string]any{
		"": {"mode": "auto"}, "auto": {"mode": "auto"}, "AUTO": {"mode": "auto"}, "off": {"mode": "off"},
		"1": {"mode": "number", "count": 1}, " 3 ": {"mode": "number", "count": 3}, "+3": {"mode": "number", "count": 3},
		"100": {"mode": "number", "count": 100}, "Channels": {"mode": "channels"},
	} {
		got, err := usage.Speakers(flag)
		require.NoError(t, err, flag)
		require.Equal(t, want, got, flag)
	}
	for _, flag := range []string{"0", "-1", "101", "abc", "2.5", "1e1", `{"mode":"auto","count":3}`, "99999999999999999999"} {
		_, err := usage.Speakers(flag)
		require.ErrorContains(t, err, "must be auto, channels, off or a number from 1 to 100", flag)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for flag, want := range map[string][]string{
		"": nil, "  ": nil, "Anna": {"Anna"}, " Anna , Ben ": {"Anna", "Ben"}, ",Ben": {"", "Ben"}, "Anna,Anna": {"Anna", "Anna"},
		strings.Repeat("ü", 100): {strings.Repeat("ü", 100)},
	} {
		got, err := usage.Names(flag)
		require.NoError(t, err, flag)
		require.Equal(t, want, got, flag)
	}
	_, err := usage.Names("Anna," + strings.Repeat("ü", 101))
	require.ErrorContains(t, err, "more than 100 characters")
}
