/** What a server makes of the components: text, and nothing happens. */
import { Belljar } from "belljar";
import { StrictMode, version } from "react";
import { renderToString } from "react-dom/server";
import { BrowserViewer, DesktopViewer, ProcessTerminal } from "@belljar/react";

const client = new Belljar({ baseUrl: "http://127.0.0.1:1", token: "none" });

export function render(): { version: string; markup: string } {
  const markup = renderToString(
    <StrictMode>
      <BrowserViewer client={client} />
      <DesktopViewer client={client} />
      <ProcessTerminal client={client} processId="p" />
    </StrictMode>,
  );
  return { version, markup };
}
