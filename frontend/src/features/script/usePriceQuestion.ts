import { useState } from "react";
import type { ApiError } from "@/api/errors";
import { priceToConfirm } from "@/features/hosted";

interface Question {
  credits: number | null;
  /** Sends the request again. */
  send(accepted: number): void;
}

/** The question whether a price is accepted, which the server asks by refusing a request. */
export function usePriceQuestion() {
  const [question, setQuestion] = useState<Question | null>(null);
  return {
    /** The price to confirm: `credits` is null where it is unknown. */
    price: question && { credits: question.credits },
    /** Shows the question if the price must be confirmed, and reports whether it did. */
    ask(error: ApiError, send: Question["send"]): boolean {
      const credits = priceToConfirm(error);
      if (credits === undefined) return false;
      setQuestion({ credits, send });
      return true;
    },
    answer(yes: boolean): void {
      setQuestion(null);
      if (yes) question?.send(question.credits ?? 0);
    },
  };
}
