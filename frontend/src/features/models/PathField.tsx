import { useTranslation } from "react-i18next";
import { Button, TextField, type TextFieldProps } from "@/ui";

/** The system's file dialogs, in the desktop window only: a browser does not reveal paths. */
interface Dialogs {
  ChooseModelsFolder(): Promise<string>;
  ChooseFiles(): Promise<string[]>;
}

function dialogs(): Partial<Dialogs> {
  const bridge: (object & Partial<Dialogs>) | undefined = window.go?.desktop?.Bridge;
  return bridge ?? {};
}

/** Of several chosen files, the graph identifies the model; its other files are in the same folder. */
const mainFile = (paths: readonly string[]): string => paths.find((path) => path.endsWith(".onnx")) ?? paths[0] ?? "";

async function choose(kind: "file" | "folder"): Promise<string> {
  const { ChooseModelsFolder, ChooseFiles } = dialogs();
  if (kind === "folder") return (await ChooseModelsFolder?.()) ?? "";
  return mainFile((await ChooseFiles?.()) ?? []);
}

/** A path on the server's machine: typed, or chosen in a system dialog in the desktop window. */
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
