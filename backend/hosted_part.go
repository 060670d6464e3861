package backend

import "time"

// HostedKind is what a call of the hosted service speaks.
type HostedKind string

// The kinds of calls.
const (
	HostedKindText     HostedKind = "text"
	HostedKindDialogue HostedKind = "dialogue"
)

// HostedState is how far a paid call is.
type HostedState string

// The states of a paid call.
const (
	HostedSent     HostedState = "sent"     // the call has begun
	HostedAnswered HostedState = "answered" // it is paid and the address of its audio is known
	HostedStored   HostedState = "stored"   // the audio is in its file
	HostedLost     HostedState = "lost"     // its answer was lost: whether it was paid is not known
	HostedExpired  HostedState = "expired"  // the service deleted its audio before it was fetched
	HostedRefused  HostedState = "refused"  // the service refused it and charged nothing
)

// HostedRepeat is the param reason of errors of calls whose answer was lost and is kept by the service.
const HostedRepeat = "repeat"

// HostedPart is one paid call for a hosted generation, and its audio.
type HostedPart struct {
	Seq          int64 // the order of the calls
	GenerationID string
	N            int // the part's place in the text, from 0; a part that was sent again has a row for each call
	Kind         HostedKind
	State        HostedState
	Hash         string // SHA-256 of what was sent, in hex
	Characters   int    // Unicode code points that were sent
	Quoted       *int64 // the price before the call; nil where unknown
	Credits      *int64 // what it cost; nil where unknown
	Left         *int64 // credits after it; nil where unknown
	URL          string // of the audio, empty once it is stored
	Format       string // mp3_44100_128, ...
	File         string // path of the audio once it is stored
	SHA256       string // of the file, in hex
	CopiedFrom   string // the generation whose audio this is a copy of, which cost nothing; empty for what was paid
	CreatedAt    time.Time
	UpdatedAt    time.Time

	// With these the call is sent again after its answer was lost.
	Key     string // its Idempotency-Key, empty where the service does not keep it
	Account string // the account and the service that it was sent to
	Request string // its body in JSON, empty once it is answered
}
