import "@/styles/main.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { session } from "@/api/session";
import { showLanguage, startTexts } from "@/i18n";
import { prefs } from "@/lib/prefs";
import { App } from "./App";
import { makeQueryClient, Providers } from "./providers";

prefs.apply();
const [texts] = await Promise.all([startTexts(), session.open()]);
showLanguage(texts.language);
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Providers client={makeQueryClient()}>
        <App />
      </Providers>
    </StrictMode>,
  );
}
