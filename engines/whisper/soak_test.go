//go:build whisper && soak

package whisper

import "testing"

func TestSoakRunsLeaveNothingBehind(t *testing.T) { checkLeaks(t, 100, 1000) }
