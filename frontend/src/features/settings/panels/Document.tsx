import { useQuery } from "@tanstack/react-query";
import { ErrorBox, Skeleton } from "@/ui";
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
                    className="border-b border-line py-1.5 pe-4 text-start font-medium text-ink-2"
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

/** A document of the project, in English, with headings, paragraphs and tables. */
export function Document({ name, load }: { name: string; load: () => Promise<string> }) {
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
