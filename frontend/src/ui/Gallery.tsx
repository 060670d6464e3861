import { Mic, MoreHorizontal, Search, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import {
  ActionButton,
  ActionProgress,
  Badge,
  Button,
  Card,
  Checkbox,
  Chip,
  Dialog,
  EmptyState,
  ErrorBox,
  IconButton,
  Kbd,
  Menu,
  Meter,
  Portrait,
  ProgressBar,
  Row,
  SegmentedControl,
  Select,
  Sheet,
  Slider,
  Switch,
  Tabs,
  TextArea,
  TextField,
  useToast,
  useUndo,
} from ".";

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-[120px_1fr] gap-4 border-t border-line py-4">
      <h2 className="font-semibold">{name}</h2>
      <div className="flex flex-wrap items-start gap-3">{children}</div>
    </section>
  );
}

function Progress() {
  return (
    <Part name="Progress">
      <div className="w-60">
        <ProgressBar label="Download" value={0.43} text="43 % · 12 MB/s · 8 s" />
      </div>
      <div className="w-60">
        <ProgressBar label="Paused" value={0.31} tone="paused" text="Paused at 31 %" />
      </div>
      <div className="w-60">
        <Meter
          text="Used"
          parts={[
            { name: "a", part: 0.3, colour: "var(--accent)" },
            { name: "b", part: 0.1, colour: "var(--hosted)" },
          ]}
        />
      </div>
    </Part>
  );
}

function Floating() {
  const [open, setOpen] = useState<"dialog" | "sheet" | null>(null);
  const toast = useToast();
  const undo = useUndo();
  return (
    <Part name="Floating">
      <Button onClick={() => toast({ text: "Exported" })}>Toast</Button>
      <Button onClick={() => undo({ text: "3 generations deleted", undo: () => undefined, commit: () => undefined })}>
        Undo bar
      </Button>
      <Menu
        groups={[
          [{ label: "From a recording", icon: <Mic size={16} />, onSelect: () => undefined }],
          [{ label: "Delete", danger: true, shortcut: "delete", onSelect: () => undefined }],
        ]}
      >
        <Button>Menu</Button>
      </Menu>
      <Button onClick={() => setOpen("dialog")}>Dialog</Button>
      <Button onClick={() => setOpen("sheet")}>Sheet</Button>
      <Dialog
        open={open === "dialog"}
        onOpenChange={() => setOpen(null)}
        title="Delete Whisper large?"
        footer={
          <>
            <Button onClick={() => setOpen(null)}>Keep it</Button>
            <Button kind="danger-full">Delete 3.1 GB</Button>
          </>
        }
      >
        Frees 3.1 GB.
      </Dialog>
      <Sheet open={open === "sheet"} onOpenChange={() => setOpen(null)} title="Details">
        Words
      </Sheet>
    </Part>
  );
}

function Kit() {
  const [on, setOn] = useState(true);
  const [value, setValue] = useState(1);
  const [tab, setTab] = useState("a");
  return (
    <div className="p-6">
      <Part name="Button">
        <Button kind="primary" shortcut="mod+enter">
          Generate
        </Button>
        <Button>Plain</Button>
        <Button kind="quiet">Quiet</Button>
        <Button kind="danger" icon={<Trash2 size={16} />}>
          Delete
        </Button>
        <Button kind="danger-full">Delete 3.1 GB</Button>
        <Button disabled>Disabled</Button>
        <Button busy>Saving</Button>
        <IconButton label="More" icon={<MoreHorizontal size={16} />} />
        <ActionButton progress={<ActionProgress text="Sentence 5 of 7" value={0.56} />} onStop={() => undefined} />
      </Part>
      <Part name="Marks">
        <Chip>Plain</Chip>
        <Chip tone="ok">Ready</Chip>
        <Chip tone="warn">Tight</Chip>
        <Chip tone="danger">Failed</Chip>
        <Chip tone="hosted">Hosted</Chip>
        <Chip pressed={on} onClick={() => setOn(!on)}>
          Filter
        </Chip>
        <Chip onRemove={() => undefined}>Kokoro</Chip>
        <Badge>7</Badge>
        <Badge tone="accent">3</Badge>
        <Kbd keys="mod+k" />
      </Part>
      <Part name="Fields">
        <TextField label="Name" value="Heart" onChange={() => undefined} hint="Up to 100 characters." />
        <TextField label="Wrong" value="Heart" onChange={() => undefined} error="A voice has this name." />
        <TextField
          label="Find"
          value=""
          placeholder="Find a model"
          icon={<Search size={16} />}
          onChange={() => undefined}
        />
        <Select
          label="Format"
          value="wav"
          onChange={() => undefined}
          choices={[
            { value: "wav", label: "WAV" },
            { value: "mp3", label: "MP3" },
          ]}
        />
        <TextArea label="Text" value="A page" onChange={() => undefined} />
      </Part>
      <Part name="Controls">
        <Switch label="On" checked={on} onChange={setOn} />
        <Checkbox label="Check" checked={on} onChange={setOn} />
        <Checkbox label="Mixed" checked="mixed" onChange={setOn} />
        <div className="w-60">
          <Slider label="Speed" value={value} min={0.5} max={2} step={0.05} text={`${value}×`} onChange={setValue} />
        </div>
        <SegmentedControl
          label="Mode"
          value={tab}
          onChange={setTab}
          segments={[
            { value: "a", label: "Text" },
            { value: "b", label: "Script" },
          ]}
        />
      </Part>
      <Part name="Tabs">
        <Tabs
          label="Tabs"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: "a", label: "On this machine", count: 7, content: <p>One</p> },
            { value: "b", label: "Get more", content: <p>Two</p> },
          ]}
        />
      </Part>
      <Part name="Rows">
        <div className="w-full">
          <Row>
            <Portrait id="heart" size={20} />
            Heart
          </Row>
          <Row selected>
            <Portrait id="kiki" size={20} />
            Selected
          </Row>
        </div>
        <Portrait id="a" size={48} />
        <Portrait id="b" size={72} />
      </Part>
      <Progress />
      <Floating />
      <Part name="States">
        <Card>
          <EmptyState title="Nothing here yet" action={<Button>Open Studio</Button>}>
            What you generate is kept here.
          </EmptyState>
        </Card>
        <ErrorBox error={{ code: "offline" }} action={<Button size="small">Retry</Button>} />
      </Part>
    </div>
  );
}

/** All components of the kit in both themes; only in dev, at #/gallery. */
export default function Gallery() {
  return (
    <div className="grid grid-cols-2 overflow-y-auto">
      {["dark", "light"].map((theme) => (
        <div key={theme} data-theme={theme} className="bg-page text-ink">
          <Kit />
        </div>
      ))}
    </div>
  );
}
