import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useHealth } from "@/api/system";
import { ErrorBox, Skeleton } from "@/ui";
import { SettingRow, useSearching } from "../SettingRow";
import { readLicences, type LicenceTable } from "./licences";

/** The list lies beside the sources and is carried in the bundle, as a part that only this page loads. */
const load = async () => readLicences((await import("../../../../../THIRD_PARTY.md?raw")).default);

function Part({ table }: { table: LicenceTable }) {
  const [head = [], ...rows] = table.rows;
  return (
    <section className="mt-6">
      {table.title ? <h3 className="font-semibold">{table.title}</h3> : null}
      {table.notes.map((note) => <p key={note} className="mt-1 text-12 text-ink-3">{note}</p>)}
      {rows.length > 0 ? (
        <div className="mt-2">
          <table className="w-full table-fixed border-collapse text-start text-12">
            <thead><tr>{head.map((cell) => <th key={cell} scope="col" className="border-b border-line py-1.5 pe-4 text-start font-medium text-ink-2">{cell}</th>)}</tr></thead>
            <tbody>{rows.map((row) => <tr key={row.join("|")}>{row.map((cell, i) => <td key={i} className="border-b border-line py-1.5 pe-4 align-top break-words">{cell}</td>)}</tr>)}</tbody>
          </table>
        </div>
      ) : null}
    </section>
  );
}

function Licences() {
  const licences = useQuery({ queryKey: ["licences"], queryFn: load, staleTime: Infinity, retry: false });
  if (licences.error) return <div className="mt-3"><ErrorBox error={licences.error} /></div>;
  return licences.data?.map((table, i) => <Part key={i} table={table} />) ?? <Skeleton className="mt-3 h-24" />;
}

export function About() {
  const { t } = useTranslation("settings");
  const version = useHealth().data?.version;
  const searching = useSearching();
  return (
    <>
      <SettingRow id="about.version">{version ? <span>{t("version", { version })}</span> : null}</SettingRow>
      <SettingRow id="about.licences" below={searching ? null : <div lang="en"><Licences /></div>} />
    </>
  );
}
