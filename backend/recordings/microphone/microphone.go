//go:build !nomicrophone

// Package microphone is the sound system of the machine, opened when it is used: PulseAudio (which PipeWire implements) or ALSA
// on Linux, CoreAudio on macOS, WASAPI on Windows. It is the only package that imports malgo, the binding of miniaudio.
// With the build tag nomicrophone it is left out, because its C code takes the compiler a third as long as all Go code.
package microphone

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gen2brain/malgo"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/recordings"
)

// applicationName is how sound systems name the program that records.
const applicationName = "Voicewright"

// System is the sound system. Each call connects to it anew and disconnects, because miniaudio does not notice when a sound
// server was restarted. Its zero value is ready to use.
type System struct {
	Cookie string // where libpulse may create its cookie if the user has none; "" = in the home directory

	mu sync.Mutex // one call at a time: miniaudio enumerates into the context
}

var _ recordings.Microphones = (*System)(nil)

var errNoSoundSystem = errors.New("no sound system is running")

// connection is a connection to the sound system.
type connection struct {
	*malgo.AllocatedContext
	backend malgo.Backend
}

// connect connects to the sound system. The result is freed by disconnect.
func connect(cookie string) (*connection, error) {
	backend, ok := soundSystem(cookie)
	if !ok {
		return nil, errNoSoundSystem
	}
	name := append([]byte(applicationName), 0)
	var pinned runtime.Pinner // the name's address is in a struct that C reads
	pinned.Pin(&name[0])
	defer pinned.Unpin()
	// Without a list of backends miniaudio would end with one that records silence.
	c, err := malgo.InitContext([]malgo.Backend{backend},
		malgo.ContextConfig{Pulse: malgo.PulseContextConfig{PApplicationName: &name[0]}}, nil)
	return &connection{c, backend}, err
}

func (c *connection) disconnect() {
	_ = c.Uninit() // it fails only for a context that was not initialised
	c.Free()
}

// devices returns the microphones.
func (c *connection) devices() ([]malgo.DeviceInfo, error) {
	all, err := c.Devices(malgo.Capture)
	if err != nil {
		return nil, recordings.NoDevice().WithCause(fmt.Errorf("list microphones: %w", err))
	}
	return slices.DeleteFunc(all, func(d malgo.DeviceInfo) bool {
		return c.backend == malgo.BackendAlsa && isALSAPlugin(deviceID(d.ID))
	}), nil
}

// List implements recordings.Microphones.
func (s *System) List() ([]backend.AudioDevice, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := connect(s.Cookie)
	if err != nil {
		return []backend.AudioDevice{}, nil // without a sound system there are no microphones
	}
	defer c.disconnect()
	devices, err := c.devices()
	list := make([]backend.AudioDevice, 0, len(devices))
	for _, d := range devices {
		list = append(list, backend.AudioDevice{ID: deviceID(d.ID), Name: d.Name(), Default: d.IsDefault != 0})
	}
	return list, err
}

// Open implements recordings.Microphones.
func (s *System) Open(id string, rate int, in recordings.Input) (recordings.Microphone, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := connect(s.Cookie)
	if err != nil {
		return nil, recordings.NoDevice().WithCause(fmt.Errorf("connect to the sound system: %w", err))
	}
	m := &microphone{connection: c, input: in}
	if m.device, err = m.open(id, rate); err != nil {
		c.disconnect()
		return nil, err
	}
	return m, nil
}

// microphone is an open device with a connection of its own.
type microphone struct {
	connection *connection
	device     *malgo.Device
	input      recordings.Input

	running atomic.Bool // a stop that was not requested means that the device is lost
}

func (m *microphone) open(id string, rate int) (*malgo.Device, error) {
	devices, err := m.connection.devices()
	if err != nil {
		return nil, err
	}
	if len(devices) == 0 {
		return nil, recordings.NoDevice()
	}
	config := malgo.DefaultDeviceConfig(malgo.Capture)
	config.SampleRate = uint32(rate)
	config.Capture.Format, config.Capture.Channels = malgo.FormatF32, 1
	config.PeriodSizeInMilliseconds = 20
	config.Resampling.Linear.LpfOrder = maxFilterOrder
	config.Pulse.StreamNameCapture = "Recording"
	var pinned runtime.Pinner // the id's address is in a struct that C reads
	defer pinned.Unpin()
	if id != "" {
		chosen := find(devices, id)
		if chosen == nil {
			return nil, recordings.NotConnected(id)
		}
		pinned.Pin(chosen)
		config.Capture.DeviceID = unsafe.Pointer(chosen)
	}
	device, err := malgo.InitDevice(m.connection.Context, config, malgo.DeviceCallbacks{Data: m.data, Stop: m.stopped})
	if err != nil {
		return nil, recordings.NoDevice().WithCause(fmt.Errorf("open a microphone: %w", err))
	}
	return device, nil
}

// maxFilterOrder is the best low-pass filter of miniaudio's resampler, for sound systems that leave the resampling to it.
const maxFilterOrder = 8

func find(devices []malgo.DeviceInfo, id string) *malgo.DeviceID {
	for i := range devices {
		if deviceID(devices[i].ID) == id {
			return &devices[i].ID
		}
	}
	return nil
}

// data runs on the thread of the sound system, where a panic would end the program.
func (m *microphone) data(_, raw []byte, frames uint32) {
	defer m.recover()
	if len(raw) < 4 {
		return
	}
	m.input.Samples(unsafe.Slice((*float32)(unsafe.Pointer(&raw[0])), frames))
}

// stopped runs on the same thread.
func (m *microphone) stopped() {
	defer m.recover()
	if m.running.Load() {
		m.input.Lost()
	}
}

// recover ends the recording instead of the program.
func (m *microphone) recover() {
	if recover() != nil {
		m.input.Lost()
	}
}

// Start implements recordings.Microphone.
func (m *microphone) Start() error {
	m.running.Store(true)
	if err := m.device.Start(); err != nil {
		m.running.Store(false)
		return recordings.NoDevice().WithCause(fmt.Errorf("start a microphone: %w", err))
	}
	return nil
}

// Pause implements recordings.Microphone.
func (m *microphone) Pause() error {
	m.running.Store(false)
	err := m.device.Stop()
	if errors.Is(err, malgo.ErrDeviceNotStarted) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("pause a microphone: %w", err)
	}
	return nil
}

// Close implements recordings.Microphone.
func (m *microphone) Close() {
	m.running.Store(false)
	if m.connection.backend == malgo.BackendPulseaudio {
		_ = m.device.Stop() // Uninit alone waits forever for a device that is gone and delivers nothing
	}
	m.device.Uninit()
	m.connection.disconnect()
}
