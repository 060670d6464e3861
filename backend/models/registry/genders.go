package registry

import "strings"

// The names of published Piper voices and speakers whose gender is known. The index of the voices has none.
const (
	femalePiper = " alba amy anna berta cori eva_k gosia hfc_female huayan irina jenny_dioco kathleen kerstin kristin lada lessac " +
		"ljspeech nathalie paola ramona salka siwis southern_english_female tetiana ugla vais1000 "
	malePiper = " alan bryce bui cadu carlfm danny darkman davefx denis dmitri edresson faber fahrettin gilles harri hfc_male imre " +
		"jeff jirka joe john karlsson mc_speech mykyta norman northern_english_male pavoque pim riccardo ruslan ryan steinn thorsten tom "
)

// piperGender returns the gender of a Piper voice, empty where it is not known.
func piperGender(name string) string {
	switch word := " " + name + " "; {
	case strings.Contains(femalePiper, word):
		return "female"
	case strings.Contains(malePiper, word):
		return "male"
	}
	return ""
}
