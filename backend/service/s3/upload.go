package s3

import (
	"bytes"
	"context"
	"crypto/md5" //nolint:gosec // what stores compare bodies by
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
)

// partSize is how many bytes of a file are in memory. An MP3 of eight minutes is one request, which stores all of it or nothing and
// can be repeated; of longer audio, parts are sent while it is encoded, and the last request makes them an object.
const partSize = 8 << 20

// slowestUpload is how many bytes a second a store takes at least.
const slowestUpload = 256 << 10

// uploadTime returns how long a store is waited for that gets so many bytes.
func (s *Store) uploadTime(size int64) time.Duration {
	return s.times.request + time.Duration(size)*time.Second/slowestUpload
}

// upload is a file that is being written. Only one goroutine uses it.
type upload struct {
	store *Store
	key   string

	buffer []byte
	size   int64
	sum    hash.Hash // MD5 of all that was written
	id     string    // of an upload in parts; empty until there is a part, and once it is complete
	parts  []minio.CompletePart
	sums   hash.Hash // MD5 of the sums of the parts
	err    error     // of the first part that could not be sent
}

// Create implements service.Files. The object is there once all of it was written and sent, and has the bytes that were sent.
func (s *Store) Create(ctx context.Context, name string, write func(io.Writer) error) error {
	key, err := s.key(name)
	if err != nil {
		return fmt.Errorf("create file: %w", err)
	}
	u := &upload{store: s, key: key, sum: md5.New(), sums: md5.New()}
	defer u.abort(ctx) // also when write panics
	err = write(writerFunc(func(p []byte) (int, error) { return u.write(ctx, p) }))
	if u.err != nil && !errors.Is(err, u.err) { // the writer has not passed on why it could not write
		err = errors.Join(err, u.err)
	}
	if err := errors.Join(err, ctx.Err()); err != nil {
		return fmt.Errorf("create file: %w", err)
	}
	return u.complete(ctx)
}

// writerFunc is a function as an io.Writer.
type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// write takes the next bytes of the file, and sends each part that is full.
func (u *upload) write(ctx context.Context, p []byte) (n int, err error) {
	for n < len(p) && u.err == nil {
		part := p[n:min(len(p), n+partSize-len(u.buffer))]
		u.buffer = append(u.buffer, part...)
		u.sum.Write(part)
		u.size += int64(len(part))
		n += len(part)
		if len(u.buffer) == partSize {
			u.err = u.sendPart(ctx)
		}
	}
	return n, u.err
}

// sendPart sends what is in the buffer as the next part.
func (u *upload) sendPart(ctx context.Context) error {
	s := u.store
	if u.id == "" {
		id, err := within(ctx, s.times.request, func(ctx context.Context) (string, error) {
			return s.client.NewMultipartUpload(ctx, s.Address.Bucket, u.key, u.options())
		})
		if err != nil {
			return s.fail(ctx, "begin an upload", err)
		}
		u.id = id
	}
	body, number := u.buffer, len(u.parts)+1
	u.buffer = nil // a request that was ended may read the old one for a while
	sums := sumsOf(body)
	part, err := within(ctx, s.uploadTime(int64(len(body))), func(ctx context.Context) (minio.ObjectPart, error) {
		return s.client.PutObjectPart(ctx, s.Address.Bucket, u.key, u.id, number, bytes.NewReader(body), int64(len(body)),
			minio.PutObjectPartOptions{Md5Base64: sums.md5, Sha256Hex: sums.sha256, DisableContentSha256: true})
	})
	if err != nil {
		return s.fail(ctx, "upload a part", err)
	}
	u.sums.Write(sums.raw)
	u.parts = append(u.parts, minio.CompletePart{PartNumber: number, ETag: part.ETag})
	return nil
}

// bodySums are the sums by which a store checks a body.
type bodySums struct {
	raw    []byte // MD5
	md5    string // of the header Content-MD5
	sha256 string // of the signature
}

func sumsOf(body []byte) bodySums {
	m, sha := md5.Sum(body), sha256.Sum256(body)
	return bodySums{raw: m[:], md5: base64.StdEncoding.EncodeToString(m[:]), sha256: hex.EncodeToString(sha[:])}
}

// options returns those of the object. The sum of a body is in its signature: over http, minio-go would sign it in chunks, which some
// stores take for the content.
func (u *upload) options() minio.PutObjectOptions {
	kind := "audio/pcm"
	if strings.HasSuffix(u.key, ".mp3") {
		kind = "audio/mpeg"
	}
	return minio.PutObjectOptions{ContentType: kind, DisableContentSha256: true}
}

// complete makes what was written an object, and checks it.
func (u *upload) complete(ctx context.Context) error {
	s := u.store
	if u.id == "" {
		body := u.buffer
		sums := sumsOf(body)
		info, err := within(ctx, s.uploadTime(u.size), func(ctx context.Context) (minio.UploadInfo, error) {
			return s.client.PutObject(ctx, s.Address.Bucket, u.key, bytes.NewReader(body), int64(len(body)), sums.md5, sums.sha256, u.options())
		})
		if err != nil {
			return s.fail(ctx, "upload a file", err)
		}
		return u.check(ctx, info.ETag, hex.EncodeToString(sums.raw))
	}
	if len(u.buffer) > 0 {
		if err := u.sendPart(ctx); err != nil {
			return err
		}
	}
	info, err := within(ctx, s.uploadTime(u.size), func(ctx context.Context) (minio.UploadInfo, error) {
		return s.client.CompleteMultipartUpload(ctx, s.Address.Bucket, u.key, u.id, u.parts, minio.PutObjectOptions{})
	})
	if err != nil {
		return s.fail(ctx, "complete an upload", err)
	}
	u.id = ""
	return u.check(ctx, info.ETag, fmt.Sprintf("%x-%d", u.sums.Sum(nil), len(u.parts)))
}

// check returns nil when the store has the bytes that were written: by the sum in its answer or, where that is another one, as with
// some kinds of encryption, by reading them again. Other bytes are deleted.
func (u *upload) check(ctx context.Context, etag, sum string) error {
	if strings.EqualFold(etag, sum) {
		return nil
	}
	s := u.store
	found := md5.New()
	size, err := u.read(ctx, found)
	if err != nil {
		return s.fail(ctx, "check an upload", err)
	}
	if size == u.size && bytes.Equal(found.Sum(nil), u.sum.Sum(nil)) {
		return nil
	}
	return errors.Join(s.fail(ctx, "check an upload", errDamaged), s.delete(ctx, u.key))
}

// read writes the stored object into w and returns its size.
func (u *upload) read(ctx context.Context, w io.Writer) (int64, error) {
	body, err := u.store.get(ctx, u.key, "", 0)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(w, body)
	return n, errors.Join(err, body.Close())
}

// abort removes the parts of an upload that was not completed.
func (u *upload) abort(ctx context.Context) {
	if u.id == "" {
		return
	}
	_ = u.store.cleanUp(ctx, func(ctx context.Context) error { return u.store.abort(ctx, u.key, u.id) })
}

// abort removes the parts of an upload. What stays is removed by Prepare or by the rule that it sets.
func (s *Store) abort(ctx context.Context, key, id string) error {
	_, err := within(ctx, s.times.request, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.client.AbortMultipartUpload(ctx, s.Address.Bucket, key, id)
	})
	if err != nil && minio.ToErrorResponse(err).Code != minio.NoSuchUpload {
		s.Log.WarnContext(ctx, "remove the parts of an upload", "error", s.reason(err))
	}
	return s.fail(ctx, "remove the parts of an upload", err)
}
