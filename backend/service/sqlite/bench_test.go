package sqlite_test

import (
	"crypto/sha256"
	"fmt"
	"io"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/folder"
	"github.com/voicewright/voicewright/backend/service/sqlite"
)

const (
	benchAccounts = 5000
	benchCallers  = 64        // calls at once
	secondOfAudio = 24000 * 2 // bytes of one second of pcm_24000
)

// start is the time at which tests and benchmarks begin.
var start = time.UnixMilli(1_790_000_000_000).UTC()

// accounts signs in users with many credits, several at once as sign-ins are synced.
func accounts(b *testing.B, db *sqlite.DB, n int) []service.Account {
	b.Helper()
	list := make([]service.Account, n)
	var next atomic.Int64
	done := make(chan error)
	for range benchCallers {
		go func() {
			for {
				i := int(next.Add(1) - 1)
				if i >= n {
					done <- nil
					return
				}
				var err error
				if list[i], err = db.SignIn(b.Context(), signingIn(fmt.Sprint("user-", i), "", 1<<40)); err != nil {
					done <- err
					return
				}
			}
		}()
	}
	for range benchCallers {
		require.NoError(b, <-done)
	}
	return list
}

// BenchmarkLedger prints the cycles of a synthesis with a provider that takes no time: reserve, write one second of audio,
// settle.
func BenchmarkLedger(b *testing.B) {
	ctx := b.Context()
	dir := b.TempDir()
	var next atomic.Int64
	db := openWith(b, sqlite.Options{
		Path: filepath.Join(dir, "service.db"),
		Now:  func() time.Time { return start.Add(time.Duration(next.Load()) * time.Millisecond) }, // below the limit of calls a minute
	})
	audio, err := folder.Open(filepath.Join(dir, "files"))
	require.NoError(b, err)
	list := accounts(b, db, benchAccounts)
	sound := make([]byte, secondOfAudio)
	b.SetParallelism(benchCallers / 2)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			n := next.Add(1)
			id := fmt.Sprintf("call-%d", n)
			name := id + ".pcm"
			_, err := db.Reserve(ctx, service.Reserve{
				ID: id, Account: list[n%benchAccounts].ID, Instance: "p", Credits: 15, RateLimit: service.CallsPerMinute,
				Kind: "synthesize", Provider: service.ProviderC, Model: "providerC-neural2", Characters: 35,
			})
			if err == nil {
				err = audio.Create(ctx, name, func(w io.Writer) error { _, err := w.Write(sound); return err })
			}
			if err == nil {
				_, err = db.Settle(ctx, id, service.Project{Title: "A title", Voice: "voice"}, service.NewFile{
					Name: name, Format: service.PCM24000, Bytes: secondOfAudio, Seconds: 1,
				})
			}
			if err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "cycles/s")
	b.StopTimer()
	require.NoError(b, db.Check(ctx))
}

// BenchmarkKeyCaller prints the time of the check of an API key, one of ten of its account.
func BenchmarkKeyCaller(b *testing.B) {
	ctx := b.Context()
	db := open(b)
	list := accounts(b, db, 500)
	hash := func(i int) service.KeyHash { return sha256.Sum256(fmt.Append(nil, "svc_sk_", i)) }
	for i := range len(list) * 2 {
		key := service.NewKey{ID: fmt.Sprint("key-", i), Prefix: "svc_sk_abcde", Hash: hash(i)}
		_, err := db.CreateKey(ctx, list[i%len(list)].ID, key, service.MaxActiveKeys)
		require.NoError(b, err)
		_, _, err = db.KeyCaller(ctx, hash(i)) // the first use is written
		require.NoError(b, err)
	}
	b.ResetTimer()
	for i := range b.N {
		if _, _, err := db.KeyCaller(ctx, hash(i%(2*len(list)))); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "us/check")
}
