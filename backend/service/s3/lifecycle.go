package s3

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/signer"
)

const (
	ruleID      = "voicewright-audio " // of the rule in a bucket, followed by the prefix
	ruleContent = "<ID>%s</ID><Filter><Prefix>%s</Prefix></Filter><Status>Enabled</Status>" +
		"<Expiration><Days>2</Days></Expiration>" +
		"<AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload>"
	// centuries begins the names of the days of generated audio, and of no other folder of the service.
	centuries = "2"

	staleAfter   = time.Hour // nobody writes a file for so long
	maxStale     = 1000      // uploads that are looked at
	maxLifecycle = 1 << 20   // bytes of the rules of a bucket
)

// Prepare removes what killed processes left half sent, and adds a rule to the bucket with which the store itself removes generated
// audio after two days and parts of uploads after one, should the service not run, unless others have files there. Rules that are there
// stay as they are. A store that
// permits neither works all the same, so failures are only logged. It takes as long as two requests at most.
func (s *Store) Prepare(ctx context.Context) {
	for what, f := range map[string]func(context.Context) error{
		"remove the parts of old uploads": s.removeParts, "set a rule for old audio": s.setRule,
	} {
		_, err := within(ctx, s.times.request, func(ctx context.Context) (struct{}, error) { return struct{}{}, f(ctx) })
		if err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "prepare the store of files", "failed", what, "error", s.reason(err))
		}
	}
}

// removeParts removes the parts of uploads that nobody completes any more.
func (s *Store) removeParts(ctx context.Context) error {
	found, err := s.client.ListMultipartUploads(ctx, s.Address.Bucket, s.root(), "", "", "", maxStale)
	if err != nil && minio.ToErrorResponse(err).Code != minio.NoSuchUpload { // as some stores say that there are none
		return err
	}
	for _, u := range found.Uploads {
		if time.Since(u.Initiated) < staleAfter || !s.owns(u.Key) {
			continue
		}
		if err := s.client.AbortMultipartUpload(ctx, s.Address.Bucket, u.Key, u.UploadID); err != nil &&
			minio.ToErrorResponse(err).Code != minio.NoSuchUpload {
			return err
		}
	}
	return nil
}

// rules are the lifecycle rules of a bucket. What they contain is not read, so that nothing of it is lost.
type rules struct {
	XMLName xml.Name `xml:"LifecycleConfiguration"`
	Rules   []rule   `xml:"Rule"`
}

type rule struct {
	ID      string `xml:"ID"`
	Content string `xml:",innerxml"`
}

// setRule adds the rule for old audio to those of the bucket.
func (s *Store) setRule(ctx context.Context) error {
	if s.Address.Prefix == "" {
		return errors.New("the address has no prefix, so the objects of others may be among those of the service")
	}
	found, header, err := s.lifecycle(ctx, http.MethodGet, nil, nil)
	if err != nil {
		return err
	}
	id := ruleID + s.Address.Prefix
	if slices.ContainsFunc(found.Rules, func(r rule) bool { return r.ID == id }) {
		return nil
	}
	if err := s.checkOthers(ctx); err != nil {
		return err
	}
	var body bytes.Buffer
	body.WriteString(`<LifecycleConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">`)
	for _, r := range append(found.Rules, rule{Content: fmt.Sprintf(ruleContent, id, s.root()+centuries)}) {
		body.WriteString("<Rule>" + r.Content + "</Rule>")
	}
	body.WriteString("</LifecycleConfiguration>")
	_, _, err = s.lifecycle(ctx, http.MethodPut, body.Bytes(), header)
	return err
}

// checkOthers returns an error where the rule would remove what is not the service's, as far as the first page of a list shows.
func (s *Store) checkOthers(ctx context.Context) error {
	keys, err := s.list(ctx, s.root()+centuries, "")
	if err != nil {
		return err
	}
	if slices.ContainsFunc(keys, func(key string) bool { return !s.owns(key) }) {
		return fmt.Errorf("other files than those of the service begin with %s, and the rule would remove them, too", s.root()+centuries)
	}
	return nil
}

// transitionSize is the header with what is a setting of all rules of a bucket.
const transitionSize = "X-Amz-Transition-Default-Minimum-Object-Size"

// lifecycle reads or replaces the rules of the bucket. minio-go has functions for that, but loses what it does not know of a rule.
func (s *Store) lifecycle(ctx context.Context, method string, body []byte, former http.Header) (rules, http.Header, error) {
	address := s.client.EndpointURL()
	address.Path, address.RawQuery = "/"+s.Address.Bucket+"/", "lifecycle="
	request, err := http.NewRequestWithContext(ctx, method, address.String(), bytes.NewReader(body))
	if err != nil {
		return rules{}, nil, err
	}
	sums := sumsOf(body)
	request.Header.Set("X-Amz-Content-Sha256", sums.sha256)
	if method == http.MethodPut {
		request.Header.Set("Content-MD5", sums.md5)
		if size := former.Get(transitionSize); size != "" {
			request.Header.Set(transitionSize, size)
		}
	}
	request = signer.SignV4(*request, s.Credentials.accessKey, s.Credentials.secretKey, "", s.Address.Region)
	answer, err := s.transport.RoundTrip(request)
	if err != nil {
		return rules{}, nil, err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(io.LimitReader(answer.Body, maxLifecycle))
	if err != nil {
		return rules{}, nil, err
	}
	found, err := readRules(method, answer.StatusCode, content)
	return found, answer.Header, err
}

// noRules is the code of the answer of a store for a bucket without lifecycle rules.
const noRules = "NoSuchLifecycleConfiguration"

// readRules returns the rules in an answer of a store.
func readRules(method string, status int, content []byte) (rules, error) {
	var found rules
	switch {
	case status == http.StatusOK && method == http.MethodGet:
		if err := xml.Unmarshal(content, &found); err != nil {
			return rules{}, fmt.Errorf("the store answers with something else than rules: %w", err)
		}
		return found, nil
	case status == http.StatusOK, status == http.StatusNoContent:
		return found, nil
	}
	var answer minio.ErrorResponse
	if err := xml.Unmarshal(content, &answer); err != nil {
		answer.Code = http.StatusText(status)
	}
	answer.StatusCode = status
	if answer.Code == noRules {
		return found, nil
	}
	return rules{}, answer
}
