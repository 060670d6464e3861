package enhance

import "strings"

// speechVerbs are the verbs beside a quotation that say how it is spoken, in the forms that stories use.
var speechVerbs = wordTags(map[tag]string{
	whispers:  "whisper whispers whispered whispering murmur murmurs murmured murmuring mutter mutters muttered breathed mouthed",
	laughs:    "laugh laughs laughed laughing",
	chuckles:  "chuckle chuckles chuckled chuckling giggle giggles giggled giggling snickered chortled",
	sighs:     "sigh sighs sighed sighing groan groans groaned groaning moaned",
	shouts:    "shout shouts shouted shouting yell yells yelled yelling scream screams screamed screaming bellowed roared hollered",
	crying:    "sob sobs sobbed sobbing weep weeps wept weeping whimper whimpered wailed",
	gasps:     "gasp gasps gasped gasping",
	angry:     "snap snaps snapped snarl snarls snarled growl growled barked fumed raged spat",
	sarcastic: "sneer sneers sneered scoff scoffs scoffed smirked",
	curious:   "wonder wonders wondered inquired enquired",
	excited:   "exclaim exclaims exclaimed squeal squealed cheer cheered gushed beamed",
	nervous:   "stammer stammers stammered stutter stutters stuttered faltered gulped",
	sad:       "lamented mourned",
})

// speechAdverbs are the adverbs beside a quotation that say how it is spoken.
var speechAdverbs = wordTags(map[tag]string{
	whispers:  "quietly softly",
	angry:     "angrily furiously coldly bitterly",
	sad:       "sadly mournfully glumly",
	excited:   "excitedly eagerly enthusiastically",
	happy:     "happily cheerfully brightly joyfully",
	nervous:   "nervously anxiously",
	sarcastic: "sarcastically dryly drily",
	curious:   "curiously",
	crying:    "tearfully",
	hesitates: "hesitantly",
	shouts:    "loudly",
})

// The weights of what speaks for a tag. Several kinds of evidence in one sentence add up, to phrase at most: then the first of
// two such sentences has the tag, not the longer one.
const (
	said     = 12 // a verb beside a quotation
	sound    = 9  // a sound of the voice is written out
	phrase   = 8  // says the mood by itself
	shouting = 6  // capitals
	marks    = 5  // ?! or !!
	feeling  = 4  // a word of feeling
	trailing = 3  // an ellipsis
	mark     = 2  // one mark
)

// soundPhrases are sounds of the voice that a text writes out; the tag goes before them.
var soundPhrases = phraseTags(map[tag]string{
	sighs:    "ugh|sigh|phew|alas|oh well|oh dear|sheesh",
	gasps:    "gasp|oh no|oh my god|oh my goodness|good heavens",
	whispers: "shh|shhh|psst",
	laughs:   "lol|lmao|rofl",
})

// moodPhrases say the mood of the sentence by themselves.
var moodPhrases = phraseTags(map[tag]string{
	sarcastic: "yeah right|oh great|oh sure|oh wonderful|oh brilliant|oh fantastic|how original|what a surprise|big surprise|" +
		"just what i needed|thanks for nothing|good luck with that|how convenient|lucky me",
	excited: "wow|woohoo|yay|hooray|hurray|yippee|can't wait|cannot wait|we won|i won|we did it|you did it|i did it|best day ever|" +
		"guess what|congratulations",
	whispers: "don't tell anyone|do not tell anyone|keep it a secret|our little secret|keep your voice down|between you and me|" +
		"they can hear us|they'll hear us|don't wake|be very quiet",
	angry: "how dare|fed up|sick of|sick and tired|get out of|leave me alone|shut up|had enough|i hate",
	sad: "passed away|miss you|miss him|miss her|miss them|heartbroken|broke my heart|say goodbye|never see you again|so sorry for|" +
		"sorry for your loss|i'm so sorry|all alone|gone forever",
	surprised: "no way|i can't believe|i cannot believe|what on earth|you're kidding|are you serious|out of nowhere",
	curious:   "i wonder|i'm curious|have you ever|did you know|what if",
	nervous:   "i'm scared|i'm afraid of|i'm so nervous|i'm terrified|we're going to die|what was that|is someone there|is anyone there",
	crying:    "can't stop crying|in tears",
	happy:     "i'm so happy|so glad|i'm so proud|made my day|i love you|i love it|thank you so much",
})

// hesitations begin a sentence that is looking for words.
var hesitations = phraseTags(map[tag]string{hesitates: "um|umm|uh|uhm|er|erm|hmm|hm|well|i mean|you know"})

// feelings are words that count only for who speaks, not for somebody who is spoken of.
var feelings = wordTags(map[tag]string{
	excited: "amazing incredible fantastic awesome thrilled thrilling exciting excited spectacular astonishing wonderful brilliant " +
		"finally unbelievable",
	happy:   "happy glad delighted lovely beautiful grateful",
	sad:     "sad sadly lonely tragic grief funeral mourn sorrow hopeless regret miserable died",
	angry:   "furious angry outrageous disgusting ridiculous unacceptable betrayed lied idiot idiots",
	nervous: "nervous scared terrified afraid worried anxious trembling",
	curious: "curious strange odd mysterious peculiar",
	crying:  "crying sobbing",
})

// negations within negationReach words before a feeling take it back.
var negations = wordSet("not no never without hardly nothing " +
	"isn't wasn't aren't weren't don't didn't doesn't can't couldn't won't wouldn't")

const negationReach = 3

var (
	firstAndSecond = wordSet("i i'm i've i'll i'd me my we we're we've us our you you're your")
	third          = wordSet("he he's she she's they they're him her his their them")
	questionWords  = wordSet("what what's why how where when who who's which do does did have could")
	// shouted are words that are shouted when they stand alone in capitals; others are more likely to be abbreviations.
	shouted = wordSet("stop no never now what why help run yes out wait love really so hate always not very all mine go fire")
)

// faces are emoji that show how the words beside them are spoken, in every language.
var faces = map[rune]tag{
	'😂': laughs, '🤣': laughs, '😆': laughs, '😢': sad, '😞': sad, '😭': crying, '😡': angry, '😠': angry, '🤬': angry,
	'😱': surprised, '😲': surprised, '😮': surprised, '🤔': curious, '😏': sarcastic, '🙄': sarcastic, '🤫': whispers, '🎉': excited,
	'🤩': excited, '😔': sad, '😊': happy, '😄': happy, '😰': nervous, '😨': nervous,
}

func wordTags(lists map[tag]string) map[string]tag {
	all := map[string]tag{}
	for t := range tag(len(names)) {
		for w := range strings.FieldsSeq(lists[t]) {
			all[w] = t
		}
	}
	return all
}

func wordSet(list string) map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		all[w] = true
	}
	return all
}

// taggedPhrase is the words of a phrase after the first, and its tag.
type taggedPhrase struct {
	more []string
	tag  tag
}

// phraseTags returns phrases by their first word.
func phraseTags(lists map[tag]string) map[string][]taggedPhrase {
	all := map[string][]taggedPhrase{}
	for t := range tag(len(names)) {
		for p := range strings.SplitSeq(lists[t], "|") {
			if w := strings.Fields(p); len(w) > 0 {
				all[w[0]] = append(all[w[0]], taggedPhrase{w[1:], t})
			}
		}
	}
	return all
}

// findPhrase returns the tag of the phrase with which words begin.
func findPhrase(phrases map[string][]taggedPhrase, words []word) tag {
	if len(words) == 0 {
		return none
	}
next:
	for _, p := range phrases[words[0].lower] {
		if len(p.more) >= len(words) {
			continue
		}
		for i, w := range p.more {
			if words[i+1].lower != w {
				continue next
			}
		}
		return p.tag
	}
	return none
}

// isLaughter reports whether a word is written laughter: haha, hehehe, ha-ha.
func isLaughter(lower string) bool {
	s := strings.ReplaceAll(lower, "-", "")
	for syllable, times := range map[string]int{"ha": 2, "he": 2, "ja": 3, "ха": 2} { // German "jaja" is no laughter
		if strings.Count(s, syllable) >= times && strings.Trim(strings.ReplaceAll(s, syllable, ""), "aehjах") == "" {
			return true
		}
	}
	return false
}
