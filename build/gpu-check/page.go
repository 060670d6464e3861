package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/system"
)

// page is what is printed.
type page struct {
	out     io.Writer
	server  *server
	options options
	work    string

	device string // the card; empty: there is none
	absent string // a card that no machine has, of the same kind
	sound  string // a file to transcribe
	failed bool
}

func (p *page) line(format string, values ...any) { _, _ = fmt.Fprintf(p.out, format+"\n", values...) }

// verdict prints how one thing went.
func (p *page) verdict(good bool, format string, values ...any) {
	word := "ok"
	if !good {
		word, p.failed = "FAILED", true
	}
	p.line("  verdict  %s: %s", word, fmt.Sprintf(format, values...))
}

func (p *page) write(ctx context.Context) error {
	if err := p.machine(ctx); err != nil {
		return err
	}
	models, err := p.server.smallest(ctx)
	if err != nil {
		return err
	}
	if len(models) == 0 {
		p.line("\nThere is no model to try. Name a models directory with -models.")
	}
	slices.SortStableFunc(models, func(a, b backend.ModelStatus) int { return cmp.Compare(a.Family, b.Family) }) // speech first
	for _, m := range models {
		p.line("\n%s: %s, %d MB", m.Engine, m.ModelName, m.SizeMB)
		switch {
		case m.Family == "transcription":
			err = p.transcription(ctx, m)
		case m.Family != "speech" || m.Voices == 0:
			p.line("  not tried: it needs more than a text")
		default:
			err = p.speech(ctx, m)
		}
		if err != nil {
			p.verdict(false, "%v", err)
		}
		if err := p.server.unload(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// machine prints what was found, and chooses the card.
func (p *page) machine(ctx context.Context) error {
	info, err := p.server.system(ctx)
	if err != nil {
		return err
	}
	p.line("gpu-check, %s, %s %s", time.Now().UTC().Format("2006-01-02"), info.OS, info.Arch)
	for _, d := range info.Devices {
		memory := ""
		if d.Memory != nil {
			memory = fmt.Sprintf(", %d of %d MB free", d.Memory.Free/1e6, d.Memory.Total/1e6)
		}
		p.line("  device   %s: %s%s", d.ID, d.Name, memory)
	}
	if raw, err := os.ReadFile("/proc/driver/nvidia/version"); err == nil {
		first, _, _ := strings.Cut(string(raw), "\n")
		p.line("  driver   %s", strings.Join(strings.Fields(first), " "))
	}
	for _, l := range info.Libraries {
		if l.Name == "onnxruntime" || l.Name == "whisper.cpp" {
			p.line("  library  %s %s%s", l.Name, l.Version, l.Reason)
		}
	}
	p.device = p.options.device
	for _, c := range info.Choices {
		p.line("  card     %s for %s: %s", c.Device, c.Family, chosen(c))
		if p.device == "" && (c.Available == nil || *c.Available) {
			p.device = c.Device
		}
	}
	kind, _, _ := strings.Cut(cmp.Or(p.device, system.Choices(runtime.GOOS)[0]), ":")
	if p.absent = kind + ":63"; kind == "coreml" {
		p.absent = "cuda:63"
	}
	if p.device == "" {
		p.line("\nno GPU: only CPU tried")
	}
	return nil
}

func chosen(c system.DeviceChoice) string {
	switch {
	case c.Reason != nil:
		return c.Reason.Detail
	case c.Available == nil:
		return "may be there"
	}
	return "there"
}

// memory returns the used memory of the card, in words.
func (p *page) memory(ctx context.Context) string {
	info, err := p.server.system(ctx)
	if err != nil {
		return "unknown"
	}
	name := p.device
	if !strings.Contains(name, ":") {
		name += ":0"
	}
	for _, d := range info.Devices {
		if d.ID == name && d.Memory != nil {
			return fmt.Sprintf("%d MB", (d.Memory.Total-d.Memory.Free)/1e6)
		}
	}
	return "unknown"
}

// spoken is a text as one device spoke it.
type spoken struct {
	sound audio.Buffer
	took  time.Duration // the second time
}

// speak loads a model on a device, and speaks twice.
func (p *page) speak(ctx context.Context, m backend.ModelStatus, profile, device string) (out spoken, err error) {
	loaded, err := p.server.load(ctx, m, device)
	if err != nil {
		return out, err
	}
	_, first, err := p.server.speak(ctx, profile)
	if err != nil {
		return out, err
	}
	if out.sound, out.took, err = p.server.speak(ctx, profile); err != nil {
		return out, err
	}
	p.line("  %-8s on %s: loaded in %d ms, %.2f s of sound in %.2f s, again in %.2f s",
		device, loaded.Device, loaded.LoadMS, seconds(out.sound), first.Seconds(), out.took.Seconds())
	return out, p.keep(m.ModelName+"-"+strings.ReplaceAll(device, ":", "-")+".wav", out.sound)
}

// keep writes a sound where it is wanted, and for transcription.
func (p *page) keep(name string, sound audio.Buffer) error {
	folder := cmp.Or(p.options.keep, p.work)
	if err := os.MkdirAll(folder, 0o755); err != nil { //nolint:gosec // sounds that the user asked for
		return fmt.Errorf("keep the sound: %w", err)
	}
	path := filepath.Join(folder, name)
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("keep the sound: %w", err)
	}
	defer func() { _ = f.Close() }()
	w, err := audio.NewWAVWriter(f, sound.Rate, sound.Channels)
	if err != nil {
		return fmt.Errorf("keep the sound: %w", err)
	}
	if err := w.Write(sound.Samples); err != nil {
		return fmt.Errorf("keep the sound: %w", err)
	}
	p.sound = cmp.Or(p.sound, path)
	return w.Close()
}

// speech tries a model that speaks.
func (p *page) speech(ctx context.Context, m backend.ModelStatus) error {
	var profile struct{ ID string }
	body := map[string]any{"name": "gpu-check " + m.ModelName, "model_name": m.ModelName}
	if err := p.server.call(ctx, "POST", "/profiles", body, &profile); err != nil {
		return err
	}
	cpu, err := p.speak(ctx, m, profile.ID, "cpu")
	if err != nil {
		return err
	}
	if p.device != "" {
		if err := p.speechOnCard(ctx, m, profile.ID, cpu); err != nil {
			return err
		}
	}
	fallen, err := p.speak(ctx, m, profile.ID, p.absent)
	if err != nil {
		return err
	}
	now, err := p.server.status(ctx, m)
	if err != nil {
		return err
	}
	p.verdict(now.Device == "cpu" && now.DeviceWarning != nil && slices.Equal(fallen.sound.Samples, cpu.sound.Samples),
		"without the card %s the CPU speaks the same: %s", p.absent, why(now))
	return nil
}

func (p *page) speechOnCard(ctx context.Context, m backend.ModelStatus, profile string, cpu spoken) error {
	if err := p.server.unload(ctx, m); err != nil {
		return err
	}
	before := p.memory(ctx)
	card, err := p.speak(ctx, m, profile, p.device)
	if err != nil {
		return err
	}
	loaded := p.memory(ctx)
	now, err := p.server.status(ctx, m)
	if err != nil {
		return err
	}
	if err := p.server.unload(ctx, m); err != nil {
		return err
	}
	p.line("  memory   of the card: %s before, %s loaded, %s unloaded", before, loaded, p.memory(ctx))
	d := compare(cpu.sound, card.sound)
	p.line("  sound    %s", d)
	if now.Device == "cpu" {
		p.verdict(false, "%s does not speak with this model, the CPU did: %s", p.device, why(now))
		return nil
	}
	p.verdict(d.same(), "%s takes %.2f of the time of the CPU, and the sound is the same: %t",
		now.Device, card.took.Seconds()/max(cpu.took.Seconds(), 1e-9), d.same())
	return nil
}

// why returns why a model is on the CPU.
func why(m backend.ModelStatus) string {
	if m.DeviceWarning == nil {
		return "no reason"
	}
	return m.DeviceWarning.Detail
}

// transcription tries a model that listens.
func (p *page) transcription(ctx context.Context, m backend.ModelStatus) error {
	if p.sound == "" {
		p.line("  not tried: no model has spoken")
		return nil
	}
	texts := map[string]string{}
	times := map[string]time.Duration{}
	devices := []string{"cpu", p.absent}
	if p.device != "" {
		devices = append(devices, p.device)
	}
	for _, device := range devices {
		before := p.memory(ctx)
		loaded, err := p.server.load(ctx, m, device)
		if err != nil {
			return err
		}
		if texts[device], times[device], err = p.server.transcribe(ctx, m, p.sound); err != nil {
			return err
		}
		now, err := p.server.status(ctx, m)
		if err != nil {
			return err
		}
		same := texts[device] == texts["cpu"]
		p.line("  %-8s on %s: loaded in %d ms, %d characters in %.2f s",
			device, now.Device, loaded.LoadMS, len(texts[device]), times[device].Seconds())
		if device == p.device {
			p.line("  memory   of the card: %s before, %s loaded", before, p.memory(ctx))
		}
		switch {
		case device == p.absent:
			p.verdict(same && now.Device == "cpu" && now.DeviceWarning != nil, "without the card %s the CPU hears the same: %s", device, why(now))
		case device == "cpu":
		case now.Device == "cpu":
			p.verdict(false, "%s does not hear with this model, the CPU did: %s", device, why(now))
		default:
			p.verdict(same, "%s takes %.2f of the time of the CPU, and the text is the same: %t",
				now.Device, times[device].Seconds()/max(times["cpu"].Seconds(), 1e-9), same)
		}
	}
	return nil
}
