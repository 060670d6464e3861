package english_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	textenglish "github.com/voicewright/voicewright/backend/text/english"
	"github.com/voicewright/voicewright/engines/english"
)

// emphasised are sentences with words in capitals that are read as words, spelledOut those with words that are read letter by
// letter, divided by |.
const (
	emphasised = `You must NOT do this.|You did WHAT?|It WAS fine.|I am SO tired.|I said YOU!|THEY did it.|WE know.|SHE told me.|HE did not.
I like IT.|Give it to ME.|It was HER, not HIM.|That is MY book.|Is this YOUR car?|It was HIS idea.|This is OUR house.|It is THEIR fault.
Look at THEM!|THIS one.|THAT one.|I want THESE.|Not THOSE!|Come HERE.|Go THERE.|Do it NOW.|And THEN what?|I NEVER said so.
She ALWAYS wins.|It is VERY hot.|Me TOO!|That is too MUCH.|I need MORE.|ALL of it.|Not ANY of it.|Have SOME.|I said NO.|YES, sir!
STOP it.|GO away.|RUN!|COME on!|LOOK out!|WAIT for me.|HELP him.|PLEASE stay.|You MUST come.|You SHOULD see it.|I WILL go.|I WOULD if I could.
Yes, I CAN.|If only I COULD!|You MAY go.|He MIGHT come.|I DO like it.|He DID it.|She DOES care.|He IS here.|We ARE late.|They WERE here.
BE careful!|I have BEEN there.|We HAVE time.|She HAS it.|We HAD it.|I AM happy.|AM I late?|WHO is it?|WHERE is he?|WHEN was that?|WHY not?
HOW did he do it?|Tea AND cake.|Now OR never.|Yes, BUT how?|IF he comes.|It is THE place.|I ONLY ask.|JUST go.|I REALLY mean it.|STILL here.
EVEN you?|Did you EVER see it?|Not AGAIN!|Go BACK.|Get OUT!|Stand UP.|Sit DOWN.|It is OVER.|Turn it OFF.|Put it ON.|Come IN!|Look AT it.
Give it TO him.|It is made OF wood.|Is it FOR me?|It came FROM him.|WITH milk?|BY him.|It is FREE.|A NEW one.|A BIG dog.|A GOOD boy.|Too BAD.
The BEST one.|The FIRST time.|The LAST one.|ONE of us.|TWO of them.|TEN men.|I LOVE it.|I HATE her.|I NEED it.|I KNOW that.|I THINK so.
SEE it?|I can HEAR you.|TELL me.|She SAID it.|READ this.|They LIVE here.|USE it.|That is WRONG.|You are RIGHT.|He LEFT.|It is OPEN.|A SALE today.
Not TODAY.|DANGER ahead.|An URGENT matter.|EXIT here.|So SORRY.|THANKS a lot.|Oh MONEY!|It is TIME.|Go HOME.|At WORK.|For LIFE.|Till DEATH.
This is WAR.|In PEACE.|Oh GOD!|The WHOLE world.|My CHILDREN.|You LIE!|He will DIE.|HIT it.|SIT there.|He SAT down.|I will ACT now.
ADD it to the list.|He LED us home.|The EYE of it.|An OLD man.|TRY it.|ASK him.|EAT up!|HOLD it!|A HUGE crowd.|The FIFTH man.|No DOUBT.
A DEEP debt.|Tell US now!|It was US!|All of US.|It is for US!|Come with US.|It is IT that counts.|DON'T go.|I CAN'T go.|WON'T you?|ISN'T it?|IT'S late.|WHO'S there?
YOU'RE late.|I'VE seen it.|THEY'LL come.|NASA flew.|NATO met.|UNESCO said so.|He has AIDS.|The RAM is full.|A PIN code.|The OPEC states.
A UNICEF card.|The LASER beam.|RADAR shows it.|The SCUBA diver.|A JPEG file.|AND THEN IT WAS US WHO WON|DO NOT GO IN THERE`
	spelledOut = `The FBI came.|The CIA knew.|Our IT department.|The IT team left.|She works in IT.|The head of IT.|An IT manager.|IT support called.|The US army.
The US won.|US troops left.|US and China met.|A deal between US and Chinese firms.|It is for US and other markets.|In the US.|A US-based firm.|The WHO director.|The WHO said so.|WHO guidelines changed.|A WHO report.|According to WHO.
The UN met.|The EU and the UK.|An FBI agent.|The BBC news.|On CNN.|IBM sold it.|The CEO left.|Our HR person.|A DNA test.|HIV is a virus.|A TV set.
My PC broke.|A CPU and a GPU.|The USB port.|An ATM card.|A VIP guest.|A UFO landed.|The NBA game.|An NFL team.|The YMCA.|At UCLA.|The USSR fell.
The OECD report.|An MRI scan.|My GPA fell.|An MBA degree.|The SAT score.|An LED lamp.|The ACT test.|He has ADD.|The HTML page.|The PDF file.
The URL is long.|An API call.|The IRS letter.|An HDMI cable.|At ESPN.|The NYPD came.|A PhD from MIT.|The GDP fell.|An SUV passed.
The LGBTQ flag.|The RSPCA.|BMW cars.|The DVD.|A PR firm.|An ID card.|5 AM.|The NHS.|The KGB.|An RPG game.`
)

func sentences(table string) []string {
	return strings.FieldsFunc(table, func(r rune) bool { return r == '|' || r == '\n' })
}

// inCapitals returns the words of a sentence that are written in capitals.
func inCapitals(sentence string) []string {
	var found []string
	for _, w := range strings.FieldsFunc(sentence, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) }) {
		if len(w) > 1 && w == strings.ToUpper(w) {
			found = append(found, w)
		}
	}
	return found
}

// bare removes stress and spaces from phonemes.
var bare = strings.NewReplacer("ˈ", "", "ˌ", "", " ", "", "T", "t")

func TestWordsInCapitalsAreWordsAndAcronymsAreLetters(t *testing.T) {
	e := english.New(nil)
	checked := 0
	check := func(table string, spelled bool) {
		for _, sentence := range sentences(table) {
			for _, read := range []string{sentence, textenglish.Normalize(sentence)} {
				sound := bare.Replace(speak(t, e, read))
				for _, w := range inCapitals(sentence) {
					letters := bare.Replace(speak(t, e, strings.Join(strings.Split(w, ""), ".")+"."))
					assert.Equal(t, spelled, strings.Contains(sound, strings.Trim(letters, ".")), "%s in %q: %s", w, read, sound)
				}
			}
			checked++
		}
	}
	check(emphasised, false)
	check(spelledOut, true)
	t.Log(checked)
	require.GreaterOrEqual(t, checked, 150)
}

func TestCapitalsAreWordsAsOftenAsInTheReference(t *testing.T) {
	e := english.New(nil)
	for _, x := range examples(t, "testdata/capitals.jsonl.gz") {
		letters := bare.Replace(speak(t, e, strings.Join(strings.Split(strings.ToUpper(x.Word), ""), ".")+"."))
		if letters = strings.Trim(letters, "."); len(x.Word) < 2 || strings.Contains(bare.Replace(x.Phonemes), letters) {
			continue
		}
		require.NotContains(t, bare.Replace(speak(t, e, x.Text)), letters, x.Text)
		require.NotContains(t, bare.Replace(speak(t, e, textenglish.Normalize(x.Text))), letters, x.Text)
	}
}
