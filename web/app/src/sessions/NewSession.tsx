/** The sheet that makes a session: an address and a preset, everything else below, and the same request as code beside it. */
import { Problem, type Profile, type SessionInfo } from "belljar";
import { BookmarkPlus, ChevronDown, ChevronRight, Trash2 } from "lucide-react";
import { type FormEvent, type ReactElement, type ReactNode, useEffect, useMemo, useState } from "react";
import { Button } from "../design/Button.tsx";
import { Code } from "../design/Code.tsx";
import { Check, Choice, TextField } from "../design/Field.tsx";
import { Sheet } from "../design/Sheet.tsx";
import { Tabs } from "../design/Tabs.tsx";
import { wordsOf } from "../design/Toasts.tsx";
import { remember, remembered, useRemembered } from "../shell/preferences.ts";
import { client, useIsAdmin } from "../shell/server.ts";
import { EMPTY, type Errors, type Form, LANGUAGES, type Language, asCode, fieldOf, requestOf } from "./request.ts";
import { stream } from "./list.ts";

type Presets = Record<string, Partial<Form>>;
const BUILT_IN: Presets = {
  Browser: {},
  "Headless browser": { headless: true },
  Desktop: { mode: "desktop" },
  "Cut off from the network": { egress: "none" },
  "For a long night": { ttl: "43200", idleTimeout: "0" },
};
// What was typed before the sheet was closed, or the page was lost.
const DRAFT = "draft";

interface NewSessionProps {
  onClose: () => void;
  onMade: (session: SessionInfo) => void;
  initial?: Partial<Form> | undefined;
}

export function NewSession({ onClose, onMade, initial }: NewSessionProps): ReactElement {
  const [form, setForm] = useState<Form>(() => ({ ...EMPTY, ...(initial ?? remembered<Partial<Form>>(DRAFT, {})) }));
  const [refusals, setRefusals] = useState<Errors>({});
  const [isBusy, setBusy] = useState(false);
  const [language, setLanguage] = useRemembered<Language>("language", "curl");
  const { request, errors: ownErrors } = useMemo(() => requestOf(form), [form]);
  const errors = { ...ownErrors, ...refusals };
  useEffect(() => remember(DRAFT, form), [form]);

  const set = <Name extends keyof Form>(name: Name, value: Form[Name]): void => {
    setForm((old) => ({ ...old, [name]: value }));
    setRefusals(({ [name]: _, all: __, ...rest }) => rest);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (Object.keys(ownErrors).length > 0) return;
    setBusy(true);
    try {
      const made = await client.sessions.create({ ...request, wait: false });
      stream.put(made.info);
      remember(DRAFT, undefined);
      onMade(made.info);
    } catch (error) {
      setRefusals(refusalsOf(error));
    } finally {
      setBusy(false);
    }
  };
  const text = (name: keyof Form, label: string, more: { hint?: ReactNode; placeholder?: string; type?: string; inputMode?: "numeric" } = {}): ReactElement => (
    <TextField label={label} value={String(form[name])} error={errors[name]} onChange={(value) => set(name, value as never)} data-autofocus={name === "url" ? "" : undefined} {...more} />
  );
  return (
    <Sheet
      title="New session"
      width={920}
      onClose={onClose}
      footer={
        <>
          {errors.all === undefined ? <span className="grow faint small cut">Nothing is lost when this is closed.</span> : <span className="grow bad" role="alert">{errors.all}</span>}
          <Button onClick={() => setForm({ ...EMPTY })}>Clear</Button>
          <Button type="submit" form="new-session" kind="strong" disabled={isBusy}>
            {isBusy ? "Starting…" : "Start"}
          </Button>
        </>
      }
    >
      <div className="new-session">
        <form id="new-session" onSubmit={(event) => void submit(event)}>
          <PresetBar form={form} onChoose={(preset) => setForm({ ...EMPTY, ...preset, url: preset.url ?? form.url })} />
          {form.mode === "browser" ? text("url", "Address", { placeholder: "example.com, localhost:3000, or leave it empty" }) : null}
          {text("name", "Name", { placeholder: "How people find it again" })}
          <Part title="Browser">
            <div className="pair">
              <Choice label="Runs" value={form.mode} error={errors.mode} options={[["browser", "A browser"], ["desktop", "A desktop"], ["none", "Nothing yet"]]} onChange={(value) => set("mode", value)} />
              <div className="pair">
                {text("width", "Width", { inputMode: "numeric" })}
                {text("height", "Height", { inputMode: "numeric" })}
              </div>
            </div>
            {form.mode === "browser" ? <Check label="Headless: no display, a little less memory" isOn={form.headless} onChange={(isOn) => set("headless", isOn)} /> : null}
            <ProfileChoice value={form.profileId} error={errors.profileId} onChange={(value) => set("profileId", value)} />
            {form.profileId === "" ? null : <Check label="On a copy of the profile: nothing is kept" isOn={form.readOnly} onChange={(isOn) => set("readOnly", isOn)} />}
          </Part>
          <Part title="Life">
            <div className="pair">
              {text("ttl", "Ends after (seconds)", { placeholder: "3600", inputMode: "numeric" })}
              {text("idleTimeout", "Ends when idle for (seconds)", { placeholder: "as the server says", hint: "0 never", inputMode: "numeric" })}
            </div>
            <div className="pair">
              {text("tags", "Tags", { placeholder: "team: shop, run: 12" })}
              {text("id", "Id", { placeholder: "made up by the server" })}
            </div>
            {text("metadata", "Metadata", { placeholder: '{"ticket": 4711}', hint: "JSON, up to 16 KiB" })}
          </Part>
          <Part title="Network">
            <Choice label="Reaches" value={form.egress} error={errors.egress} options={[["", "What the operator allows"], ["none", "Nothing"]]} onChange={(value) => set("egress", value)} />
            {form.egress === "none" ? null : (
              <div className="pair">
                {text("only", "Only these hosts", { placeholder: "*.example.com" })}
                {text("deny", "Never these hosts", { placeholder: "ads.example.com" })}
              </div>
            )}
            <div className="pair">
              <Choice label="CDP clients" value={form.cdp} error={errors.cdp} options={[["", "As the operator says"], ["on", "May connect"], ["off", "May not"]]} onChange={(value) => set("cdp", value)} />
              <Choice label="Callers' scripts" value={form.evaluate} error={errors.evaluate} options={[["", "As the operator says"], ["on", "Run in the page"], ["isolated", "Run beside the page"], ["off", "Do not run"]]} onChange={(value) => set("evaluate", value)} />
            </div>
            <AdminOnly>{text("proxy", "Upstream proxy", { placeholder: "socks5://proxy.example:1080" })}</AdminOnly>
          </Part>
          <Part title="Record">
            <div className="pair">
              <Choice label="Writes down" value={form.record} error={errors.record} options={[["", "As the operator says"], ["none", "Nothing"], ["actions", "Who did what"], ["content", "Also what pages say"]]} onChange={(value) => set("record", value)} />
              {text("recordKinds", "Only these kinds", { placeholder: "call, nav, network" })}
            </div>
            <Choice label="Films" value={form.film} error={errors.film} options={[["", "As the operator says"], ["off", "Nothing unasked"], ["on_failure", "The last minutes before a failure"], ["on", "All of it"]]} onChange={(value) => set("film", value)} />
          </Part>
          <Part title="Limits">
            <div className="pair">
              {text("memoryMb", "Memory (MB)", { inputMode: "numeric" })}
              {text("cpus", "Processors")}
            </div>
            <div className="pair">
              {text("diskMb", "Disk (MB)", { inputMode: "numeric" })}
              {text("processes", "Processes", { inputMode: "numeric" })}
            </div>
            <div className="pair">
              {text("viewers", "Viewers at once", { inputMode: "numeric" })}
              {text("inputRate", "Input messages a second")}
            </div>
            {text("commandRate", "Commands a second")}
          </Part>
        </form>
        <aside aria-label="The same as code">
          <Tabs label="Language" tabs={LANGUAGES.map((name) => [name, name] as const)} current={language} onChoose={setLanguage} />
          <Code label={`This request for ${language}`} text={asCode(request, language)} />
        </aside>
      </div>
    </Sheet>
  );
}

function AdminOnly({ children }: { children: ReactNode }): ReactNode {
  return useIsAdmin() ? children : null;
}

/** A group of fields, closed until somebody wants it, and then as it was left. */
function Part({ title, children }: { title: string; children: ReactNode }): ReactElement {
  const [isOpen, setOpen] = useRemembered(`new.${title}`, false);
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <section className="part">
      <button type="button" className="part-title" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon size={14} aria-hidden="true" /> {title}
      </button>
      {isOpen ? <div className="fields">{children}</div> : null}
    </section>
  );
}

function PresetBar({ form, onChoose }: { form: Form; onChoose: (preset: Partial<Form>) => void }): ReactElement {
  const [own, setOwn] = useRemembered<Presets>("presets", {});
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState("");
  const all = { ...BUILT_IN, ...own };
  const save = (): void => {
    if (name.trim() === "") return;
    const changed = Object.fromEntries(Object.entries(form).filter(([key, value]) => value !== EMPTY[key as keyof Form]));
    setOwn({ ...own, [name.trim()]: changed as Partial<Form> });
    setChosen(name.trim());
    setName("");
  };
  const forget = (): void => {
    const { [chosen]: _, ...rest } = own;
    setOwn(rest);
    setChosen("");
  };
  return (
    <div className="presets">
      <select
        className="input"
        aria-label="Preset"
        value={chosen}
        onChange={(event) => {
          setChosen(event.target.value);
          onChoose(all[event.target.value] ?? {});
        }}
      >
        <option value="">Preset…</option>
        {Object.keys(all).map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      {chosen in own ? <Button icon={Trash2} kind="plain" label={`Forget the preset ${chosen}`} onClick={forget} /> : null}
      <span className="grow" />
      <input className="input" aria-label="Name of a new preset" placeholder="Save as preset…" value={name} onChange={(event) => setName(event.target.value)} onKeyDown={(event) => event.key === "Enter" && (event.preventDefault(), save())} />
      {name.trim() === "" ? null : <Button icon={BookmarkPlus} kind="plain" label="Save the preset" onClick={save} />}
    </div>
  );
}

function ProfileChoice({ value, error, onChange }: { value: string; error: string | undefined; onChange: (value: string) => void }): ReactElement {
  const [profiles, setProfiles] = useState<readonly Profile[]>([]);
  useEffect(() => {
    client.profiles.list().then(
      ({ profiles: found }) => setProfiles(found),
      () => undefined,
    );
  }, []);
  const options = profiles.map(({ id, name, sessionId }) => [id, `${name || id}${sessionId == null ? "" : " (in use)"}`] as const);
  return <Choice label="Profile" value={value} error={error} options={[["", "None: it begins empty"], ...options]} onChange={onChange} />;
}

/** Each refusal at its field; what has none, at the foot. */
function refusalsOf(error: unknown): Errors {
  const listed = error instanceof Problem ? error.problem?.["errors"] : undefined;
  if (!Array.isArray(listed)) return { all: wordsOf(error) };
  const found: Errors = {};
  for (const { field, message } of listed as { field?: string; message?: string }[]) {
    const name = fieldOf(field ?? "");
    found[name] = name === "all" ? `${field ?? ""}: ${message ?? ""}` : (message ?? "This cannot be.");
  }
  return found;
}
