package service_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
)

// status returns the status of the answer to a link.
func (k *kit) status(name string) int {
	content, _, err := k.OpenFile(k.t.Context(), name)
	if err == nil {
		require.NoError(k.t, content.Close())
	}
	return service.StatusOf(err)
}

// Files expire after 24 hours, whether or not the sweeper ran; their links answer 410 for ever.
func TestFilesExpire(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	r, err := k.Synthesize(t.Context(), k.pro(), request(carla, "Ciao."))
	require.NoError(t, err)
	name := r.File.Name
	k.clock.Pass(24*time.Hour - time.Millisecond)
	k.Sweep(t.Context())
	assert.Equal(t, 200, k.status(name))
	k.clock.Pass(time.Millisecond)
	assert.Equal(t, 410, k.status(name))
	assert.Len(t, k.files(), 1)
	k.Sweep(t.Context())
	assert.Empty(t, k.files())
	assert.Equal(t, 410, k.status(name))
	k.Sweep(t.Context())
	k.clock.Pass(-25 * time.Hour)
	assert.Equal(t, 410, k.status(name), "the clock went back; the file is gone")
}

func TestUnknownFiles(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	long := strings.Repeat("A", 43)
	for _, name := range []string{
		"", ".", "..", "../service.db", "%2e%2e/service.db", long, long + ".mp3", long + ".wav", long[1:] + ".mp3", "A" + long + ".mp3",
		"/" + long[1:] + ".mp3", ".." + long[2:] + ".pcm", long + ".mp3.pcm", long + ".pcm\x00", "preview-" + anna.ID + ".mp3",
	} {
		assert.Equal(t, 404, k.status(name), name)
	}
}

func TestSweepDeletesManyFiles(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for range 30 {
		_, err := k.Synthesize(t.Context(), k.pro(), request(carla, "Ciao."))
		require.NoError(t, err)
	}
	k.clock.Pass(25 * time.Hour)
	k.Sweep(t.Context())
	assert.Empty(t, k.files())
}

// write stores a file without an entry.
func (k *kit) write(name string) {
	k.t.Helper()
	require.NoError(k.t, k.folder.Create(k.t.Context(), name, func(w io.Writer) error {
		_, err := w.Write([]byte("audio"))
		return err
	}))
}

// Files that a killed process left without an entry are deleted, but not those of calls that are about to settle, nor previews.
func TestSweepDeletesOrphans(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	r, err := k.Synthesize(t.Context(), k.pro(), request(carla, "Ciao."))
	require.NoError(t, err)
	orphan, preview := strings.Repeat("B", 43)+".mp3", "preview-"+anna.ID+".mp3"
	k.write(orphan)
	k.write(preview)
	k.Sweep(t.Context())
	assert.Contains(t, k.files(), orphan, "it may belong to a running call")
	late := strings.Repeat("C", 43) + ".pcm"
	k.write(late)
	for range service.OrphanSweeps {
		k.Sweep(t.Context())
	}
	assert.ElementsMatch(t, []string{r.File.Name, preview, late}, k.files())
	for range service.OrphanSweeps {
		k.Sweep(t.Context())
	}
	assert.ElementsMatch(t, []string{r.File.Name, preview}, k.files())
}

func (k *kit) preview(v service.Voice) (string, error) {
	content, size, err := k.Preview(k.t.Context(), v.ID)
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(content)
	require.NoError(k.t, err)
	require.NoError(k.t, content.Close())
	assert.Equal(k.t, size, int64(len(data)))
	return string(data), nil
}

// A preview is made once, in the language of the voice, and nobody pays for it.
func TestPreview(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			data, err := k.preview(alan)
			assert.NoError(t, err)
			assert.True(t, strings.HasPrefix(data, "mp3_44100_128"))
		})
	}
	wg.Wait()
	spoken := k.a.speeches()
	require.Len(t, spoken, 1)
	assert.Equal(t, alan, spoken[0].Turns[0].Voice)
	assert.Contains(t, spoken[0].Turns[0].Text, "Hallo")
	assert.False(t, spoken[0].Priority)
	k.clock.Pass(48 * time.Hour)
	for range 3 * service.OrphanSweeps {
		k.Sweep(t.Context())
	}
	_, err := k.preview(alan)
	require.NoError(t, err)
	assert.Len(t, k.a.speeches(), 1, "it is kept")
	assert.Empty(t, k.events.syntheses)

	for _, id := range []string{"", "..", uuid.NewString()} {
		_, _, err := k.Preview(t.Context(), id)
		fails(t, err, 404, "")
	}
	k.a.setVoices(nil)
	k.clock.Pass(time.Second)
	_, err = k.preview(alan)
	fails(t, err, 404, "")
}

// lateFiles is a folder in which a preview appears just after the first look.
type lateFiles struct {
	service.Files
	appear sync.Once
	write  func(name string)
}

func (f *lateFiles) Open(ctx context.Context, name string) (io.ReadSeekCloser, int64, error) {
	late := false
	f.appear.Do(func() { f.write(name); late = true })
	if late {
		return nil, 0, service.ErrNotFound
	}
	return f.Files.Open(ctx, name)
}

// A request that comes in the moment in which another one has finished the preview does not make it again.
func TestPreviewIsMadeOnce(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.Service = k.service("second", func(c *service.Config) {
		c.Files = &lateFiles{Files: c.Files, write: k.write}
	})
	data, err := k.preview(anna)
	require.NoError(t, err)
	assert.Equal(t, "audio", data)
	assert.Empty(t, k.a.speeches())
}

func TestPreviewFailures(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	busy := &service.Error{Status: 503, Code: service.CodeServerBusy, Sentence: "Full. Wait."}
	for status, speak := range map[int]func(context.Context, service.Speech) (audio.Buffer, error){
		503: func(context.Context, service.Speech) (audio.Buffer, error) { return audio.Buffer{}, busy },
		502: func(context.Context, service.Speech) (audio.Buffer, error) { panic("boom") },
	} {
		k.a.speak = speak
		_, err := k.preview(anna)
		require.Error(t, err)
		assert.Equal(t, status, service.StatusOf(err))
	}
	assert.Empty(t, k.files())
	k.a.speak = nil
	_, err := k.preview(anna)
	require.NoError(t, err, "a failure is not kept")
}

// The text of a preview is ours, so a provider that refuses it has failed, and nobody is told to change it.
func TestPreviewThatTheProviderRefuses(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.a.speak = func(context.Context, service.Speech) (audio.Buffer, error) {
		return audio.Buffer{}, &service.Error{Status: 400, Sentence: "Change the text.", Cause: errBoom}
	}
	_, err := k.preview(alan)
	fails(t, err, 502, "")
	require.ErrorIs(t, err, errBoom)
	assert.Empty(t, k.files())
}

// Previews need no credential, so only a few are made at the same time. Who leaves does not end the work for others.
func TestPreviewsAreBounded(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	var voices []service.Voice
	for _, name := range []string{"1", "2", "3", "4", "5"} {
		voices = append(voices, newVoice(service.ProviderC, name, "female", "en", "", "narrator"))
	}
	k.c.setVoices(nil, voices...)
	started, release := make(chan struct{}, service.MaxPreviews), make(chan struct{})
	k.c.speak = until(started, release)
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error)
	for _, v := range voices[:service.MaxPreviews] {
		go func() {
			_, _, err := k.Preview(ctx, v.ID)
			left <- err
		}()
		<-started
	}
	_, err := k.preview(voices[service.MaxPreviews])
	fails(t, err, 503, service.CodeProviderBusy)
	leave()
	for range service.MaxPreviews {
		require.ErrorIs(t, <-left, context.Canceled)
	}
	close(release)
	_, err = k.preview(voices[0])
	require.NoError(t, err)
	assert.LessOrEqual(t, len(k.c.speeches()), service.MaxPreviews)
}

// brokenFiles is a folder that is not ready.
type brokenFiles struct {
	service.Files
	ready error
}

func (f *brokenFiles) Ready(context.Context) error { return f.ready }

// What a fault of the disk left of a file is never sent: its link answers 410. Such a preview is made again.
func TestDamagedFilesAreNotServed(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	r, err := k.Synthesize(t.Context(), k.pro(), request(carla, "Ciao."))
	require.NoError(t, err)
	assert.Equal(t, 200, k.status(r.File.Name))
	k.write(r.File.Name) // five bytes
	assert.Equal(t, 410, k.status(r.File.Name))
	empty := func(name string) {
		require.NoError(t, k.folder.Create(t.Context(), name, func(io.Writer) error { return nil }))
	}
	empty(r.File.Name)
	assert.Equal(t, 410, k.status(r.File.Name))

	whole, err := k.preview(anna)
	require.NoError(t, err)
	require.NotEmpty(t, whole)
	empty("preview-" + anna.ID + ".mp3")
	again, err := k.preview(anna)
	require.NoError(t, err)
	assert.Equal(t, whole, again)

	k.encoder.encode = func(io.Writer) error { return nil }
	before := k.files()
	_, err = k.preview(alan)
	require.Error(t, err)
	_, err = k.Synthesize(t.Context(), k.pro(), request(carla, "Ciao."))
	require.Error(t, err)
	assert.ElementsMatch(t, before, k.files(), "an empty file is not stored")
}

// downFiles is a store of files that cannot be reached.
type downFiles struct {
	service.Files
	deletes *atomic.Int32 // that were asked for; nil: not counted
}

func (f downFiles) Delete(context.Context, string) error {
	if f.deletes != nil {
		f.deletes.Add(1)
	}
	return fmt.Errorf("delete: %w", service.ErrFilesDown)
}

func (downFiles) Create(context.Context, string, func(io.Writer) error) error {
	return fmt.Errorf("create: %w", service.ErrFilesDown)
}

func (downFiles) Open(context.Context, string) (io.ReadSeekCloser, int64, error) {
	return nil, 0, fmt.Errorf("open: %w", service.ErrFilesDown)
}

// TestFilesDown: nobody is told that audio was deleted that is there.
func TestFilesDown(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	made, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
	require.NoError(t, err)
	_, err = k.preview(anna)
	require.NoError(t, err)
	q := request(carla, "Again.")
	q.IdempotencyKey = "again"
	_, err = k.Synthesize(t.Context(), caller, q)
	require.NoError(t, err)
	before := k.account(caller).Credits()

	down := &kit{Service: k.service("files down", func(c *service.Config) { c.Files = downFiles{Files: k.folder} }), t: t}
	_, _, err = down.OpenFile(t.Context(), made.File.Name)
	require.ErrorIs(t, err, service.ErrFilesDown)
	for _, v := range []service.Voice{anna, alan} {
		_, err = down.preview(v)
		require.ErrorIs(t, err, service.ErrFilesDown)
	}
	_, err = down.Synthesize(t.Context(), caller, q)
	require.ErrorIs(t, err, service.ErrFilesDown, "the answer to the repeat may be there")
	_, err = down.Synthesize(t.Context(), caller, request(carla, "Ciao."))
	fails(t, err, 503, "")
	require.ErrorIs(t, err, service.ErrFilesDown)
	var answer *service.Error
	require.ErrorAs(t, err, &answer)
	require.Equal(t, service.StoreRetryAfter, answer.RetryAfter)
	require.Equal(t, before, k.account(caller).Credits())

	_, _, err = down.OpenFile(t.Context(), strings.Repeat("A", 43)+".mp3")
	fails(t, err, 404, "")
	k.clock.Pass(service.FileRetention)
	_, _, err = down.OpenFile(t.Context(), made.File.Name)
	fails(t, err, 410, "")
}

// TestSweepOfFilesDown: a store that is down is not asked for each file, which may take as long as the store is waited for.
func TestSweepOfFilesDown(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	for range 5 {
		_, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
		require.NoError(t, err)
	}
	k.clock.Pass(service.FileRetention)
	var deletes atomic.Int32
	k.service("files down", func(c *service.Config) { c.Files = downFiles{k.folder, &deletes} }).Sweep(t.Context())
	require.EqualValues(t, 1, deletes.Load())
	k.Sweep(t.Context())
	require.Empty(t, k.files())
}

// TestFileDay: a link tells its day, by which a store can sort its files.
func TestFileDay(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	for _, date := range []string{"2026-03-01T00:00:00Z", "2026-03-01T23:59:59Z", "2026-03-02T01:00:00+02:00", "2149-06-06T23:59:59Z"} {
		now, err := time.Parse(time.RFC3339, date)
		require.NoError(t, err)
		today := k.service(date, func(c *service.Config) { c.Now = func() time.Time { return now } })
		q := request(carla, "Ciao.")
		q.ResponseFormat = ptr(service.PCM8000)
		seen := map[string]bool{}
		for range 3 {
			r, err := today.Synthesize(t.Context(), caller, q)
			require.NoError(t, err)
			day, ok := service.FileDay(r.File.Name)
			require.True(t, ok)
			require.Equal(t, now.UTC().Format(time.DateOnly), day.Format(time.DateOnly))
			require.Equal(t, day, day.UTC().Truncate(24*time.Hour))
			seen[r.File.Name[3:]] = true
		}
		require.Len(t, seen, 3, "the rest is random")
	}
	day, ok := service.FileDay(strings.Repeat("A", 43) + ".mp3")
	require.True(t, ok)
	require.Equal(t, time.Unix(0, 0).UTC(), day)
	for _, name := range []string{"", "a.mp3", "preview-" + anna.ID + ".mp3", strings.Repeat("A", 43), strings.Repeat("!", 43) + ".mp3", strings.Repeat("A", 44) + ".mp3"} {
		_, ok := service.FileDay(name)
		require.False(t, ok, name)
	}
}

func TestReady(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	require.NoError(t, k.Ready(t.Context()))
	k.encoder.ready = &service.Error{Status: 503, Sentence: "MP3 cannot be written without ffmpeg. Install it."}
	fails(t, k.Ready(t.Context()), 503, "")
	k.encoder.ready = nil
	files := &brokenFiles{Files: k.folder}
	k.Service = k.service("broken files", func(c *service.Config) { c.Files = files })
	for cause, words := range map[error]string{
		fmt.Errorf("check: %w", fs.ErrNotExist): "missing", syscall.ENOSPC: "no space left", syscall.EDQUOT: "no space left",
		fmt.Errorf("check: %w", service.ErrFilesDown): "can't be reached", syscall.EROFS: "can't be written", fs.ErrPermission: "permissions", errBoom: "disk",
	} {
		files.ready = cause
		err := k.Ready(t.Context())
		fails(t, err, 503, "")
		require.ErrorContains(t, err, words)
		require.ErrorIs(t, err, cause)
	}
	files.ready = nil
	require.NoError(t, k.Ready(t.Context()))
	require.NoError(t, k.Close(t.Context()))
	fails(t, k.Ready(t.Context()), 503, "")
	_, err := k.preview(anna)
	fails(t, err, 503, "")
	_, err = k.Enhance(t.Context(), k.free("a"), service.EnhanceRequest{Text: "a"})
	fails(t, err, 503, "")
}

func TestConfigIsChecked(t *testing.T) {
	t.Parallel()
	_, err := service.New(service.Config{})
	require.ErrorContains(t, err, "no Store")
	k := newKit(t)
	c := k.config
	c.Providers = map[service.ProviderID]service.Provider{"ProviderD": k.a}
	_, err = service.New(c)
	require.ErrorContains(t, err, `"ProviderD"`)
	c = k.config
	c.Prices.Rates = map[string]int64{"x": 1}
	_, err = service.New(c)
	require.ErrorContains(t, err, "rates")
}
