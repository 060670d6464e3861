package chapter_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/chapter"
)

func TestParse(t *testing.T) {
	for line, want := range map[string]chapter.Rank{
		"Chapter 1": chapter.Chapter, "CHAPTER XII.": chapter.Chapter, "Chapter the First": chapter.Chapter, "Chapter Twenty-One": chapter.Chapter,
		"Book the Second--The Golden Thread": chapter.Part, "PART ONE": chapter.Part, "First Part": chapter.Part, "Scene 2: A room": chapter.Chapter,
		"CHAPTER I      The Period": chapter.Chapter, "CHAPTER I DOWN THE RABBIT-HOLE": chapter.Chapter, "Chapter 1. Loomings.": chapter.Chapter,
		"Erstes Kapitel": chapter.Chapter, "1. Kapitel": chapter.Chapter, "Kapitel 12": chapter.Chapter, "Zweiter Teil": chapter.Part,
		"Einundzwanzigstes Kapitel": chapter.Chapter, "Kapitel zwölf": chapter.Chapter, "Siebzehntes Kapitel": chapter.Chapter,
		"Chapitre premier": chapter.Chapter, "PREMIÈRE PARTIE": chapter.Part, "Chapitre vingt et un": chapter.Chapter,
		"Capítulo primero": chapter.Chapter, "Segunda parte": chapter.Part, "Capítulo treinta y uno": chapter.Chapter,
		"CAPITOLO I": chapter.Chapter, "Parte prima": chapter.Part, "Capitolo quattordicesimo": chapter.Chapter,
		"Capítulo décimo primeiro": chapter.Chapter, "Primeira parte": chapter.Part, "Capítulo vinte e um": chapter.Chapter,
		"Eerste hoofdstuk": chapter.Chapter, "Hoofdstuk eenentwintig": chapter.Chapter, "Tweede deel": chapter.Part,
		"Глава первая": chapter.Chapter, "ЧАСТЬ ВТОРАЯ": chapter.Part, "Глава двадцать первая": chapter.Chapter, "Глава 3. Буря": chapter.Chapter,
		"Rozdział III": chapter.Chapter, "第一章 猫": chapter.Chapter, "第二部": chapter.Part, "제1장": chapter.Chapter, "Section 4": chapter.Section,
	} {
		h, ok := chapter.Parse(line)
		require.True(t, ok, line)
		require.Equal(t, want, h.Rank, line)
		require.NotEmpty(t, h.Number, line)
	}
	for _, line := range []string{
		"", "Chapter", "Part of the plan", "Part one of the plan was simple.", "The first book that he read", "Part did.", "第三十条", "Book me a room",
		"Chapter and verse", "Letter to my sister", "A second part",
	} {
		_, ok := chapter.Parse(line)
		require.False(t, ok, line)
	}
	h, _ := chapter.Parse("CHAPTER I.  Down the Rabbit-Hole")
	require.Equal(t, chapter.Heading{Rank: chapter.Chapter, Word: "chapter", Number: "i", Title: "Down the Rabbit-Hole"}, h)
}

func TestNumeral(t *testing.T) {
	for line, want := range map[string]int{
		"1": 1, "12.": 12, "IV": 4, "xiv.": 14, "XIIII": 14, "IX. The Engineer's Thumb": 9, "3. Home": 3, "1984": 1984, "IIX": 0, "word": 0, "": 0, "mild": 0,
		"IC": 0, "I said so.": 0, "I am Legend": 0,
	} {
		_, n := chapter.Numeral(line)
		require.Equal(t, want, n, line)
	}
}

func TestNames(t *testing.T) {
	require.Equal(t, chapter.Part, chapter.Named("EPILOGUE."))
	require.Equal(t, chapter.Chapter, chapter.Named("Interlude"))
	require.Zero(t, chapter.Named("The epilogue of it"))
	require.True(t, chapter.IsContents("CONTENTS."))
	require.False(t, chapter.IsContents("Contents of the box"))
	require.True(t, chapter.IsScene(" * * * "))
	require.True(t, chapter.IsTitle("The Pool of Tears"))
	require.True(t, chapter.IsTitle("LOOMINGS."))
	for _, line := range []string{"He went.", "and so on", "“Yes,” she said,", "A very long line that goes on and on and on for many words of text"} {
		require.False(t, chapter.IsTitle(line), line)
	}
}
