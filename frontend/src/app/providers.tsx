import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { Direction } from "radix-ui";
import { useCallback, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api/errors";
import { directionOf } from "@/i18n";
import { currentKeys } from "@/lib/bindings";
import { usePrefs } from "@/lib/prefs";
import { CurrentKeys, ToastsProvider, TooltipProvider } from "@/ui";

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000, // the event stream reports changes
        refetchOnWindowFocus: false,
        networkMode: "always", // the server is on this machine
        retry: (count, error) => count < 2 && error instanceof ApiError && (error.status === 0 || error.status === 503),
      },
      mutations: { networkMode: "always" },
    },
  });
}

export function Providers({ client, children }: { client: QueryClient; children: ReactNode }) {
  const { i18n } = useTranslation();
  const { keys, singleKeys } = usePrefs();
  const current = useCallback((action: string) => currentKeys(action, { keys, singleKeys }), [keys, singleKeys]);
  return (
    <Direction.Provider dir={directionOf(i18n.language)}>
      <QueryClientProvider client={client}>
        <CurrentKeys value={current}>
          <TooltipProvider>
            <ToastsProvider>{children}</ToastsProvider>
          </TooltipProvider>
        </CurrentKeys>
      </QueryClientProvider>
    </Direction.Provider>
  );
}
