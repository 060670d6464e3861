package folding_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/folding"
)

func TestKey(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"Zoë": "zoe", "ZOE\u0308": "zoe", "Ångström": "angstrom", "İpek": "ipek", "ﬁne": "fine", "Hòa": "hoa", "東京": "東京", "": "",
	} {
		require.Equal(t, want, folding.Key(s), s)
	}
}
