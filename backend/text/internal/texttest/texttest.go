// Package texttest holds the texts that the tests of text and text/english share.
package texttest

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Golden returns the lines of a file of golden lines: kind, written, spoken.
func Golden(t testing.TB, file string) [][]string {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var lines [][]string
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		require.Len(t, fields, 3, line)
		lines = append(lines, fields)
	}
	return lines
}

// Hostile returns long texts that take a careless implementation more than linear time.
func Hostile() []string {
	var all []string
	for _, unit := range []string{
		"a", "5", "5 ", "5-", "5.", "5,555,", "1/", "1 1/2 ", "(", "((555) ", "\"", "'", "'90", "$", "$5-", "-", "-5", "+", "+1 ", ".", ".5",
		"@", "a@b.c", "#", "#a", "/", "/a", "a.", "A.", "a_b", "_", "[", "[[", "[[a", "[[a|b]]", "[laugh", "<", "<p", "<p a=\"", "<break ",
		"]", ">", "=", "a=", "*", "&", "&amp;", "😀", "👨‍👩‍👧", "\u0301", "\u200d", "²", "½", "5²", "5½", "XVI ", "Henry I", "AB", "ABCs ", "aB",
		"Dr. ", "St. ", "No. ", "Jan. ", "Mon., ", "5:55", "5:55-", "5 am", "5x5", "5 x ", "5e", "10^", "0x", "http://", "www.", "12 March ",
		"\xff", "5'5", "5° ", "5 km/", "sq ", "sq sq", "\n", "字", "العربية ", "a-", "e.g.", "p.m. ", "USD 5", "1.1.",
	} {
		all = append(all, strings.Repeat(unit, 200_000/len(unit)))
	}
	return append(all, strings.Repeat("x", 5000), strings.Repeat("X", 5000))
}
