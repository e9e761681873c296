/** Asks for a key or a token; the only screen that stands in the way. */
import { type FormEvent, type ReactElement, useEffect, useState } from "react";
import { Button } from "../design/Button.tsx";
import { TextField } from "../design/Field.tsx";
import { server } from "./address.ts";
import { Mark } from "./Mark.tsx";
import { providerAddress, providerName, signIn } from "./server.ts";

export function SignIn({ why, session }: { why: string; session: string | undefined }): ReactElement {
  const [secret, setSecret] = useState("");
  const [error, setError] = useState(why);
  const [isBusy, setBusy] = useState(false);
  const [provider, setProvider] = useState<string>();
  const isPlane = server === "plane";
  useEffect(() => void providerName().then(setProvider), []);
  useEffect(() => setError(why), [why]);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const problem = await signIn(secret.trim(), session);
    setBusy(false);
    setSecret("");
    setError(problem === undefined ? "" : problem);
  };
  const name = isPlane ? (session === undefined ? "API key" : "API key, or a token of this session") : "Token";
  return (
    <main className="sign-in">
      <form onSubmit={(event) => void submit(event)}>
        <div className="line">
          <Mark size={28} />
          <h1>Belljar</h1>
        </div>
        {provider === undefined ? null : (
          <a className="button" data-kind="strong" href={providerAddress()}>
            Sign in with {provider}
          </a>
        )}
        <p className="faint">
          {provider !== undefined ? "Or paste a key." : isPlane ? "Open the link that belljar serve printed, or paste a key." : "Open the one-time link you were given, or paste a token."}
        </p>
        <TextField label={name} type="password" name="key" required value={secret} error={error || undefined} onChange={setSecret} data-autofocus autoFocus={provider === undefined} />
        <Button type="submit" kind={provider === undefined ? "strong" : undefined} disabled={isBusy || secret.trim() === ""}>
          Sign in
        </Button>
      </form>
    </main>
  );
}
