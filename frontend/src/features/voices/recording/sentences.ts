/** What to read aloud for about 15 seconds: everyday sentences with most sounds of the language, and some numbers. */
const texts: Readonly<Record<string, string>> = {
  en: "Every morning, just before seven, the old ferry leaves the harbour and turns slowly towards the islands. Would you believe that the crossing takes only forty minutes? Choose a seat on the left: with a bit of luck, you’ll see dolphins.",
  de: "Jeden Morgen, kurz vor sieben, verlässt die alte Fähre den Hafen und fährt langsam zu den Inseln hinüber. Hättest du gedacht, dass die Überfahrt nur vierzig Minuten dauert? Setz dich auf die linke Seite: Mit etwas Glück siehst du Delfine.",
  fr: "Chaque matin, juste avant sept heures, le vieux ferry quitte le port et se tourne lentement vers les îles. Qui croirait que la traversée ne dure que quarante minutes ? Choisissez une place à gauche : avec un peu de chance, vous verrez des dauphins.",
  es: "Cada mañana, poco antes de las siete, el viejo ferri deja el puerto y gira despacio hacia las islas. ¿Quién diría que la travesía dura solo cuarenta minutos? Elige un asiento a la izquierda: con un poco de suerte, verás delfines.",
  it: "Ogni mattina, poco prima delle sette, il vecchio traghetto lascia il porto e si dirige lentamente verso le isole. Chi direbbe che la traversata dura solo quaranta minuti? Scegli un posto a sinistra: con un po’ di fortuna vedrai i delfini.",
  pt: "Todas as manhãs, pouco antes das sete, a velha barca deixa o porto e segue devagar em direção às ilhas. Quem diria que a travessia demora só quarenta minutos? Escolha um lugar à esquerda: com um pouco de sorte, verá golfinhos.",
  nl: "Elke ochtend, vlak voor zeven uur, verlaat de oude veerboot de haven en vaart langzaam naar de eilanden. Wie zou denken dat de overtocht maar veertig minuten duurt? Kies een plaats aan de linkerkant: met een beetje geluk zie je dolfijnen.",
  pl: "Każdego ranka, tuż przed siódmą, stary prom opuszcza port i powoli płynie w stronę wysp. Kto by pomyślał, że rejs trwa tylko czterdzieści minut? Wybierz miejsce po lewej stronie: przy odrobinie szczęścia zobaczysz delfiny.",
};

/** Returns a text to read aloud in a language; empty if there is none. */
export const textToRead = (language: string): string => texts[language.split("-")[0] ?? ""] ?? "";
