import type { Row } from "./seed";

/** The chunks of the text in the Studio, as the server splits it. */
export const spoken = [
  "The lamp had burned for forty winters before anyone thought to ask who lit it.",
  "Her name was [[Caoimhe|KEE-va]], and she climbed the stairs twice a night, once to light it and once to see that it still burned.",
  "On the last evening of the year the wind came from the north, and the sea below the rock went white.",
  "She counted 112 steps, as she always did, and wrote the number in her book.",
  "Then she sat down beside the light and waited for the boat.",
  "It came at a quarter past nine, without a lantern, and nobody stood at the tiller.",
  "She knew the boat. She had painted its name herself, in the summer of the long drought, in letters as tall as her hand.",
];

/** The text on the page: one passage was changed after it was generated. */
export const novel = [
  `${spoken[0] ?? ""} [pause 0.8s] ${spoken[1] ?? ""}`,
  `${spoken[2] ?? ""} ${spoken[3] ?? ""}`,
  "Then she sat down beside the light, put out her lantern, and waited for the boat.",
  `${spoken[5] ?? ""} ${spoken[6] ?? ""}`,
].join("\n\n");

/** The script: the last turn has no audio yet. */
export const radio = [
  {
    voice: "Emma",
    seconds: 5.2,
    text: "Welcome back. Tonight we ask what a glacier remembers, and who can still read it.",
  },
  {
    voice: "George",
    seconds: 7.6,
    text: "More than you would think. Every winter leaves a layer, and in every layer there is a little of that year's air.",
  },
  { voice: "Emma", seconds: 2.4, text: "So you can breathe the air of 1783?" },
  {
    voice: "George",
    seconds: 6.9,
    text: "In a way. We melt a piece the size of a sugar cube, and what comes out has not been seen for two hundred and forty years.",
  },
  { voice: "Emma", seconds: 4.1, text: "And what was in the air that summer?" },
];

interface Told extends Partial<Row> {
  text: string;
  voice: string;
  minutes: number;
  seconds: number;
}
const hour = 60;
const day = 24 * hour;

export const history: readonly Told[] = [
  {
    voice: "Thorsten",
    minutes: 58,
    seconds: 11.2,
    text: "Willkommen zur dritten Lektion. Heute sprechen wir über das Wetter und darüber, was man dagegen tun kann.",
  },
  {
    voice: "Evening reader",
    minutes: 2.4 * hour,
    seconds: 62,
    title: "Chapter 4",
    favorite: true,
    text: "Nobody in the village remembered when the bridge was built, only that it had always been there and that it sang in the wind.",
  },
  {
    voice: "Heart",
    minutes: 3 * hour,
    seconds: 8.4,
    text: "Thank you for calling. All of our lines are busy, so please hold on or leave your number after the tone.",
  },
  {
    voice: "Female 1",
    minutes: 3.2 * hour,
    seconds: 0,
    status: "failed",
    text: "Good morning. Here is the weather for the coast and the islands.",
  },
  { voice: "Lessac", minutes: 20 * hour, seconds: 4.1, text: "Doors closing. Next stop, Harbour Street." },
  {
    voice: "Siwis",
    minutes: 21 * hour,
    seconds: 14.8,
    title: "Visite guidée 2",
    text: "Au-dessus de la porte, vous voyez un navire. Il n'a jamais quitté le port.",
  },
  {
    voice: "Michael",
    minutes: 23 * hour,
    seconds: 96,
    title: "Release notes 1.0",
    text: "Version one point zero is here. Three things have changed, and we think that you will hear all of them.",
  },
  {
    voice: "Bella",
    minutes: 23.2 * hour,
    seconds: 0,
    status: "cancelled",
    text: "A reading list for the long weekend, in no particular order.",
  },
  {
    voice: "Emma",
    minutes: 2 * day,
    seconds: 187,
    title: "The harbour, part one",
    favorite: true,
    text: "It was the kind of morning that makes no promises. The boats lay where they had lain since October.",
  },
  { voice: "Jasper", minutes: 2.1 * day, seconds: 6.3, text: "Timer for eleven minutes, starting now." },
  { voice: "Sara", minutes: 2.2 * day, seconds: 9.7, text: "Il treno delle sette e quaranta parte dal binario due." },
  {
    voice: "Built-in voice",
    minutes: 6 * day,
    seconds: 3.9,
    text: "A quiet room, a page of text, and a voice to read it.",
  },
];
