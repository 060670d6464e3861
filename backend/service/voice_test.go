package service_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

func TestVoiceIDIsStable(t *testing.T) {
	t.Parallel()
	id := service.VoiceID(service.ProviderC, "en-gb")
	require.Equal(t, "7ed1b07c-4afb-5d80-89ab-09aadc3c8dc5", id)
	require.NotEqual(t, id, service.VoiceID(service.ProviderB, "en-gb"))
}
