package generations_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestRetentionThatIsMadeShorter removes what became too old at once, and says how many.
func TestRetentionThatIsMadeShorter(t *testing.T) {
	var keep atomic.Int64
	keep.Store(-1)
	expired := make(chan int, 10)
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
		l.Options.Retention = func() time.Duration { return time.Duration(keep.Load()) }
		l.Options.Expired = func(n int) { expired <- n }
	})
	l.Now.Store(new(time.Now().Add(-2 * time.Hour)))
	old := l.Speak(l.Request("Hello."))
	l.Now.Store(nil)
	ctx, stop := context.WithCancel(t.Context())
	changed, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- l.Generations.Archive.Retain(ctx, changed) }()
	changed <- struct{}{} // another setting
	changed <- struct{}{}
	l.Stored(old.ID)
	keep.Store(int64(time.Hour))
	changed <- struct{}{}
	require.Equal(t, 1, <-expired)
	stop()
	require.NoError(t, <-ended)
	require.NoFileExists(t, old.AudioPath)
}

// TestRetentionKeepsBooks keeps the sound of audiobooks, whatever its age, and removes what is between.
func TestRetentionKeepsBooks(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
		l.Options.Retention = func() time.Duration { return time.Hour }
	})
	l.Now.Store(new(time.Now().Add(-2 * time.Hour)))
	chapter, other := l.Speak(l.Request("Chapter one.")), l.Speak(l.Request("Something else."))
	l.Now.Store(nil)
	b, err := l.DB.CreateBook(t.Context(), backend.Book{BookDetails: backend.BookDetails{Title: "The Book"}}, nil)
	require.NoError(t, err)
	require.NoError(t, l.DB.AddBookGeneration(t.Context(), b.ID, chapter.ID))
	retained(l)
	require.FileExists(t, chapter.AudioPath)
	require.NoFileExists(t, other.AudioPath)
	storage, err := l.Generations.Archive.Storage(t.Context())
	require.NoError(t, err)
	require.Equal(t, storage.Use, storage.Books, "there is nothing else")
	require.Positive(t, storage.Books.Bytes)
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
func retained(l *studiotest.Lab) {
	l.T.Helper()
	ctx, stop := context.WithCancel(l.T.Context())
	changed, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- l.Generations.Archive.Retain(ctx, changed) }()
	changed <- struct{}{} // read when the first look has ended
	stop()
	require.NoError(l.T, <-ended)
}

// TestRetentionThatIsTakenBack stops the removing where it is: before the first row, and between two parts of a long history.
func TestRetentionThatIsTakenBack(t *testing.T) {
	for name, longer := range map[string]time.Duration{"for ever": -1, "for longer": 24 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			var keep atomic.Int64
			keep.Store(int64(time.Hour))
			takeBack := func() { keep.Store(int64(longer)) }
			found, expired := takeBack, func(int) {}
			l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
				l.Options.Retention = func() time.Duration { return time.Duration(keep.Load()) }
				l.Options.Store = aging{l.DB, func() { found() }}
				l.Options.Expired = func(n int) { expired(n) }
			})
			l.Now.Store(new(time.Now().Add(-2 * time.Hour)))
			old := l.Speak(l.Request("Hello."))
			l.Now.Store(nil)
			retained(l)
			require.FileExists(t, old.AudioPath)

			row := l.Stored(old.ID)
			for range backend.MaxPageLimit + 9 {
				row.ID, row.AudioPath = uuid.NewString(), ""
				_, err := l.DB.CreateGeneration(t.Context(), row)
				require.NoError(t, err)
			}
			keep.Store(int64(time.Hour))
			found, expired = func() {}, func(int) { takeBack() }
			retained(l)
			list, err := l.DB.Generations(t.Context(), backend.GenerationFilter{})
			require.NoError(t, err)
			require.Equal(t, 10, list.Total, "what was not removed yet stays")
		})
	}
}

// TestRetentionLeavesANewFavourite keeps what the user marks while the old history is being removed.
func TestRetentionLeavesANewFavourite(t *testing.T) {
	found := func() {}
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
		l.Options.Retention = func() time.Duration { return time.Hour }
		l.Options.Store = aging{l.DB, func() { found() }}
	})
	l.Now.Store(new(time.Now().Add(-2 * time.Hour)))
	loved, other := l.Speak(l.Request("Hello.")), l.Speak(l.Request("Goodbye."))
	l.Now.Store(nil)
	found = sync.OnceFunc(func() {
		_, err := l.DB.PatchGeneration(t.Context(), loved.ID, backend.GenerationPatch{Favorite: new(true)})
		require.NoError(t, err)
	})
	retained(l)
	l.Stored(loved.ID)
	require.FileExists(t, loved.AudioPath)
	require.NoFileExists(t, other.AudioPath)
}

// TestRetentionLeavesWhatIsWorkedOn does not end the new take of an old generation, also one asked for at the last moment.
func TestRetentionLeavesWhatIsWorkedOn(t *testing.T) {
	for name, late := range map[string]bool{"before": false, "meanwhile": true} {
		t.Run(name, func(t *testing.T) {
			f, found := enginetest.NewFixture(enginetest.FixtureOptions{}), func() {}
			var slow engines.Speaker
			speak := func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
				if slow != nil {
					return slow.Speak(ctx, u, emit)
				}
				return f.Speak(ctx, u, emit)
			}
			l := studiotest.New(t, studiotest.Engine{Fixture: f, SpeakFunc: speak}, func(l *studiotest.Lab) {
				l.Options.Retention = func() time.Duration { return time.Hour }
				l.Options.Store = aging{l.DB, func() { found() }}
			})
			l.Now.Store(new(time.Now().Add(-2 * time.Hour)))
			old := l.Speak(l.Request("Hello."))
			l.Now.Store(nil)
			gate, entered, open := studiotest.Gated()
			slow = gate
			made := make(chan error, 1)
			begin := func() {
				go func() {
					_, err := l.Takes.RegenerateChunk(t.Context(), old.ID, 0, nil, true)
					made <- err
				}()
				<-entered
			}
			if late {
				found = sync.OnceFunc(begin)
			} else {
				begin()
			}
			retained(l)
			open()
			require.NoError(t, <-made)
			require.Equal(t, 2, l.Stored(old.ID).Chunks[0].Takes)
		})
	}
}
