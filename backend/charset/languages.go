package charset

// alphabet has the letters of a language beyond a to z, the most frequent first. Those of an alphabet of its own are all of them.
type alphabet string

const (
	german  alphabet = "üäößé"
	french  alphabet = "éèàêçœùâîôûëïüÿæ"
	spanish alphabet = "óíáéñúü"
	luso    alphabet = "ãçáéêíóõôàúâ"
	italian alphabet = "èàéùìòóí"
	nordic  alphabet = "åäöøæéðþáíóúý"
	polish  alphabet = "łąężóśćńź"
	czech   alphabet = "íáéěřšžčýůúťďňóľĺŕôä"
	magyar  alphabet = "áéőöíóüúű"
	romana  alphabet = "ăîâșțşţ"
	balkan  alphabet = "čšžćđ"
	turkish alphabet = "ıişğçöüâîû"
	baltic  alphabet = "āīšēņūļžčķģėųąįęöäõü"
	russian alphabet = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"
	ukraina alphabet = "оаиіентврслкдмупяьзгбйчхїжцюшєщфґ"
	belarus alphabet = "анеіорлтскдувыямпцбгйьззчўшхжюэфё"
	serbian alphabet = "аоиенртсјвукдмплзгбчшцњжљћђхфџ"
	greek   alphabet = "αοιετσνηυρπκμλςδωγίάόέθήχφύβώξζψϊϋ"
	hebrew  alphabet = "יולהאמרתבשנדקעחפכםטגזצןסךףץ"
	arabic  alphabet = "اليمنوتربدعفسكهقحةجشطصىخذثزضظغءأإآؤئپچکگی"
	thai    alphabet = "านรกอเงมทลยวสตดคปบพจหชขผถฟซณญธภศษฉฮฐโไแใะัิีึืุู็่้์ๆฯ"
)

// candidate is an encoding that texts without a declaration are in.
type candidate struct {
	name      string
	prior     float64    // how much more files there are in it than in others that look alike
	alphabets []alphabet // of the languages that are written in it; none for those of ideographs
}

func candidates() []candidate {
	western := []alphabet{german, french, spanish, luso, italian, nordic}
	eastern := []alphabet{polish, czech, magyar, romana, balkan, german}
	cyrillic := []alphabet{russian, ukraina, belarus, serbian}
	return []candidate{
		{"windows-1252", 0.1, western},
		{"windows-1250", 0.06, eastern},
		{"ISO-8859-2", 0.03, eastern},
		{"windows-1251", 0.1, cyrillic},
		{"KOI8-R", 0, cyrillic},
		{"KOI8-U", -0.02, cyrillic},
		{"ISO-8859-5", 0, cyrillic},
		{"IBM866", 0.02, cyrillic},
		{"x-mac-cyrillic", -0.02, cyrillic},
		{"macintosh", 0, western},
		{"IBM850", -0.05, western},
		{"IBM852", -0.05, eastern},
		{"windows-1254", 0, []alphabet{turkish}},
		{"windows-1257", 0, []alphabet{baltic}},
		{"windows-1253", 0.05, []alphabet{greek}},
		{"ISO-8859-7", 0.02, []alphabet{greek}},
		{"windows-1255", 0.05, []alphabet{hebrew}},
		{"windows-1256", 0.05, []alphabet{arabic}},
		{"ISO-8859-6", 0, []alphabet{arabic}},
		{"windows-874", 0, []alphabet{thai}},
		{"Shift_JIS", 0.05, nil},
		{"EUC-JP", 0.03, nil},
		{"GBK", 0.05, nil},
		{"Big5", 0.04, nil},
		{"EUC-KR", 0.04, nil},
	}
}

// singleByte reports whether an encoding has one byte for each character.
func singleByte(name string) bool {
	switch name {
	case "Shift_JIS", "EUC-JP", "GBK", "GB18030", "Big5", "EUC-KR", "ISO-2022-JP", "HZ-GB-2312":
		return false
	}
	return true
}

// frequentIdeographs are the most frequent ones of Chinese and Japanese texts, in both ways to write them.
const frequentIdeographs = "的一是不了人我在有他这这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两" +
	"长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万" +
	"市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱" +
	"让認這個說們為時會對過學來後麼沒還發當無開經頭見動兩長樣現將與進實點種聲話兒問機給間電門東關並產軍萬書體處總場師員報馬張難數車應係計親務記邊風戰許覺題統請愛讓" +
	"日本語私今吾輩猫名前気国行言見思事者時分何彼々"

// frequentSyllables are the most frequent ones of Korean texts.
const frequentSyllables = "이다는을가에의고하지은로도한를서어기나사아자리라그들인대것으정시수있과해일보전제부게만주여스상장어선우구원면성요할안었습니까녕세"
