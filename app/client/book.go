package client

import (
	"github.com/voicewright/voicewright/backend/books"
)

// Book is a book as the API returns it.
type Book struct {
	books.View
	CoverURL string `json:"cover_url,omitempty"`
	Output   string `json:"output,omitempty"` // the file or folder that a command wrote
}

// BookRow is a book in a list.
type BookRow struct {
	books.Summary
	CoverURL string `json:"cover_url,omitempty"`
	Chapters struct {
		Done  int `json:"done"`
		Total int `json:"total"`
	} `json:"chapters"` // that are not skipped
}

// Done returns how many chapters there are that are not skipped, and how many of them have all their sound.
func (b Book) Done() (done, all int) {
	for _, c := range b.Chapters {
		if c.Skipped {
			continue
		}
		all++
		if c.State == books.StateDone {
			done++
		}
	}
	return done, all
}

// BookWord is a word of a book that may be read wrongly.
type BookWord struct {
	Word   string `json:"word"`
	Kind   string `json:"kind"` // capitals, roman or name
	Count  int    `json:"count"`
	Sample string `json:"sample"` // its first place, with the words around it
}
