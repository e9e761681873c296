/** The head: what became of it, where its page is, who drives, how long it has, and the ways to let others in and to end it. */
import type { SessionInfo } from "belljar";
import { addressOf } from "belljar/live";
import { ArrowLeft, ArrowRight, Bot, ChevronLeft, Clock, Ellipsis, Hand, Lock, LockOpen, Power, RotateCw, Share2, User, X } from "lucide-react";
import { type FormEvent, type ReactElement, useEffect, useRef, useState } from "react";
import { Button } from "../design/Button.tsx";
import { Menu } from "../design/Menu.tsx";
import { say, sayProblem } from "../design/Toasts.tsx";
import { end, extend } from "../sessions/acts.ts";
import { dotOf, isLive, nameOf, reasonOf } from "../sessions/list.ts";
import { follow, go, href, server } from "../shell/address.ts";
import { copyText } from "../shell/copy.ts";
import { useCommands } from "../shell/keys.ts";
import { Mark } from "../shell/Mark.tsx";
import { client, useAccess } from "../shell/server.ts";
import { Offline } from "../shell/Shell.tsx";
import { absolute, span, useNow } from "../shell/time.ts";
import { useSessionContext } from "./context.ts";
import { useNavigation } from "./navigation.ts";

// Where words are looked up by who wants that.
const SEARCH = "https://duckduckgo.com/?q=";

export function Head(): ReactElement {
  const { info, live, isRunning, mayDrive } = useSessionContext();
  const access = useAccess();
  const isOwner = access.kind === "in";
  return (
    <header className="head">
      {server === "plane" && isOwner ? (
        <a className="button" data-kind="plain" data-icon="" href={href()} onClick={follow} aria-label="All sessions" title="All sessions (g s)">
          <ChevronLeft size={16} aria-hidden="true" />
        </a>
      ) : (
        <Mark />
      )}
      <State />
      <Offline />
      {isRunning && live.ready?.mode === "browser" ? <AddressBar /> : <span className="grow" />}
      {isRunning ? <DriveButton /> : null}
      {info !== undefined && isLive(info) ? <TimeLeft info={info} /> : null}
      <IsolationMark />
      {isOwner && info !== undefined ? <OwnerMenu info={info} /> : isRunning && mayDrive ? <GuestMenu /> : null}
      {server === "plane" && isOwner ? <GoKeys /> : null}
    </header>
  );
}

function GoKeys(): null {
  useCommands([
    { keys: "g s", label: "Go to Sessions", group: "Anywhere", run: () => go(href()) },
    { keys: "g p", label: "Go to Profiles", group: "Anywhere", run: () => go(href("profiles")) },
  ]);
  return null;
}

const CONNECTION = { open: "", connecting: "Connecting…", waiting: "Reconnecting…", closed: "" } as const;

function State(): ReactElement {
  const { info, live, isRunning } = useSessionContext();
  const words = isRunning ? CONNECTION[live.state] : info === undefined ? "" : isLive(info) ? (info.state === "pending" ? "Waiting for room" : info.state === "stopping" ? "Ending…" : "Starting…") : reasonOf(info);
  const dot = live.control?.question || live.dialog !== undefined ? "asks" : info === undefined ? (live.state === "open" ? "running" : "starting") : dotOf(info);
  return (
    <div className="state">
      <span className="dot" data-state={isRunning && live.state !== "open" ? "starting" : dot} role="img" aria-label={info?.state ?? live.state} />
      <h1 className="cut">{info === undefined ? (live.ready?.boxId ?? "Box") : nameOf(info)}</h1>
      {words === "" ? null : (
        <span className={info?.state === "failed" ? "bad cut" : "faint cut"} role="status" title={words}>
          {words}
        </span>
      )}
    </div>
  );
}

function AddressBar(): ReactElement {
  const { live, mayDrive, focusStage } = useSessionContext();
  const { isLoading, problem, run, stop, forget } = useNavigation();
  const current = live.tabs.find((tab) => tab.active)?.url ?? "";
  const [typed, setTyped] = useState<string>();
  // What was typed and is no address.
  const [words, setWords] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => setTyped(undefined), [current]);
  const isOff = live.state !== "open" || live.ready?.mode !== "browser";
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const wanted = (typed ?? current).trim();
    if (wanted === "") return;
    const url = addressOf(wanted);
    setWords(url === undefined ? wanted : undefined);
    if (url === undefined) return;
    focusStage();
    run("navigate", { url });
  };
  const search = (): void => {
    run("navigate", { url: SEARCH + encodeURIComponent(words ?? "") });
    setWords(undefined);
    focusStage();
  };
  useCommands(mayDrive ? [{ keys: "o", label: "Address", group: "Session", run: () => field.current?.focus() }] : []);
  return (
    <form className="address-bar" onSubmit={submit} data-loading={isLoading || undefined}>
      {mayDrive ? (
        <>
          <Button kind="plain" icon={ArrowLeft} label="Back" disabled={isOff} onClick={() => run("back")} />
          <Button kind="plain" icon={ArrowRight} label="Forward" disabled={isOff} onClick={() => run("forward")} />
          {isLoading ? <Button kind="plain" icon={X} label="Stop" disabled={isOff} onClick={stop} /> : <Button kind="plain" icon={RotateCw} label="Reload" disabled={isOff} onClick={() => run("reload")} />}
        </>
      ) : null}
      <span className="address">
        <input
          ref={field}
          aria-label="Address"
          aria-invalid={problem !== ""}
          inputMode="url"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          placeholder={isOff ? "" : "Address"}
          readOnly={!mayDrive}
          disabled={isOff}
          value={typed ?? (current === "about:blank" ? "" : current)}
          onChange={(event) => (setTyped(event.target.value), setWords(undefined))}
          onFocus={(event) => event.target.select()}
          onBlur={() => words === undefined && setTyped(undefined)}
        />
        {isLoading ? <span className="loading-bar" role="progressbar" aria-label="Loading" /> : null}
      </span>
      {words === undefined ? null : (
        <span className="address-problem" role="alert">
          <span className="grow">That is no address: it needs a host, as in example.com.</span>
          <Button onClick={search}>Look it up at DuckDuckGo</Button>
          <Button kind="plain" icon={X} label="Dismiss" onClick={() => setWords(undefined)} />
        </span>
      )}
      {problem === "" ? null : (
        <span className="address-problem" role="alert">
          <span className="grow">{problem}</span>
          {mayDrive ? <Button onClick={() => run("reload")}>Try again</Button> : null}
          <Button kind="plain" icon={X} label="Dismiss" onClick={forget} />
        </span>
      )}
    </form>
  );
}

function DriveButton(): ReactElement | null {
  const { live, mayDrive } = useSessionContext();
  const { control, holdsControl, call } = live;
  const move = (): void => void call(holdsControl ? "control.release" : "control.take").catch(sayProblem);
  useCommands(mayDrive ? [{ keys: "t", label: holdsControl ? "Give control back" : "Take control", group: "Session", run: move }] : []);
  if (control === undefined) return null;
  const kind = holdsControl ? "you" : control.holder.kind;
  const who = { you: "You drive", none: "", agent: "Agent drives", viewer: `${control.holder.name ?? "Somebody"} drives` }[kind];
  const Icon = kind === "agent" ? Bot : User;
  return (
    <>
      {who === "" ? null : (
        <span className="who" data-kind={kind} role="status">
          <Icon size={12} aria-hidden="true" /> <span className="cut">{who}</span>
        </span>
      )}
      {mayDrive ? (
        <Button kind={holdsControl ? undefined : "person"} icon={Hand} aria-label={holdsControl ? "Give back" : "Take control"} title={`${holdsControl ? "Give back" : "Take control"} (t)`} onClick={move}>
          <span className="wide">{holdsControl ? "Give back" : "Take control"}</span>
        </Button>
      ) : null}
    </>
  );
}

function TimeLeft({ info }: { info: SessionInfo }): ReactElement {
  const { refresh } = useSessionContext();
  const now = useNow();
  const left = Date.parse(info.expiresAt) - now;
  return (
    <Button
      kind="plain"
      icon={Clock}
      className="time-left data"
      title={`Ends ${absolute(info.expiresAt)}. Click for an hour more.`}
      aria-label={`${span(left)} left; extend by an hour`}
      data-soon={left < 300_000 || undefined}
      onClick={() => void extend(info).then(refresh)}
    >
      {span(left)}
    </Button>
  );
}

function IsolationMark(): ReactElement | null {
  const { info } = useSessionContext();
  const isolation = info?.isolation;
  if (isolation == null) return null;
  if (isolation.jail !== false) return <Lock className="lock-mark" size={14} role="img" aria-label="Its programs are kept in a jail" />;
  const words = `No jail: ${isolation.reason ?? "its programs are not kept in"}. Run belljar doctor on its host.`;
  return (
    <span className="lock-mark bad" title={words}>
      <LockOpen size={14} role="img" aria-label={words} />
    </span>
  );
}

function OwnerMenu({ info }: { info: SessionInfo }): ReactElement {
  const { copyMoment } = useSessionContext();
  const alive = isLive(info);
  const share = async (role: "view" | "drive"): Promise<void> => {
    try {
      const { viewUrl } = await client.sessions.createToken(info.id, { role, ttl: 3600, note: "shared from the app" });
      const link = new URL(href("sessions", info.id));
      link.hash = new URL(viewUrl ?? "").hash;
      const words = role === "view" ? "to watch" : "to drive";
      if (await copyText(link.href)) say(`Copied: a link ${words}, good for one person and five minutes.`);
      else say(link.href);
    } catch (error) {
      sayProblem(error);
    }
  };
  return (
    <>
      <Menu label="Share" icon={Share2}>
        {() => (
          <>
            {alive ? (
              <>
                <p>A link that opens this session once, without a key.</p>
                <button type="button" onClick={() => void share("view")}>
                  Copy a link to watch
                </button>
                <button type="button" onClick={() => void share("drive")}>
                  Copy a link to drive
                </button>
                <hr />
              </>
            ) : null}
            <p>For who may see this session.</p>
            <MomentButton onCopy={copyMoment} />
          </>
        )}
      </Menu>
      {alive ? <Button kind="plain" icon={Power} label="End the session" onClick={() => endAndLeave(info)} /> : null}
    </>
  );
}

function MomentButton({ onCopy }: { onCopy: () => void }): ReactElement {
  return (
    <button type="button" title="Copy a link to this moment (s)" onClick={onCopy}>
      Copy a link to this moment
    </button>
  );
}

function endAndLeave(info: SessionInfo): void {
  go(href());
  end([info], () => go(href("sessions", info.id)));
}

function GuestMenu(): ReactElement {
  const { box, copyMoment } = useSessionContext();
  const share = async (role: "view" | "drive"): Promise<void> => {
    try {
      const { link } = await box.live.link({ role });
      const own = new URL(location.href);
      own.hash = new URL(link).hash;
      if (await copyText(own.href)) say(`Copied: a link to ${role === "view" ? "watch" : "drive"}, good once.`);
    } catch (error) {
      sayProblem(error);
    }
  };
  return (
    <Menu label="More" icon={Ellipsis}>
      {() => (
        <>
          <button type="button" onClick={() => void share("view")}>
            Copy a link to watch
          </button>
          <button type="button" onClick={() => void share("drive")}>
            Copy a link to drive
          </button>
          <MomentButton onCopy={copyMoment} />
        </>
      )}
    </Menu>
  );
}
