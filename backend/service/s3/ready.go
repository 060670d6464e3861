package s3

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/minio/minio-go/v7"
)

// readiness is what Ready found last.
type readiness struct {
	turn  chan struct{} // held while the store is asked and while the rest is used
	until time.Time     // how long it holds
	err   error
}

func newReadiness() *readiness { return &readiness{turn: make(chan struct{}, 1)} }

const (
	readyHolds = 2 * time.Second // everybody may ask, and each check writes
	probeSize  = 16 << 10        // a second of MP3: an empty object can often be made in a full store
)

// Ready implements service.Files: it writes an object and removes it, unless it did a moment ago.
func (s *Store) Ready(ctx context.Context) error {
	r := s.ready
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return fmt.Errorf("check the store of files: %w", ctx.Err())
	}
	if time.Now().Before(r.until) {
		return r.err
	}
	err := s.tryToWrite(ctx)
	if ctx.Err() == nil { // else the next caller finds out
		r.err, r.until = err, time.Now().Add(readyHolds)
	}
	return err
}

// tryToWrite writes an object and removes it. All processes use the same, so one that is killed leaves one at most.
func (s *Store) tryToWrite(ctx context.Context) error {
	const op = "check the store of files"
	key, body := s.root()+probeFolder+"ready", make([]byte, probeSize)
	sums := sumsOf(body)
	info, err := within(ctx, s.times.probe, func(ctx context.Context) (minio.UploadInfo, error) {
		return s.client.PutObject(ctx, s.Address.Bucket, key, bytes.NewReader(body), int64(len(body)), sums.md5, sums.sha256,
			minio.PutObjectOptions{DisableContentSha256: true})
	})
	if err == nil && info.ETag == "" {
		err = errNoStore
	}
	if err != nil && ctx.Err() == nil {
		return s.fail(ctx, op, err)
	}
	err = s.cleanUp(ctx, func(ctx context.Context) error {
		_, err := within(ctx, s.times.probe, func(ctx context.Context) (struct{}, error) {
			return struct{}{}, s.client.RemoveObject(ctx, s.Address.Bucket, key, minio.RemoveObjectOptions{})
		})
		return err
	})
	return s.fail(ctx, op, err)
}
