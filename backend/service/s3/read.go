package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/voicewright/voicewright/backend/service"
)

// Open implements service.Files. The content is read from the store while it is read from the result, until ctx ends.
func (s *Store) Open(ctx context.Context, name string) (io.ReadSeekCloser, int64, error) {
	key, err := s.key(name)
	if err != nil {
		return nil, 0, err
	}
	info, err := within(ctx, s.times.request, func(ctx context.Context) (minio.ObjectInfo, error) {
		return s.client.StatObject(ctx, s.Address.Bucket, key, minio.StatObjectOptions{})
	})
	if minio.ToErrorResponse(err).StatusCode == http.StatusNotFound { // of what? The answer to HEAD does not say
		err = s.probe(ctx, key)
	}
	switch {
	case missing(err):
		return nil, 0, service.ErrNotFound
	case err != nil:
		return nil, 0, s.fail(ctx, "open file", err)
	}
	return &object{
		size: info.Size,
		open: func(offset int64) (io.ReadCloser, error) { return s.get(ctx, key, info.ETag, offset) },
		fail: func(err error) error { return s.fail(ctx, "read file", err) },
	}, info.Size, nil
}

// probe returns what a store answers to a request for an object that it does not have.
func (s *Store) probe(ctx context.Context, key string) error {
	body, err := s.get(ctx, key, "", 0)
	if err != nil {
		return err
	}
	return errors.Join(errReplaced, body.Close()) // it has come meanwhile
}

// get returns the content of an object from an offset on. It is that of the object with this sum, if there is one.
func (s *Store) get(ctx context.Context, key, etag string, offset int64) (io.ReadCloser, error) {
	b, err := repeat(ctx, func(ctx context.Context) (*body, error) { return s.getOnce(ctx, key, offset) })
	switch {
	case err != nil:
		return nil, err
	case etag != "" && b.etag != etag: // not all stores know the header If-Match
		return nil, errors.Join(errReplaced, b.Close())
	}
	return b, nil
}

// getOnce is get without repeats and of any object.
func (s *Store) getOnce(ctx context.Context, key string, offset int64) (*body, error) {
	var options minio.GetObjectOptions
	if offset > 0 {
		if err := options.SetRange(offset, 0); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	b := &body{stall: s.times.stall, end: func() { cancel(nil) }, cause: func() error { return context.Cause(ctx) }}
	b.timer = time.AfterFunc(b.stall, func() { cancel(errSlow) })
	content, info, _, err := s.client.GetObject(ctx, s.Address.Bucket, key, options)
	b.timer.Stop()
	if err != nil {
		if ended := b.cause(); ended != nil {
			err = ended
		}
		cancel(nil)
		return nil, err
	}
	b.content, b.etag = content, info.ETag
	return b, nil
}

// body is an answer of the store that ends when no byte of it arrives for too long. A reader that takes its time does not end it.
type body struct {
	content io.ReadCloser
	etag    string
	timer   *time.Timer
	stall   time.Duration
	end     func()       // ends the request
	cause   func() error // why it ended, nil while it has not
}

func (b *body) Read(p []byte) (int, error) {
	b.timer.Reset(b.stall)
	n, err := b.content.Read(p)
	b.timer.Stop()
	if ended := b.cause(); err != nil && !errors.Is(err, io.EOF) && ended != nil {
		err = ended
	}
	return n, err
}

func (b *body) Close() error {
	b.timer.Stop()
	b.end() // or Close would read the rest of a small one
	return b.content.Close()
}

// object is the content of an object. Only one goroutine uses it.
type object struct {
	open func(offset int64) (io.ReadCloser, error)
	fail func(error) error

	size, offset int64
	body         io.ReadCloser // from offset on; nil until it is read
	cuts         int           // how often an answer ended early
}

// maxCuts is how often a download is continued whose connection is cut.
const maxCuts = 3

// Read implements io.Reader.
func (o *object) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for o.offset < o.size {
		if o.body == nil {
			var err error
			if o.body, err = o.open(o.offset); err != nil {
				return 0, o.fail(err)
			}
		}
		n, err := o.body.Read(p[:min(int64(len(p)), o.size-o.offset)])
		o.offset += int64(n)
		if n > 0 {
			return n, nil
		}
		if err == nil {
			continue
		}
		o.drop()
		if o.cuts++; o.cuts > maxCuts || errors.Is(err, errSlow) {
			return 0, o.fail(err)
		}
	}
	return 0, io.EOF
}

// Seek implements io.Seeker. Only the next Read makes a request.
func (o *object) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += o.offset
	case io.SeekEnd:
		offset += o.size
	}
	if offset < 0 {
		return 0, errors.New("seek: the position is before the beginning of the file")
	}
	if offset != o.offset {
		o.drop()
	}
	o.offset = offset
	return offset, nil
}

// Close implements io.Closer.
func (o *object) Close() error {
	o.drop()
	return nil
}

// drop ends the answer that is being read.
func (o *object) drop() {
	if o.body != nil {
		_ = o.body.Close()
		o.body = nil
	}
}

// Delete implements service.Files.
func (s *Store) Delete(ctx context.Context, name string) error {
	key, err := s.key(name)
	if err != nil {
		return fmt.Errorf("delete file: %w", err)
	}
	return s.delete(ctx, key)
}

func (s *Store) delete(ctx context.Context, key string) error {
	_, err := within(ctx, s.times.request, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.client.RemoveObject(ctx, s.Address.Bucket, key, minio.RemoveObjectOptions{})
	})
	if missing(err) {
		return nil
	}
	return s.fail(ctx, "delete file", err)
}

// Names implements service.Files: from the oldest day on. Previews, which do not expire, are left out.
func (s *Store) Names(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for after := ""; ; {
			keys, err := within(ctx, s.times.request, func(ctx context.Context) ([]string, error) { return s.list(ctx, s.root(), after) })
			if err != nil {
				yield("", s.fail(ctx, "list files", err))
				return
			}
			for _, key := range keys {
				if strings.TrimPrefix(key, s.root()) >= previewFolder || s.owns(key) && !yield(nameOf(key), nil) {
					return
				}
				after = key
			}
			if len(keys) < s.page {
				return
			}
		}
	}
}

// list returns the names of the objects that begin with a prefix, behind one, in the first page without one. At the end there are fewer
// than a page has.
func (s *Store) list(ctx context.Context, prefix, after string) ([]string, error) {
	var keys []string
	for o := range s.client.ListObjectsIter(ctx, s.Address.Bucket, minio.ListObjectsOptions{
		Prefix: prefix, Recursive: true, StartAfter: after, MaxKeys: s.page, FetchOwner: new(bool),
	}) {
		if o.Err != nil {
			return nil, o.Err
		}
		if keys = append(keys, o.Key); len(keys) == s.page {
			break
		}
	}
	return keys, ctx.Err() // which ends the list without an error
}
