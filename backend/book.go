package backend

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// Book is a manuscript that is made an audiobook: its chapters, and how they are spoken. The text of a chapter is a BookText.
type Book struct {
	ID string `json:"id"`
	BookDetails
	Options BookOptions `json:"options"`
	Depth   int         `json:"depth"`  // entries of the table of contents down to this level begin a chapter
	Depths  []int       `json:"depths"` // how many chapters there are at each level, from 1
	Source  BookSource  `json:"source"`
	Cover   string      `json:"cover"` // name of the file in the folder of the book, empty without one
	// Profiles has a key of what makes the sound of each profile that the book uses, as it was when last read.
	Profiles   map[string]string `json:"profiles,omitempty"`
	Dictionary string            `json:"dictionary,omitempty"` // the key of the one in which the words of the chapters were found; empty for none
	// Samples are the first words of each class.
	Samples   map[TextClass]string `json:"samples"`
	Run       BookRun              `json:"run"`
	Undos     int                  `json:"undos"` // how many changes can be undone
	CreatedAt time.Time            `json:"created_at"`
	UpdatedAt time.Time            `json:"updated_at"`

	Chapters     []BookChapter `json:"-"`
	MissingVoice string        `json:"-"` // the name of a deleted profile that a chapter is to be spoken with
	Place        BookPlace     `json:"-"`
}

// BookPlace is where somebody listens to a book.
type BookPlace struct {
	ChapterID string  `json:"chapter_id"`
	Seconds   float64 `json:"seconds" doc:"from the beginning of the chapter"`
}

// BookDetails is what a book says about itself.
type BookDetails struct {
	Title       string `json:"title"`
	Author      string `json:"author"`
	Narrator    string `json:"narrator"`
	Language    string `json:"language" doc:"BCP 47"`
	Description string `json:"description"`
	Publisher   string `json:"publisher"`
	Year        string `json:"year"`
	Genre       string `json:"genre"`
	ISBN        string `json:"isbn"`
	Series      string `json:"series"`
	SeriesPart  string `json:"series_part"`
}

// The longest details of a book, in characters: each one, as the title of a chapter, and the description.
const (
	MaxBookDetail      = 1000
	MaxBookDescription = 20_000
)

// Check returns a ValidationError for a book without a title, and for details that are too long.
func (d BookDetails) Check() error {
	if f := checkLength("title", d.Title, MaxBookDetail); f != nil {
		return &ValidationError{Fields: []FieldError{*f}}
	}
	for field, value := range map[string]string{
		"author": d.Author, "narrator": d.Narrator, "language": d.Language, "publisher": d.Publisher, "year": d.Year, "genre": d.Genre,
		"isbn": d.ISBN, "series": d.Series, "series_part": d.SeriesPart, "description": d.Description,
	} {
		limit := MaxBookDetail
		if field == "description" {
			limit = MaxBookDescription
		}
		if utf8.RuneCountInString(value) > limit {
			return Invalid("string_too_long", "String should have at most "+strconv.Itoa(limit)+" characters", "body", field)
		}
	}
	return nil
}

// BookDetailsPatch changes the given fields only.
type BookDetailsPatch struct {
	Title       *string `json:"title,omitempty" maxLength:"1000"`
	Author      *string `json:"author,omitempty" maxLength:"1000"`
	Narrator    *string `json:"narrator,omitempty" maxLength:"1000"`
	Language    *string `json:"language,omitempty" maxLength:"1000" doc:"BCP 47"`
	Description *string `json:"description,omitempty" maxLength:"20000"`
	Publisher   *string `json:"publisher,omitempty" maxLength:"1000"`
	Year        *string `json:"year,omitempty" maxLength:"1000"`
	Genre       *string `json:"genre,omitempty" maxLength:"1000"`
	ISBN        *string `json:"isbn,omitempty" maxLength:"1000"`
	Series      *string `json:"series,omitempty" maxLength:"1000"`
	SeriesPart  *string `json:"series_part,omitempty" maxLength:"1000"`
}

// Apply changes the given fields of the details.
func (c BookDetailsPatch) Apply(d *BookDetails) {
	set(&d.Title, c.Title)
	set(&d.Author, c.Author)
	set(&d.Narrator, c.Narrator)
	set(&d.Language, c.Language)
	set(&d.Description, c.Description)
	set(&d.Publisher, c.Publisher)
	set(&d.Year, c.Year)
	set(&d.Genre, c.Genre)
	set(&d.ISBN, c.ISBN)
	set(&d.Series, c.Series)
	set(&d.SeriesPart, c.SeriesPart)
}

// BookSource is the file that a book was read from.
type BookSource struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// BookOptions are how a book is spoken, or one of its chapters, where empty fields are those of the book.
type BookOptions struct {
	ProfileID      string            `json:"profile_id,omitempty" doc:"UUID of the voice profile"`
	ProfileName    string            `json:"profile_name,omitempty" readOnly:"true" doc:"its name when it was chosen"`
	Voice          string            `json:"voice,omitempty" maxLength:"200" doc:"MODEL:VOICE instead of the profile's voice"`
	Language       string            `json:"language,omitempty" maxLength:"35" doc:"BCP 47"`
	Speed          *float64          `json:"speed,omitempty" minimum:"0.25" maximum:"4"`
	Pauses         PauseOptions      `json:"pauses,omitempty"`
	ChapterPause   *float64          `json:"chapter_pause,omitempty" minimum:"0" maximum:"10" doc:"seconds after a chapter in an exported book; default 2"`
	Pronunciations map[string]string `json:"pronunciations,omitzero" doc:"word to respelling or /ipa/, over the dictionary; up to 1,000"`
	Read           []TextClass       `json:"read,omitzero" doc:"classes of words that are read aloud, which are left out otherwise"`
}

// Over returns o with the fields of base where it has none.
func (o BookOptions) Over(base BookOptions) BookOptions {
	out := base
	if o.ProfileID != "" {
		out.ProfileID, out.ProfileName, out.Voice = o.ProfileID, o.ProfileName, ""
	}
	if o.Voice != "" {
		out.Voice = o.Voice
	}
	if o.Language != "" {
		out.Language = o.Language
	}
	if o.Speed != nil {
		out.Speed = o.Speed
	}
	for to, value := range map[**float64]*float64{
		&out.Pauses.Sentence: o.Pauses.Sentence, &out.Pauses.Paragraph: o.Pauses.Paragraph,
		&out.Pauses.Heading: o.Pauses.Heading, &out.Pauses.Scene: o.Pauses.Scene, &out.ChapterPause: o.ChapterPause,
	} {
		if value != nil {
			*to = value
		}
	}
	if o.Pronunciations != nil {
		out.Pronunciations = o.Pronunciations
	}
	if o.Read != nil {
		out.Read = o.Read
	}
	return out
}

// Reads reports whether words of a class are read aloud.
func (o BookOptions) Reads(class TextClass) bool {
	return class == "" || slices.Contains(o.Read, class)
}

// Key identifies how words are spoken: generations with the same key and text have the same sound.
func (o BookOptions) Key() string {
	if o.ProfileName, o.Read, o.ChapterPause = "", nil, nil; len(o.Pronunciations) == 0 {
		o.Pronunciations = nil
	}
	content, _ := json.Marshal(o) // it has nothing that cannot be encoded
	return BookKey(content)
}

// VoiceKey is the key of the options of a chapter with those of its profile and of its words in the dictionary.
func (b *Book) VoiceKey(c *BookChapter) string {
	o := c.Options.Over(b.Options)
	return BookKey([]byte(o.Key() + b.Profiles[o.ProfileID] + c.Words))
}

// BookKey returns the key of a content.
func BookKey(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:16])
}

// BookText is the text of chapters, by the key of its content.
type BookText struct {
	Key    string
	Blocks []Block
}

// NewBookText returns blocks with their key.
func NewBookText(blocks []Block) BookText {
	content, _ := json.Marshal(blocks) // it has nothing that cannot be encoded
	return BookText{BookKey(content), blocks}
}

// BookChapter is a chapter of a book.
type BookChapter struct {
	ID         string      `json:"id"`
	Title      string      `json:"title"`
	Renamed    bool        `json:"renamed,omitempty"` // by the user
	Level      int         `json:"level"`
	Text       string      `json:"text"`   // the key of its blocks
	Counts     []BookCount `json:"counts"` // its words by class
	Asks       []string    `json:"asks"`   // the keys of the texts that are to be spoken, one a part; none where nothing is
	Characters int         `json:"characters"`
	Language   string      `json:"language,omitempty"` // that the file states for it; empty where that is the one of the book
	Skipped    bool        `json:"skipped,omitempty"`
	Wanted     bool        `json:"wanted,omitempty"` // it is generated, or waits to be
	Again      bool        `json:"again,omitempty"`  // it is to be spoken anew, although it has sound
	Options    BookOptions `json:"options"`
	Words      string      `json:"words,omitempty"`    // the key of the entries of the user's dictionary that are applied in it
	Accepted   *int64      `json:"accepted,omitempty"` // the price in credits that the user accepted for it; nil = none was asked
	Parts      []BookPart  `json:"parts,omitempty"`    // its sound
	Pending    []BookPart  `json:"pending,omitempty"`  // the sound that replaces it when all parts are complete
	Failure    *Failure    `json:"failure,omitempty"`
}

// BookPart is a part of a chapter with the generation that is its sound.
type BookPart struct {
	Generation string `json:"generation"`      // its id
	Text       string `json:"text"`            // the key of what it was asked to speak
	Voice      string `json:"voice"`           // the key of its options
	Version    int    `json:"version"`         // of the generation: another one has another text, which was changed in the Studio
	Price      int64  `json:"price,omitempty"` // of what is accepted for its chapter, in credits, until the chapter is complete
}

// Same reports whether two parts have the same sound.
func (p BookPart) Same(other BookPart) bool { return p.Text == other.Text && p.Voice == other.Voice }

// BookCount is how many words and characters of a class there are.
type BookCount struct {
	Class      TextClass `json:"class,omitempty"` // empty for the text of the work
	Words      int       `json:"words"`
	Characters int       `json:"characters"`
}

// BookRun is what was generated since generating was last requested.
type BookRun struct {
	Generated int `json:"generated"` // passages that were spoken
	Reused    int `json:"reused"`    // passages that were taken from earlier generations
}

// BookState is a former state of a book, to which a change can be undone.
type BookState struct {
	Depth    int                  `json:"depth"`
	Depths   []int                `json:"depths"`
	Options  BookOptions          `json:"options"`
	Source   BookSource           `json:"source"`
	Chapters []BookChapter        `json:"chapters"`
	Samples  map[TextClass]string `json:"samples,omitempty"`

	Dictionary string `json:"dictionary,omitempty"`
}

// MaxBookStates is how many changes of a book can be undone.
const MaxBookStates = 20

// State returns the state of a book.
func (b Book) State() BookState {
	return BookState{b.Depth, b.Depths, b.Options, b.Source, b.Chapters, b.Samples, b.Dictionary}
}
