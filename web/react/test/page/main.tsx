/** The page of somebody who uses the components: tests mount and unmount them through `window.host`. */
import { Belljar } from "belljar";
import { type ReactElement, StrictMode, useState } from "react";
import { type Root, createRoot } from "react-dom/client";
import { BrowserViewer, DesktopViewer, type LiveTransport, ProcessTerminal, useEvents, useSession } from "@belljar/react";
import "@belljar/react/styles.css";

export interface Shown {
  kind: "browser" | "desktop" | "terminal" | "console" | "session";
  baseUrl: string;
  token: string;
  processId?: string;
  transport?: LiveTransport;
  fitDisplay?: boolean;
}

const told: [name: string, ...values: unknown[]][] = [];
const tell =
  (name: string) =>
  (...values: unknown[]): void =>
    void told.push([name, ...values.map((value) => (value instanceof Error ? { code: (value as { code?: string }).code, message: value.message } : value))]);
const callbacks = { onConnect: tell("connect"), onDisconnect: tell("disconnect"), onTransport: tell("transport"), onError: tell("error") };

function App({ shown, client }: { shown: Shown; client: Belljar }): ReactElement {
  const [count, setCount] = useState(0);
  return (
    <>
      <input id="before" aria-label="Before" onChange={() => setCount(count + 1)} />
      <Part shown={shown} client={client} />
      <input id="after" aria-label="After" />
    </>
  );
}

function Part({ shown, client }: { shown: Shown; client: Belljar }): ReactElement {
  switch (shown.kind) {
    case "browser":
      return <BrowserViewer client={client} height={600} fitDisplay={shown.fitDisplay} onNavigate={tell("navigate")} {...callbacks} />;
    case "desktop":
      return <DesktopViewer client={client} transport={shown.transport} fitDisplay={shown.fitDisplay} height={500} imageStyle={{ imageRendering: "pixelated" }} {...callbacks} />;
    case "terminal":
      return <ProcessTerminal client={client} processId={shown.processId ?? ""} onExit={tell("exit")} onError={tell("error")} />;
    case "console":
      return <Lines client={client} />;
    case "session":
      return <State client={client} />;
  }
}

function Lines({ client }: { client: Belljar }): ReactElement {
  const { events, dropped, isOver } = useEvents((signal) => client.browser.followConsole({}, { signal }), [client], { limit: 3 });
  return (
    <ol id="lines" data-dropped={dropped} data-over={isOver}>
      {events.map((line, index) => (
        <li key={index}>{line.text}</li>
      ))}
    </ol>
  );
}

function State({ client }: { client: Belljar }): ReactElement {
  const { state, tabs, refusal, mayAct } = useSession(client);
  return (
    <p id="live">
      {state} {tabs.length} {String(mayAct)} {refusal?.code}
    </p>
  );
}

let root: Root | undefined;
const host = {
  told,
  keys: [] as string[],
  mount(shown: Shown): void {
    const client = new Belljar({ baseUrl: shown.baseUrl, token: async () => shown.token });
    root = createRoot(document.getElementById("root")!);
    root.render(
      <StrictMode>
        <App shown={shown} client={client} />
      </StrictMode>,
    );
  },
  unmount(): void {
    root?.unmount();
    root = undefined;
  },
};
export type Host = typeof host;
declare global {
  var host: Host;
}
globalThis.host = host;
// The host page's own shortcuts.
addEventListener("keydown", (event) => host.keys.push(event.key));
