import { AudioLines, PanelRight, Search } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { features, galleryScreen, type Feature } from "./screens";
import { useStore } from "@/lib/store";
import { Listening } from "@/features/books/listen";
import { DictationBar } from "@/features/dictation";
import { ExportDialog } from "@/player";
import { PlayerBar } from "@/player/PlayerBar";
import { Button, FloatContainer, IconButton, Kbd, Tooltip } from "@/ui";
import { useCommands } from "@/lib/commands";
import { useScreenTitle } from "@/lib/documentTitle";
import { Announcer } from "./Announcer";
import { ConnectionBanner } from "./ConnectionBanner";
import { Gallery } from "./lazy";
import { HostedCredits } from "./HostedCredits";
import { DeviceNotice } from "./DeviceNotice";
import { HostedNotice } from "./HostedNotice";
import { InspectorPane } from "./InspectorPane";
import { Jobs } from "./Jobs";
import { inStudio } from "./menu";
import { goKeys } from "@/lib/keyTable";
import { Palette } from "./Palette";
import { href, navigate, useRoute } from "@/lib/router";
import { ReadAloud } from "./ReadAloud";
import { RecordingMark } from "./RecordingMark";
import { ScreenBoundary } from "./ScreenBoundary";
import { useFocusOnNavigation } from "./useFocusOnNavigation";
import { ShortcutHelp } from "./ShortcutHelp";
import { inspector, setTopEnd, setTopStart, useInspector } from "@/lib/slots";

function RailLink({ feature, current }: { feature: Feature; current: boolean }) {
  const { t } = useTranslation();
  const name = t(`screens.${feature.id}`);
  const Icon = feature.icon;
  return (
    <Tooltip text={name}>
      <a href={href(feature.id)} aria-label={name} aria-current={current ? "page" : undefined}>
        <Icon size={20} aria-hidden />
      </a>
    </Tooltip>
  );
}

const modes: Readonly<Record<string, string>> = { script: "studio" }; // a screen that is a mode of another one

function Rail({ screen }: { screen: string }) {
  const { t } = useTranslation();
  const marked = modes[screen] ?? screen;
  const links = (place: Feature["place"]) =>
    features.filter((f) => f.place === place).map((f) => <RailLink key={f.id} feature={f} current={f.id === marked} />);
  return (
    <nav className="f-rail" aria-label={t("screensLabel")}>
      <span className="f-logo" aria-hidden>
        <AudioLines size={20} />
      </span>
      {links("top")}
      <span className="gap" />
      {links("end")}
    </nav>
  );
}

function InspectorToggle() {
  const { t } = useTranslation();
  const { owner } = useStore(inspector);
  const { isOpen, setOpen } = useInspector();
  if (owner === null) return null;
  return (
    <IconButton
      label={t("details")}
      icon={<PanelRight size={16} />}
      aria-pressed={isOpen}
      onClick={() => setOpen(!isOpen)}
    />
  );
}

export function Frame() {
  const { t } = useTranslation();
  const route = useRoute();
  const { screen } = route;
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const feature = features.find((f) => f.id === screen) ?? features[0];
  const isGallery = import.meta.env.DEV && screen === galleryScreen;
  const code = isGallery ? undefined : feature?.code;
  const Screen = isGallery ? Gallery : code?.Screen;
  const name = isGallery ? "Gallery" : feature ? t(`screens.${feature.id}`) : "";
  const heading = useRef<HTMLHeadingElement>(null);
  useScreenTitle(name);
  useFocusOnNavigation(route, heading, name);
  useCommands([
    ...features.map((f) => ({
      id: `go:${f.id}`,
      title: t("goTo", { screen: t(`screens.${f.id}`) }),
      keywords: t(`screenWords.${f.id}`),
      run: () => navigate(href(f.id)),
      ...(goKeys[f.id] ? { shortcut: goKeys[f.id] } : {}),
    })),
    {
      id: "go:settings-while-typing",
      title: t("goTo", { screen: t("screens.settings") }),
      shortcut: "mod+,",
      run: () => navigate(href("settings")),
      hidden: true,
    },
    // These screens open files of their own.
    ...(screen === "studio" || screen === "transcribe" || screen === "books"
      ? []
      : [
          {
            id: "open-file",
            title: t("keys.everywhere.openFile"),
            shortcut: "mod+o",
            run: () => inStudio("studio:open"),
          },
        ]),
    { id: "palette", title: t("palette.title"), shortcut: "mod+k", run: () => setPalette(true), hidden: true },
    { id: "help", title: t("shortcuts.title"), shortcut: "?", run: () => setHelp(true) },
  ]);
  return (
    <div className="f-app">
      <Rail screen={isGallery ? "" : (feature?.id ?? "")} />
      <main className="f-main">
        <FloatContainer>
          <div className="f-screen">
            <header className="f-top">
              <h1 ref={heading} tabIndex={-1}>
                {name}
              </h1>
              <div className="f-slot" ref={setTopStart} />
              <span className="flex-1" />
              <Button
                size="small"
                className="f-find"
                aria-label={t("palette.title")}
                icon={<Search size={16} aria-hidden />}
                onClick={() => setPalette(true)}
              >
                <span>{t("find")}</span>
                <Kbd keys="mod+k" />
              </Button>
              <RecordingMark />
              <Jobs />
              <HostedCredits />
              <InspectorToggle />
              <div className="f-slot" ref={setTopEnd} />
            </header>
            {/* An overlay, so that the page does not shift. */}
            <div className="f-banners" role="status">
              <ConnectionBanner />
              <HostedNotice />
              <DeviceNotice />
            </div>
            <DictationBar />
            <div className="f-view">
              {/* The outer boundary catches errors of a screen that is unmounted together with its own boundary. */}
              <ScreenBoundary>
                <ScreenBoundary key={screen} onRetry={() => code?.retry()}>
                  <Suspense fallback={null}>{Screen ? <Screen /> : null}</Suspense>
                </ScreenBoundary>
              </ScreenBoundary>
            </div>
            <ReadAloud />
            <Listening />
            <PlayerBar />
            <ExportDialog />
            <Announcer />
          </div>
        </FloatContainer>
      </main>
      <InspectorPane />
      <Palette open={palette} onOpenChange={setPalette} />
      <ShortcutHelp open={help} onOpenChange={setHelp} />
    </div>
  );
}
