import { useState, type ReactNode } from "react";
import { toApiError } from "@/api/errors";
import { PriceDialog } from "./PriceDialog";

type Price = number | null; // null where it is unknown

/** Returns the price that an error asks to confirm; undefined for other errors. */
export function priceToConfirm(error: unknown): Price | undefined {
  const { code, params } = toApiError(error);
  if (code !== "hosted_confirm") return undefined;
  return typeof params.credits === "number" ? params.credits : null;
}

/**
 * Sends a request that may cost credits. With a known price it asks first; where the server wants its price confirmed, it
 * asks and sends again. Resolves to null where the price was not accepted.
 */
export type Pay = <T>(send: (accepted?: number) => Promise<T>, known?: Price) => Promise<T | null>;

export function usePayment(): { pay: Pay; dialog: ReactNode } {
  const [asked, setAsked] = useState<{ credits: Price; answer(yes: boolean): void } | null>(null);
  const ask = (credits: Price): Promise<boolean> =>
    new Promise((resolve) => {
      setAsked({
        credits,
        answer: (yes) => {
          setAsked(null);
          resolve(yes);
        },
      });
    });
  const pay: Pay = async (send, known) => {
    let price = known;
    for (;;) {
      if (price !== undefined && !(await ask(price))) return null;
      try {
        return await send(price === undefined ? undefined : (price ?? 0));
      } catch (error) {
        price = priceToConfirm(error);
        if (price === undefined) throw error;
      }
    }
  };
  return { pay, dialog: asked ? <PriceDialog {...asked} /> : null };
}
