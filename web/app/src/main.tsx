/** The web app: one page for a box and for a control plane. */
import "./design/tokens.css";
import "./design/base.css";
import "./design/parts.css";
import "./shell/shell.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";

createRoot(document.getElementById("app") as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
