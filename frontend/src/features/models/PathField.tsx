import { useTranslation } from "react-i18next";
import { Button, TextField, type TextFieldProps } from "@/ui";

/** The dialogs of the system, in the desktop window only: a browser keeps the paths of files to itself. */
interface Dialogs {
  ChooseModelsFolder(): Promise<string>;
  ChooseFiles(): Promise<string[]>;
}

function dialogs(): Partial<Dialogs> {
  const bridge: (object & Partial<Dialogs>) | undefined = window.go?.desktop?.Bridge;
  return bridge ?? {};
}

/** Of several files the graph names the model; what belongs to it lies beside it. */
const mainFile = (paths: readonly string[]): string => paths.find((path) => path.endsWith(".onnx")) ?? paths[0] ?? "";

async function choose(kind: "file" | "folder"): Promise<string> {
  const { ChooseModelsFolder, ChooseFiles } = dialogs();
  if (kind === "folder") return (await ChooseModelsFolder?.()) ?? "";
  return mainFile((await ChooseFiles?.()) ?? []);
}

/** A path on the machine of the program: typed, or chosen where the window can ask the system. */
export function PathField({ kind, ...field }: TextFieldProps & { kind: "file" | "folder" }) {
  const { t } = useTranslation("models");
  const can = kind === "folder" ? dialogs().ChooseModelsFolder : dialogs().ChooseFiles;
  const ask = () => void choose(kind).then((path) => path && field.onChange(path));
  const button = (
    <Button kind="quiet" size="small" disabled={field.disabled} onClick={ask}>
      {t("choose")}
    </Button>
  );
  return <TextField placeholder={t("pathExample")} dir="ltr" {...field} end={can ? button : undefined} />;
}
