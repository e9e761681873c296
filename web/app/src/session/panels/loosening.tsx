/** Loosening the policy is the operator's: on a control plane an admin's, of a box by itself with its operator's token. */
import { type EgressLoosenRequest, type EgressPolicy, Problem, SandboxAgent } from "belljar";
import { type FormEvent, type ReactElement, useEffect, useRef, useState } from "react";
import { Button } from "../../design/Button.tsx";
import { TextField } from "../../design/Field.tsx";
import { wordsOf } from "../../design/Toasts.tsx";
import { root } from "../../shell/address.ts";
import { isInFrame } from "../../shell/embedding.ts";
import { client, useAccess } from "../../shell/server.ts";
import { useSessionContext } from "../context.ts";

/** Nothing comes of it where somebody thought better of it. */
export type Loosen = (request: EgressLoosenRequest) => Promise<EgressPolicy | undefined>;

interface Wanted {
  request: EgressLoosenRequest;
  done: (policy: EgressPolicy | undefined) => void;
}

interface Loosening {
  loosen: Loosen | undefined;
  /** Why nobody may from here. */
  why: string;
  /** What has to be filled in before it is done. */
  form: ReactElement | null;
}

export function useLoosening(): Loosening {
  const { id } = useSessionContext();
  const access = useAccess();
  const [wanted, setWanted] = useState<Wanted>();
  if (id === undefined) {
    // What is typed into a frame, the page around it may have led somebody to type.
    if (isInFrame) return { loosen: undefined, why: "Only the operator allows a host, on the box’s own page.", form: null };
    const loosen: Loosen = (request) =>
      new Promise((resolve) => {
        wanted?.done(undefined);
        setWanted({ request, done: (policy) => (setWanted(undefined), resolve(policy)) });
      });
    return { loosen, why: "", form: wanted === undefined ? null : <TokenForm key={JSON.stringify(wanted.request)} {...wanted} /> };
  }
  if (access.kind === "in" && access.me.egress !== "off") return { loosen: (request) => client.sessions.loosenEgress(id, request), why: "", form: null };
  const isAdmin = access.kind === "in" && access.me.role === "admin";
  const why = isAdmin ? "Admins allow hosts from here where belljar serve was started with --admin-egress public." : "Only the operator can allow a host while the session runs.";
  return { loosen: undefined, why, form: null };
}

/** Whoever signs in to a box drives it, and no cookie may do more: its operator's token is used for this one call, and forgotten. */
function TokenForm({ request, done }: Wanted): ReactElement {
  const place = useRef<HTMLFormElement>(null);
  const [token, setToken] = useState("");
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => place.current?.querySelector("input")?.focus(), []);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      done(await new SandboxAgent({ baseUrl: root.href, token: token.trim() }).egress.loosen(request));
    } catch (failed) {
      const isRefused = failed instanceof Problem && (failed.status === 401 || failed.status === 403);
      setError(isRefused ? "That is not the operator’s token of this box." : wordsOf(failed));
      setToken("");
      setBusy(false);
    }
  };
  return (
    <form ref={place} className="operator-form" aria-label="As the operator" onSubmit={(event) => void submit(event)} onKeyDown={(event) => event.key === "Escape" && (event.stopPropagation(), done(undefined))}>
      {request.allow?.length ? <p className="mono">allow {request.allow.join(", ")}</p> : null}
      <TextField
        label="Operator’s token"
        type="password"
        value={token}
        error={error}
        hint="Used for this alone, and not kept. It is the one that belljar box was started with, or printed."
        onChange={setToken}
      />
      <div className="line">
        <Button type="submit" kind="strong" disabled={isBusy || token.trim() === ""}>
          {request.allow?.length ? "Allow" : request.learn === true ? "Learn" : "Learn no more"}
        </Button>
        <Button onClick={() => done(undefined)}>Cancel</Button>
      </div>
    </form>
  );
}
