package turnstest_test

import (
	"testing"

	"github.com/voicewright/voicewright/backend/service/turns/turnstest"
)

func TestStore(t *testing.T) {
	turnstest.Run(t, func(*testing.T) turnstest.Processes {
		s := turnstest.New("a", "b")
		return turnstest.Processes{A: s, B: s, Kill: s.Kill}
	})
}
