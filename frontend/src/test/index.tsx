import { QueryClient } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense, type ReactElement, type ReactNode } from "react";
import { listenForShortcuts } from "@/lib/commands";
import { navigate } from "@/lib/router";
import { Providers } from "@/app/providers";
import { setInspectorSlot, setTopEnd, setTopStart } from "@/lib/slots";
import { useEffect } from "react";

export * from "./fakeApi";
export * from "./fakeUploads";
export * from "./fixtures";
export * from "./hosted";

/** The slots of the frame, so that the content that a screen puts there is rendered in tests too. */
function Slots({ children }: { children: ReactNode }) {
  useEffect(listenForShortcuts, []);
  return (
    <>
      <header>
        <div ref={setTopStart} />
        <div ref={setTopEnd} />
      </header>
      <Suspense fallback={null}>{children}</Suspense>
      <aside ref={setInspectorSlot} />
    </>
  );
}

/** Renders a screen or part as the app does; `hash` is the address, such as "#/history/ID". */
export function renderWithProviders(element: ReactElement, options: { hash?: string } = {}) {
  if (options.hash) navigate(options.hash);
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, networkMode: "always" }, mutations: { networkMode: "always" } },
  });
  const view = render(
    <Providers client={client}>
      <Slots>{element}</Slots>
    </Providers>,
  );
  return { ...view, client, user: userEvent.setup() };
}
