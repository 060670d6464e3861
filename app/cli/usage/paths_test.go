package usage

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNamesOfOutputs refuses on Windows what it gives to devices, changes or cannot have; elsewhere these are names.
func TestNamesOfOutputs(t *testing.T) {
	t.Parallel()
	refused := map[string]string{
		"CON": "device", "con.wav": "device", "Aux.tar.wav": "device", `C:\out\NUL.wav`: "device", "out/com1.wav": "device",
		"lpt9": "device", "prn .wav": "device", "C:aux.wav": "device", "COM¹.mp3": "device",
		"a.wav.": "dot or blank", "a.wav ": "dot or blank", "a. .": "dot or blank", "...a...": "dot or blank",
		"a?.wav": "characters", "a:b.wav": "characters", `out\a*b.wav`: "characters", "<a>.wav": "characters", "a|b.wav": "characters",
	}
	for out, words := range refused {
		err := checkName("windows", out)
		require.ErrorContains(t, err, words, out)
		require.NoError(t, checkName("linux", out), out)
	}
	for _, out := range []string{
		"a.wav", "conny.wav", "aux-1.wav", "com.wav", ".", "..", "out/", `C:\out\a.wav`, `C:\`, "Grüße 🎙.wav", ".hidden.wav", "a b (1).wav", "com10.wav",
	} {
		require.NoError(t, checkName("windows", out), out)
	}
}
