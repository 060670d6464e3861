package app_test

import (
	"encoding/json"
	"math"
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// articles is Article 1 of the Universal Declaration of Human Rights (in the public domain) by language.
var articles = map[string]string{
	"en-US": "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood.",
	"en-GB": "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood.",
	"de":    "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen.",
	"fr":    "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité.",
	"es":    "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia, deben comportarse fraternalmente los unos con los otros.",
	"it":    "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti. Essi sono dotati di ragione e di coscienza e devono agire gli uni verso gli altri in spirito di fratellanza.",
	"pt":    "Todos os seres humanos nascem livres e iguais em dignidade e em direitos. Dotados de razão e de consciência, devem agir uns para com os outros em espírito de fraternidade.",
	"nl":    "Alle mensen worden vrij en gelijk in waardigheid en rechten geboren. Zij zijn begiftigd met verstand en geweten, en behoren zich jegens elkander in een geest van broederschap te gedragen.",
	"sv":    "Alla människor är födda fria och lika i värde och rättigheter. De är utrustade med förnuft och samvete och bör handla gentemot varandra i en anda av broderskap.",
	"da":    "Alle mennesker er født frie og lige i værdighed og rettigheder. De er udstyret med fornuft og samvittighed, og de bør handle mod hverandre i en broderskabets ånd.",
	"fi":    "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan. Heille on annettu järki ja omatunto, ja heidän on toimittava toisiaan kohtaan veljeyden hengessä.",
	"pl":    "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem i powinni postępować wobec innych w duchu braterstwa.",
	"cs":    "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím a mají spolu jednat v duchu bratrství.",
	"hu":    "Minden emberi lény szabadon születik és egyenlő méltósága és joga van. Az emberek, ésszel és lelkiismerettel bírván, egymással szemben testvéri szellemben kell hogy viseltessenek.",
	"ro":    "Toate ființele umane se nasc libere și egale în demnitate și în drepturi. Ele sunt înzestrate cu rațiune și conștiință și trebuie să se comporte unele față de altele în spiritul fraternității.",
	"ru":    "Все люди рождаются свободными и равными в своём достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства.",
	"uk":    "Всі люди народжуються вільними і рівними у своїй гідності та правах. Вони наділені розумом і совістю і повинні діяти у відношенні один до одного в дусі братерства.",
	"bg":    "Всички хора се раждат свободни и равни по достойнство и права. Те са надарени с разум и съвест и следва да се отнасят помежду си в дух на братство.",
	"el":    "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση, και οφείλουν να συμπεριφέρονται μεταξύ τους με πνεύμα αδελφοσύνης.",
	"tr":    "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler.",
	"id":    "Semua orang dilahirkan merdeka dan mempunyai martabat dan hak yang sama. Mereka dikaruniai akal dan hati nurani dan hendaknya bergaul satu sama lain dalam semangat persaudaraan.",
	"vi":    "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi. Mọi con người đều được tạo hóa ban cho lý trí và lương tâm và cần phải đối xử với nhau trong tình anh em.",
	"hi":    "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतंत्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है।",
	"ar":    "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق، وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء.",
	"cmn":   "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
	"ko":    "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.",
}

// measured returns the loudness in LUFS and the true peak in dBTP of a generation.
func measured(t *testing.T, g object) (lufs, peak float64) {
	t.Helper()
	f, err := os.Open(g["audio_path"].(string))
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	b, err := audio.ReadWAV(f)
	require.NoError(t, err)
	m := audio.NewMeter(b.Rate, b.Channels)
	m.Write(b.Samples)
	lufs, ok := m.Integrated()
	require.True(t, ok)
	return lufs, 20 * math.Log10(m.TruePeak())
}

// requireLoudness requires a generation to be within 0.5 LU of -16 LUFS with a true peak of at most -1 dB. With -v it prints what it
// would be without normalisation and with a single gain, which takes two more generations.
func requireLoudness(t *testing.T, s *server, name string, request object) {
	t.Helper()
	speak := func(options object) (object, float64, float64) {
		body := object{}
		for _, part := range []object{request, options} {
			for key, value := range part {
				body[key] = value
			}
		}
		raw, err := json.Marshal(body)
		require.NoError(t, err)
		status, answer := s.request("POST", "/generate", string(raw))
		require.Equal(t, http.StatusOK, status, answer)
		g := parseJSON(t, answer)
		lufs, peak := measured(t, g)
		return g, lufs, peak
	}
	g, lufs, peak := speak(nil)
	level := g["receipt"].(object)["level"].(object)
	if testing.Verbose() {
		_, own, ownPeak := speak(object{"normalize": false})
		_, alone, _ := speak(object{"limit": false})
		t.Logf("%-16s %6.2f LUFS %5.2f dBTP, by gain alone %6.2f, now %6.2f LUFS %5.2f dBTP, reduction %.2f dB",
			name, own, ownPeak, alone, lufs, peak, level["reduction_db"])
	}
	require.InDelta(t, -16, lufs, 0.5, name)
	require.LessOrEqual(t, peak, -1+0.01, name)
	require.InDelta(t, lufs, level["lufs"], 0.2, name)
}

func TestLoudnessOfEveryLanguage(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	profile := u.mustRunJSON("profiles", "list")["items"].([]any)[0].(object)["id"]
	s := u.serve()
	for language, text := range articles {
		requireLoudness(t, s, language, object{"profile_id": profile, "language": language, "text": text, "seed": 1})
	}
}

func TestLoudnessOfEveryEngine(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	folders := enginetest.KitModels(t)
	for engine, folder := range folders {
		u.mustRun("models", "import", folder, "--name", "my-"+engine)
	}
	profile := u.mustRunJSON("profiles", "list")["items"].([]any)[0].(object)["id"]
	s := u.serve()
	for _, voice := range []string{"my-kokoro:af_heart", "my-kitten:expr-voice-2-f", "my-supertonic:F1", "my-piper:"} {
		requireLoudness(t, s, voice, object{"profile_id": profile, "voice": voice, "text": articles["en-US"], "seed": 1})
	}
}
