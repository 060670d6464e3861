import { useState } from "react";
import { useTranslation } from "react-i18next";
import { player, playhead } from "@/player";
import { Button, Dialog, Select, TextField } from "@/ui";
import type { Page } from "../view/usePage";
import { splitWordsOf, type SplitWord } from "./splitWords";
import type { SpeakerActions } from "./useSpeakerActions";

const newSpeaker = "\n"; // no name has a line break

interface WordsProps {
  words: readonly SplitWord[];
  chosen: number;
  onChoose(index: number): void;
}

/** The words of a line, one of which is chosen with the arrow keys or a click. The first one cannot begin a second line. */
function Words({ words, chosen, onChoose }: WordsProps) {
  const { t } = useTranslation("speakers");
  return (
    <fieldset className="tr-split" dir="auto">
      <legend className="k-label">{t("split.word")}</legend>
      {words.map(({ text, segment, word }, i) =>
        i === 0 ? (
          <span key="first">{text}</span>
        ) : (
          <label key={`${segment}:${word}`} data-after={chosen > 0 && i >= chosen ? "" : undefined}>
            <input type="radio" name="split" checked={i === chosen} onChange={() => onChoose(i)} />
            {text}
          </label>
        ),
      )}
    </fieldset>
  );
}

interface Props {
  page: Page;
  /** The first segment of the line. */
  segment: number;
  onSplit: SpeakerActions["split"];
  onClose(): void;
}

/** Splits a line at a word, and says who speaks from there on. */
export function SplitDialog({ page, segment, onSplit, onClose }: Props) {
  const { t } = useTranslation("speakers");
  const { speakers, paragraphs, transcript } = page;
  const at = paragraphs.findIndex(({ id }) => id === segment);
  const paragraph = paragraphs[at];
  const before = paragraph?.speaker ?? "";
  const words = paragraph ? splitWordsOf(paragraph) : [];
  const [chosen, setChosen] = useState(() => {
    if (player.get().generation?.id !== transcript.id) return -1;
    const heard = words.findLastIndex(({ start }) => start <= playhead.get());
    return playhead.get() < (paragraph?.end ?? 0) ? Math.max(heard, 0) || -1 : -1;
  });
  const following = paragraphs[at + 1]?.speaker;
  const others = speakers.filter((name) => name !== before);
  const [speaker, setSpeaker] = useState(
    following !== undefined && others.includes(following) ? following : (others[0] ?? newSpeaker),
  );
  const [typed, setTyped] = useState("");
  const name = speaker === newSpeaker ? typed.trim() : speaker;
  const word = words[chosen];
  const isReady = word !== undefined && (speaker !== newSpeaker || name !== "");

  function split() {
    if (!isReady) return;
    onSplit(word, name);
    onClose();
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("split.title")}
      footer={
        <>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button kind="primary" disabled={!isReady} onClick={split}>
            {t("split.run")}
          </Button>
        </>
      }
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          split();
        }}
      >
        <Words words={words} chosen={chosen} onChoose={setChosen} />
        <Select
          label={t("split.speaker")}
          value={speaker}
          choices={[...others.map((value) => ({ value, label: value })), { value: newSpeaker, label: t("line.new") }]}
          onChange={setSpeaker}
        />
        {speaker === newSpeaker ? (
          <TextField label={t("transcribe:speaker.name")} value={typed} maxLength={100} onChange={setTyped} />
        ) : null}
        <button type="submit" hidden disabled={!isReady} />
      </form>
    </Dialog>
  );
}
