package hostedtest

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// MP3 is what every mp3_44100_128 consists of: half a second of a tone, 44,100 Hz, mono, 128 kbit/s.
//
//go:embed testdata/tone.mp3
var MP3 []byte

// rates are credits per 1,000 characters.
var rates = map[string]int64{"ProviderA": 2100, "ProviderB": 1200, "ProviderC": 400}

type file struct {
	content []byte
	kind    string
	created time.Time
	expired bool
}

type speechBody struct {
	Text   string `json:"text"`
	Voice  string `json:"voice"`
	Model  string `json:"ttsModel"`
	Format string `json:"response_format"`
	Turns  []struct {
		Text  string `json:"text"`
		Voice string `json:"voice"`
	} `json:"turns"`
}

func (s *Service) synthesize(w http.ResponseWriter, r *http.Request) {
	var body speechBody
	if json.NewDecoder(r.Body).Decode(&body) != nil || strings.TrimSpace(body.Text) == "" || body.Model == "" {
		refuse(w, http.StatusBadRequest, "", "The text is missing.")
		return
	}
	v, ok := s.account.voice(body.Voice)
	if !ok {
		refuse(w, http.StatusBadRequest, "", "The voice is not known.")
		return
	}
	s.speak(w, r, v["provider"].(string), utf8.RuneCountInString(body.Text), body.Format)
}

func (s *Service) dialogue(w http.ResponseWriter, r *http.Request) {
	var body speechBody
	if json.NewDecoder(r.Body).Decode(&body) != nil || len(body.Turns) == 0 || len(body.Turns) > 100 {
		refuse(w, http.StatusBadRequest, "", "The turns are missing.")
		return
	}
	characters := 0
	for _, turn := range body.Turns {
		v, ok := s.account.voice(turn.Voice)
		if !ok || v["provider"] != "ProviderA" || strings.TrimSpace(turn.Text) == "" {
			refuse(w, http.StatusBadRequest, "", "A turn has no text or no voice of ProviderA.")
			return
		}
		characters += utf8.RuneCountInString(turn.Text)
	}
	s.speak(w, r, "ProviderA", characters, body.Format)
}

// speak checks, charges and answers a call of speech.
func (s *Service) speak(w http.ResponseWriter, r *http.Request, provider string, characters int, format string) {
	key, _ := s.account.caller(r)
	cost := price(characters, rates[provider], key)
	switch {
	case s.speaking > 1:
		refuse(w, http.StatusConflict, "DUPLICATE_REQUEST", "Another call of speech is running.")
		return
	case characters > 5000:
		refuse(w, http.StatusBadRequest, "TEXT_TOO_LONG", "The text is over 5,000 characters.")
		return
	case s.account.plan == "free" && s.account.payg == 0 && provider != "ProviderC":
		refuse(w, http.StatusForbidden, "PAID_ACCESS_REQUIRED", "This voice needs a paid plan.")
		return
	case cost > s.account.credits:
		refuse(w, http.StatusPaymentRequired, "INSUFFICIENT_CREDITS", "There are not enough credits.")
		return
	}
	content, kind, suffix, ok := audio(format)
	if !ok {
		refuse(w, http.StatusBadRequest, "", "The format is not known.")
		return
	}
	s.account.credits -= cost
	s.account.calls++
	name := fmt.Sprintf("audio%016d%s", s.account.calls, suffix)
	s.account.files[name] = file{content: content, kind: kind, created: time.Now()}
	answer(w, http.StatusOK, object{
		"url": s.link("files", name), "remainingCredits": s.account.credits, "projectCreated": true,
	})
}

// price returns ceil(characters x rate / 1000), with a key 10 % less.
func price(characters int, rate int64, key bool) int64 {
	share := int64(10)
	if key {
		share = 9
	}
	return (int64(characters)*rate*share + 9999) / 10000
}

// audio returns a tone in a format.
func audio(format string) (content []byte, kind, suffix string, ok bool) {
	if format == "" || format == "mp3_44100_128" {
		return MP3, "audio/mpeg", ".mp3", true
	}
	rate, isPCM := strings.CutPrefix(format, "pcm_")
	hertz, err := strconv.Atoi(rate)
	if !isPCM || err != nil {
		return nil, "", "", false
	}
	return PCM(hertz), "audio/pcm", ".pcm", true
}

// PCM is what every pcm format consists of: half a second of a tone, 16 bits, little-endian, mono.
func PCM(rate int) []byte {
	var out bytes.Buffer
	for i := range rate / 2 {
		v := int16(8000 * math.Sin(2*math.Pi*440*float64(i)/float64(rate)))
		_ = binary.Write(&out, binary.LittleEndian, v)
	}
	return out.Bytes()
}

// ExpireLinks makes all links that were given so far answer 410.
func (s *Service) ExpireLinks() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, f := range s.account.files {
		f.expired = true
		s.account.files[name] = f
	}
}

func (s *Service) file(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	f, ok := s.account.files[r.PathValue("name")]
	s.mu.Unlock()
	switch {
	case !ok:
		refuse(w, http.StatusNotFound, "", "There is no such file.")
	case f.expired:
		refuse(w, http.StatusGone, "", "The file was deleted.")
	default:
		w.Header().Set("Content-Type", f.kind)
		http.ServeContent(w, r, "", f.created, bytes.NewReader(f.content))
	}
}

func (s *Service) preview(w http.ResponseWriter, r *http.Request) {
	id, _ := strings.CutSuffix(r.PathValue("name"), ".mp3")
	s.mu.Lock()
	_, ok := s.account.voice(id)
	s.mu.Unlock()
	if !ok {
		refuse(w, http.StatusNotFound, "", "There is no such voice.")
		return
	}
	w.Header().Set("Content-Type", "audio/mpeg")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(MP3))
}

func enhance(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Text string `json:"text"`
	}
	if json.NewDecoder(r.Body).Decode(&body) != nil || strings.TrimSpace(body.Text) == "" {
		refuse(w, http.StatusBadRequest, "", "The text is missing.")
		return
	}
	if utf8.RuneCountInString(body.Text) > 2000 {
		refuse(w, http.StatusBadRequest, "TEXT_TOO_LONG", "The text is over 2,000 characters.")
		return
	}
	answer(w, http.StatusOK, object{"text": "[excited] " + body.Text, "original": body.Text})
}

func enhanceDialogue(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Turns []struct {
			ID   string `json:"id"`
			Text string `json:"text"`
		} `json:"turns"`
	}
	if json.NewDecoder(r.Body).Decode(&body) != nil || len(body.Turns) == 0 {
		refuse(w, http.StatusBadRequest, "", "The turns are missing.")
		return
	}
	turns := []object{}
	characters := 0
	for _, turn := range body.Turns {
		characters += utf8.RuneCountInString(turn.Text)
		turns = append(turns, object{"id": turn.ID, "text": "[excited] " + turn.Text})
	}
	if characters > 2000 {
		refuse(w, http.StatusBadRequest, "TEXT_TOO_LONG", "The turns are over 2,000 characters.")
		return
	}
	answer(w, http.StatusOK, object{"turns": turns})
}
