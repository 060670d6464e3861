import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, ErrorBox, Skeleton } from "@/ui";
import { SettingRow, useSearching } from "../SettingRow";
import { readDocument, type Section } from "./readDocument";

function Part({ section }: { section: Section }) {
  const [head = [], ...rows] = section.rows;
  return (
    <section className="mt-6">
      {section.title ? <h3 className="font-semibold">{section.title}</h3> : null}
      {section.notes.map((note) => (
        <p key={note} className="mt-1 text-12 text-ink-3">
          {note}
        </p>
      ))}
      {rows.length > 0 ? (
        <div className="mt-2">
          <table className="w-full table-fixed border-collapse text-start text-12">
            <thead>
              <tr>
                {head.map((cell) => (
                  <th
                    key={cell}
                    scope="col"
                    className="border-b border-line py-1.5 pe-4 text-start font-medium text-ink-2 first-letter:uppercase"
                  >
                    {cell}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.join("|")}>
                  {row.map((cell, i) => (
                    <td key={i} className="border-b border-line py-1.5 pe-4 align-top break-words">
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </section>
  );
}

interface Props {
  name: string;
  load(): Promise<string>;
}

/** A row with a document of the project, which is shown on request. */
export function DocumentRow({ id, ...document }: Props & { id: string }) {
  const { t } = useTranslation("settings");
  const [open, setOpen] = useState(false);
  const searching = useSearching();
  return (
    <SettingRow id={id} below={open && !searching ? <Document {...document} /> : null}>
      {searching ? null : (
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? "hideDocument" : "showDocument")}
        </Button>
      )}
    </SettingRow>
  );
}

/** A document in English, with headings, paragraphs and tables. */
function Document({ name, load }: Props) {
  const query = useQuery({
    queryKey: ["document", name],
    queryFn: async () => readDocument(await load()),
    staleTime: Infinity,
    retry: false,
  });
  if (query.error)
    return (
      <div className="mt-3">
        <ErrorBox error={query.error} />
      </div>
    );
  return (
    <div lang="en">
      {query.data?.map((section, i) => <Part key={i} section={section} />) ?? <Skeleton className="mt-3 h-24" />}
    </div>
  );
}
