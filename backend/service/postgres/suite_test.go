//go:build postgres

package postgres_test

import (
	"testing"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/postgres"
	"github.com/voicewright/voicewright/backend/service/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, postgres.DeadAfter, func(t *testing.T, clock *storetest.Clock) service.Store {
		url := empty(t)
		set, _ := testClock(t, url)
		clock.Follow(set)
		return openWith(t, postgres.Options{URL: url})
	})
}

func TestSharedStore(t *testing.T) {
	storetest.RunShared(t, postgres.DeadAfter, func(t *testing.T, clock *storetest.Clock) (a, b service.Store) {
		o := postgres.Options{URL: empty(t)}
		set, _ := testClock(t, o.URL)
		clock.Follow(set)
		return openWith(t, o), openWith(t, o)
	})
}
