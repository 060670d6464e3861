package cli

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// sentences are what a model is asked to say, by primary language.
var sentences = map[string]string{
	"ar": "وصل القطار إلى المحطة في الصباح. جلسنا قرب النافذة وشربنا الشاي.",
	"cs": "Vlak přijel na nádraží brzy ráno. Seděli jsme u okna a pili čaj.",
	"da": "Toget kom til stationen tidligt om morgenen. Vi sad ved vinduet og drak te.",
	"de": "Der Zug kam früh am Morgen an. Wir saßen am Fenster und tranken Tee. Draußen begann es zu regnen.",
	"el": "Το τρένο έφτασε νωρίς το πρωί. Καθίσαμε στο παράθυρο και ήπιαμε τσάι.",
	"en": "The train came in early this morning. We sat by the window and drank our tea. Outside it began to rain.",
	"es": "El tren llegó temprano por la mañana. Nos sentamos junto a la ventana y tomamos té.",
	"fi": "Juna saapui asemalle varhain aamulla. Istuimme ikkunan vieressä ja joimme teetä.",
	"fr": "Le train est arrivé tôt ce matin. Nous étions assis près de la fenêtre et nous buvions du thé.",
	"hi": "रेलगाड़ी सुबह जल्दी आ गई। हम खिड़की के पास बैठकर चाय पी रहे थे।",
	"hu": "A vonat kora reggel érkezett. Az ablak mellett ültünk és teát ittunk.",
	"it": "Il treno è arrivato presto stamattina. Eravamo seduti alla finestra e bevevamo il tè.",
	"ja": "電車は朝早く着きました。私たちは窓のそばに座ってお茶を飲みました。",
	"ko": "기차가 아침 일찍 도착했습니다. 우리는 창가에 앉아 차를 마셨습니다.",
	"nl": "De trein kwam vanmorgen vroeg aan. We zaten bij het raam en dronken thee.",
	"no": "Toget kom tidlig om morgenen. Vi satt ved vinduet og drakk te.",
	"pl": "Pociąg przyjechał wcześnie rano. Siedzieliśmy przy oknie i piliśmy herbatę.",
	"pt": "O trem chegou cedo esta manhã. Sentamos perto da janela e tomamos chá.",
	"ro": "Trenul a sosit dimineața devreme. Stăteam lângă fereastră și beam ceai.",
	"ru": "Поезд пришёл рано утром. Мы сидели у окна и пили чай.",
	"sv": "Tåget kom tidigt på morgonen. Vi satt vid fönstret och drack te.",
	"tr": "Tren sabah erkenden geldi. Pencerenin yanında oturup çay içtik.",
	"uk": "Потяг прибув рано вранці. Ми сиділи біля вікна й пили чай.",
	"vi": "Chuyến tàu đến vào sáng sớm. Chúng tôi ngồi bên cửa sổ và uống trà.",
	"zh": "火车今天一大早就到了。我们坐在窗边喝茶。",
}

// What speech is like; what lies beyond is a failure of the model or of its engine.
const (
	slowestSpeech = 2.0   // characters a second
	fastestSpeech = 60.0  // characters a second
	quietestLevel = -45.0 // dB of full scale, RMS of the whole
	quietFrame    = -55.0 // dB of full scale, RMS of 20 ms; below it is silence
	leastSound    = 0.3   // part of the 20 ms frames that are no silence
)

// notMeasured stands where the text would be transcribed back.
const notMeasured = "not measured: no transcription engine in this build"

// trial is what came of one language.
type trial struct {
	Language   string  `json:"language"`
	Voice      string  `json:"voice"`
	Characters int     `json:"characters"`
	Seconds    float64 `json:"seconds"`
	RTF        float64 `json:"rtf"`
	LevelDB    float64 `json:"level_db"`
	Sound      float64 `json:"sound"` // part that is no silence
	OK         bool    `json:"ok"`
	Reason     string  `json:"reason"`
}

// acceptance is what came of a model.
type acceptance struct {
	ModelName string   `json:"model_name"`
	OK        bool     `json:"ok"`
	Trials    []trial  `json:"trials"`
	Skipped   []string `json:"skipped"` // languages for which there is no sentence
	WER       string   `json:"wer"`
}

// acceptModel downloads a model when it is not here, checks its bytes, lets it speak in its own languages and looks at
// the sound. Nothing of it stays in the history.
func (p *program) acceptModel(ctx context.Context, c *client.Client, name string, yes bool) error {
	m, err := modelOf(ctx, c, name)
	if err != nil {
		return err
	}
	if m.Family != registry.Speech {
		return Usagef("%s hears and does not speak; verify it without --speak", m.ModelName)
	}
	if m, err = p.download(ctx, c, name, yes); err != nil {
		return err
	}
	if v, err := verify(ctx, c, name); err != nil {
		return err
	} else if !v.OK {
		return backend.E(v.Error.Code, v.Error.Detail, v.Error.Remedy)
	}
	a := acceptance{ModelName: m.ModelName, OK: true, Trials: []trial{}, Skipped: []string{}, WER: notMeasured}
	for _, language := range m.Languages {
		text, ok := sentences[backend.BaseLanguage(language)]
		if !ok {
			a.Skipped = append(a.Skipped, language)
			continue
		}
		t, err := p.try(ctx, c, m, language, text)
		if err != nil {
			return err
		}
		a.Trials, a.OK = append(a.Trials, t), a.OK && t.OK
	}
	if len(a.Trials) == 0 {
		a.OK = false
	}
	return p.printAcceptance(a)
}

func (p *program) printAcceptance(a acceptance) error {
	var err error
	if p.json {
		err = p.printJSON(a)
	} else {
		rows := make([][]string, len(a.Trials))
		for i, t := range a.Trials {
			result := "good"
			if !t.OK {
				result = t.Reason
			}
			rows[i] = []string{
				t.Language, t.Voice, fmt.Sprint(t.Characters), fmt.Sprintf("%.2f", t.Seconds), fmt.Sprintf("%.3f", t.RTF),
				fmt.Sprintf("%.1f dB", t.LevelDB), fmt.Sprintf("%.0f %%", 100*t.Sound), result,
			}
		}
		err = p.table("LANGUAGE VOICE CHARACTERS SECONDS RTF LEVEL SOUND RESULT", rows)
		if err == nil && len(a.Skipped) > 0 {
			err = p.printf("No test sentence: %s\n", strings.Join(a.Skipped, ", "))
		}
		if err == nil {
			err = p.printf("WER: %s\n", a.WER)
		}
	}
	if err == nil && !a.OK {
		err = backend.E(backend.CodeEngineFailed, a.ModelName+" does not speak as it should.",
			"Download it again, or use another model.")
	}
	return err
}

// try lets a model speak in one language and looks at the sound.
func (p *program) try(ctx context.Context, c *client.Client, m backend.ModelStatus, language, text string) (trial, error) {
	t := trial{Language: language, Characters: utf8.RuneCountInString(text)}
	voice, err := voiceFor(ctx, c, m, language)
	if err != nil {
		return t, err
	}
	profile, err := findProfile(ctx, c, "", "")
	if err != nil {
		return t, err
	}
	g, err := p.generate(ctx, c, map[string]any{
		"profile_id": profile.ID, "text": text, "voice": m.ModelName + ":" + voice, "language": language,
		"format": "wav", "normalize": false, "seed": 1, "title": "Check of " + m.ModelName,
	})
	if err != nil {
		return t, err
	}
	t.Voice = g.Voice
	sound, err := soundOf(ctx, c, g)
	if err != nil {
		return t, err
	}
	if err := c.Call(ctx, http.MethodDelete, "/history/"+g.ID, nil, nil); err != nil {
		return t, err
	}
	t.Seconds = sound.Duration().Seconds()
	if g.Receipt != nil && t.Seconds > 0 {
		t.RTF = g.Receipt.Seconds["speak"] / t.Seconds
	}
	t.LevelDB, t.Sound = levels(sound)
	t.judge()
	return t, nil
}

// judge compares with what speech is like.
func (t *trial) judge() {
	pace := float64(t.Characters) / max(t.Seconds, 0.001)
	switch {
	case pace > fastestSpeech:
		t.Reason = "too short for the text"
	case pace < slowestSpeech:
		t.Reason = "too long for the text"
	case t.LevelDB < quietestLevel:
		t.Reason = "too quiet"
	case t.Sound < leastSound:
		t.Reason = "mostly silence"
	}
	t.OK = t.Reason == ""
}

// voiceFor gives a voice of the model that speaks a language, else its first one.
func voiceFor(ctx context.Context, c *client.Client, m backend.ModelStatus, language string) (string, error) {
	query := url.Values{"voice_type": {string(backend.VoicePreset)}, "engine": {m.Engine}}
	found, _, err := firstProfile(ctx, c, query, func(v backend.Profile) bool {
		return v.ModelName == m.ModelName && v.Usable && backend.BaseLanguage(v.Language) == backend.BaseLanguage(language)
	})
	id := found.PresetVoiceID
	if _, speaker, ok := strings.Cut(id, "#"); ok {
		id = speaker
	}
	return id, err
}

// soundOf fetches the audio of a generation.
func soundOf(ctx context.Context, c *client.Client, g client.Generation) (audio.Buffer, error) {
	dir, err := os.MkdirTemp("", "voicewright-*")
	if err != nil {
		return audio.Buffer{}, backend.FileError("make a temporary folder", "the temporary directory", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "speech.wav")
	if err := c.Fetch(ctx, g.AudioURL, path); err != nil {
		return audio.Buffer{}, err
	}
	f, err := os.Open(path)
	if err != nil {
		return audio.Buffer{}, backend.FileError("read the audio", path, err)
	}
	defer func() { _ = f.Close() }()
	return audio.ReadWAV(f)
}

// levels gives the RMS level in dB of full scale, and the part of the 20 ms frames that are no silence.
func levels(b audio.Buffer) (level, sound float64) {
	frame := int(0.02*float64(b.Rate)) * b.Channels
	all, frames, loud := 0.0, 0, 0
	for start := 0; start+frame <= len(b.Samples) && frame > 0; start += frame {
		sum := 0.0
		for _, s := range b.Samples[start : start+frame] {
			sum += float64(s) * float64(s)
		}
		all += sum
		frames++
		if decibels(sum/float64(frame)) > quietFrame {
			loud++
		}
	}
	if frames == 0 {
		return decibels(0), 0
	}
	return decibels(all / float64(frames*frame)), float64(loud) / float64(frames)
}

// decibels of a mean square; silence is -120.
func decibels(square float64) float64 { return max(-120, 10*math.Log10(square)) }
