import { useState } from "react";
import type { ApiError } from "@/api/errors";
import { useModels } from "@/api/models";
import type { RevisionPlan } from "@/api/revisions";
import type { GenerateRequest, Profile } from "@/api/types";
import { priceToConfirm } from "@/features/hosted";

/** What to confirm before the draft that was opened as number `at` can be generated. */
export interface ConfirmRequest {
  modelName: string;
  name: string;
  sizeMb: number | null;
  license: { name: string; url: string } | null;
  /** The price of a hosted voice to confirm; `credits` is null where it is unknown. */
  price?: { credits: number | null };
  request: GenerateRequest;
  /** Only what differs from the generation of the draft is generated. */
  revises: boolean;
  at: number;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The question before a request that loads a model, accepts a licence or costs credits. */
export function useConfirmation(opened: number, profile: Profile | undefined) {
  const models = useModels().data;
  const [requested, setRequested] = useState<ConfirmRequest | null>(null);
  const request = requested?.at === opened ? requested : null;
  return {
    request,
    /** Opens it for a large download or a licence; reports whether it does. */
    askBefore(body: GenerateRequest, plan: RevisionPlan | null): boolean {
      const model = models?.find((one) => one.model_name === (body.model_name ?? profile?.model_name));
      const mustAccept = model !== undefined && model.license.accept_required && !model.license.accepted;
      if (!model || plan?.generated === 0 || ((model.downloaded || model.downloading) && !mustAccept)) return false;
      setRequested({
        modelName: model.model_name,
        name: model.display_name,
        sizeMb: model.downloaded ? null : Math.max(1, model.size_mb - model.partial_mb),
        license: mustAccept ? model.license : null,
        request: body,
        revises: plan !== null && !mustAccept,
        at: opened,
      });
      return true;
    },
    /** Opens it where the server wants one before it does what was requested; reports whether it does. */
    askAfter(error: ApiError, body: GenerateRequest, revises: boolean): boolean {
      const price = priceToConfirm(error);
      const asked = { modelName: "", name: "", sizeMb: null, license: null, request: body, revises, at: opened };
      if (price !== undefined) setRequested({ ...asked, price: { credits: price } });
      if (error.code !== "license_not_accepted") return price !== undefined;
      const modelName = text(error.params.model_name);
      const model = models?.find((one) => one.model_name === modelName);
      setRequested({
        ...asked,
        modelName,
        name: model?.display_name ?? modelName,
        sizeMb: model && !model.downloaded ? model.size_mb : null,
        license: { name: text(error.params.license), url: text(error.params.url) },
        revises: false, // a change accepts no licence
      });
      return true;
    },
    /** Closes it, and sends the request with what was accepted. */
    answer(yes: boolean, send: (body: GenerateRequest, revises: boolean) => void): void {
      setRequested(null);
      if (!yes || !request) return;
      const { license, price, revises } = request;
      const accepted = {
        ...(license ? { accept_license: true } : {}),
        ...(price ? { accept_credits: price.credits ?? 0 } : {}),
      };
      send({ ...request.request, ...accepted }, revises);
    },
  };
}
