package speech_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestRetentionThatIsMadeShorter removes what became too old at once, and says how many.
func TestRetentionThatIsMadeShorter(t *testing.T) {
	var keep atomic.Int64
	keep.Store(-1)
	expired := make(chan int, 10)
	l := newLab(t, fixture(enginetest.FixtureOptions{}), func(l *lab) {
		l.options.Retention = func() time.Duration { return time.Duration(keep.Load()) }
		l.options.Expired = func(n int) { expired <- n }
	})
	l.now.Store(new(time.Now().Add(-2 * time.Hour)))
	old := l.speak(l.request("Hello."))
	l.now.Store(nil)
	ctx, stop := context.WithCancel(t.Context())
	changed, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- l.service.Generations.Retain(ctx, changed) }()
	changed <- struct{}{} // another setting
	changed <- struct{}{}
	l.stored(old.ID)
	keep.Store(int64(time.Hour))
	changed <- struct{}{}
	require.Equal(t, 1, <-expired)
	stop()
	require.NoError(t, <-ended)
	require.NoFileExists(t, old.AudioPath)
}

// aging is a store where something happens after old history was looked for and before it is removed.
type aging struct {
	*sqlite.DB
	Measured func()
}

func (a aging) Generations(ctx context.Context, f backend.GenerationFilter) (backend.List[backend.GenerationHit], error) {
	list, err := a.DB.Generations(ctx, f)
	a.Measured()
	return list, err
}

// retained runs the retention of a lab once, to its end.
func (l *lab) retained() {
	l.t.Helper()
	ctx, stop := context.WithCancel(l.t.Context())
	changed, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- l.service.Generations.Retain(ctx, changed) }()
	changed <- struct{}{} // read when the first look has ended
	stop()
	require.NoError(l.t, <-ended)
}

// TestRetentionThatIsTakenBack stops the removing where it is: before the first row, and between two parts of a long history.
func TestRetentionThatIsTakenBack(t *testing.T) {
	for name, longer := range map[string]time.Duration{"for ever": -1, "for longer": 24 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			var keep atomic.Int64
			keep.Store(int64(time.Hour))
			takeBack := func() { keep.Store(int64(longer)) }
			found, expired := takeBack, func(int) {}
			l := newLab(t, fixture(enginetest.FixtureOptions{}), func(l *lab) {
				l.options.Retention = func() time.Duration { return time.Duration(keep.Load()) }
				l.options.Store = aging{l.db, func() { found() }}
				l.options.Expired = func(n int) { expired(n) }
			})
			l.now.Store(new(time.Now().Add(-2 * time.Hour)))
			old := l.speak(l.request("Hello."))
			l.now.Store(nil)
			l.retained()
			require.FileExists(t, old.AudioPath)

			row := l.stored(old.ID)
			for range backend.MaxPageLimit + 9 {
				row.ID, row.AudioPath = uuid.NewString(), ""
				_, err := l.db.CreateGeneration(t.Context(), row)
				require.NoError(t, err)
			}
			keep.Store(int64(time.Hour))
			found, expired = func() {}, func(int) { takeBack() }
			l.retained()
			list, err := l.db.Generations(t.Context(), backend.GenerationFilter{})
			require.NoError(t, err)
			require.Equal(t, 10, list.Total, "what was not removed yet stays")
		})
	}
}

// TestRetentionLeavesANewFavourite keeps what the user marks while the old history is being removed.
func TestRetentionLeavesANewFavourite(t *testing.T) {
	found := func() {}
	l := newLab(t, fixture(enginetest.FixtureOptions{}), func(l *lab) {
		l.options.Retention = func() time.Duration { return time.Hour }
		l.options.Store = aging{l.db, func() { found() }}
	})
	l.now.Store(new(time.Now().Add(-2 * time.Hour)))
	loved, other := l.speak(l.request("Hello.")), l.speak(l.request("Goodbye."))
	l.now.Store(nil)
	found = sync.OnceFunc(func() {
		_, err := l.db.PatchGeneration(t.Context(), loved.ID, backend.GenerationPatch{Favorite: new(true)})
		require.NoError(t, err)
	})
	l.retained()
	l.stored(loved.ID)
	require.FileExists(t, loved.AudioPath)
	require.NoFileExists(t, other.AudioPath)
}

// TestRetentionLeavesWhatIsWorkedOn does not end the new take of an old generation, also one asked for at the last moment.
func TestRetentionLeavesWhatIsWorkedOn(t *testing.T) {
	for name, late := range map[string]bool{"before": false, "meanwhile": true} {
		t.Run(name, func(t *testing.T) {
			f, found := fixture(enginetest.FixtureOptions{}), func() {}
			var slow engines.Speaker
			speak := func(ctx context.Context, u engines.Utterance, emit emitFunc) error {
				if slow != nil {
					return slow.Speak(ctx, u, emit)
				}
				return f.Speak(ctx, u, emit)
			}
			l := newLab(t, hooked{f, speak}, func(l *lab) {
				l.options.Retention = func() time.Duration { return time.Hour }
				l.options.Store = aging{l.db, func() { found() }}
			})
			l.now.Store(new(time.Now().Add(-2 * time.Hour)))
			old := l.speak(l.request("Hello."))
			l.now.Store(nil)
			gate, entered, open := gated()
			slow = gate
			made := make(chan error, 1)
			begin := func() {
				go func() {
					_, err := l.service.Takes.RegenerateChunk(t.Context(), old.ID, 0, nil, true)
					made <- err
				}()
				<-entered
			}
			if late {
				found = sync.OnceFunc(begin)
			} else {
				begin()
			}
			l.retained()
			open()
			require.NoError(t, <-made)
			require.Equal(t, 2, l.stored(old.ID).Chunks[0].Takes)
		})
	}
}
