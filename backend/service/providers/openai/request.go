package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/providers"
)

// maxRetryAfter limits how long a client is told to wait.
const maxRetryAfter = time.Hour

// speechRequest is the body of POST /audio/speech.
type speechRequest struct {
	Model          string  `json:"model"`
	Input          string  `json:"input"`
	Voice          string  `json:"voice"`
	ResponseFormat string  `json:"response_format"`
	Speed          float64 `json:"speed,omitempty"`
}

// answer is the body of an answer with status 200.
type answer struct {
	contentType string
	body        []byte
}

// request returns the answer of the server to one turn. Errors: PROVIDER_BUSY for 429 and 503; 400 for 400, 413 and 422, which are
// about the text; any other for answers that are not 200, are cut off or larger than limit bytes.
func (p *Provider) request(ctx context.Context, turn service.Turn, speed float64, limit int64) (answer, error) {
	body, err := json.Marshal(speechRequest{
		Model: p.options.Model, Input: turn.Text, Voice: turn.Voice.Native, ResponseFormat: "wav", Speed: speed,
	})
	if err != nil {
		return answer{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.endpoint, bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	if p.options.APIKey != "" {
		req.Header.Set("Authorization", "Bearer "+p.options.APIKey)
	}
	res, err := p.client.Do(req)
	if err != nil {
		return answer{}, withoutAddress(err)
	}
	defer func() { _ = res.Body.Close() }()
	if err := p.checkStatus(res, turn.Text); err != nil {
		return answer{}, err
	}
	content, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	switch {
	case err != nil:
		return answer{}, fmt.Errorf("read the audio: %w", err)
	case int64(len(content)) > limit:
		return answer{}, fmt.Errorf("the answers have more than %d bytes", maxBytes)
	case len(content) == 0:
		return answer{}, errors.New("the answer is empty")
	}
	return answer{contentType: res.Header.Get("Content-Type"), body: content}, nil
}

// withoutAddress returns the cause of an error of the HTTP client. Its address may hold a secret.
func withoutAddress(err error) error {
	var e *url.Error
	if errors.As(err, &e) {
		return fmt.Errorf("connect: %w", e.Err)
	}
	return err
}

// checkStatus returns an error for a status other than 200, for the log. Where the server refuses the text it has the status alone,
// as servers repeat what they refuse; else it has the start of the body without words of the text and of the key.
func (p *Provider) checkStatus(res *http.Response, spoken string) error {
	switch res.StatusCode {
	case http.StatusOK:
		return nil
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return providers.Busy(retryAfter(res.Header.Get("Retry-After"), time.Now()))
	}
	err := fmt.Errorf("the server answered %d", res.StatusCode)
	switch res.StatusCode {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return providers.Refused(err)
	}
	start, _ := io.ReadAll(io.LimitReader(res.Body, maxExcerptRead))
	return fmt.Errorf("%w: %s", err, excerpt(string(start), spoken, p.options.APIKey))
}

// retryAfter reads a Retry-After header, which is a number of seconds or a date.
func retryAfter(header string, now time.Time) time.Duration {
	wait := service.BusyRetryAfter
	if seconds, err := strconv.ParseInt(header, 10, 32); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(header); err == nil {
		wait = time.Duration(math.Ceil(at.Sub(now).Seconds())) * time.Second
	}
	return min(max(wait, time.Second), maxRetryAfter)
}
