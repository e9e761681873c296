/** Asks for a key or a token; the only screen that stands in the way. */
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "../design/Button.tsx";
import { TextField } from "../design/Field.tsx";
import { server } from "./address.ts";
import { Mark } from "./Mark.tsx";
import { signIn } from "./server.ts";

export function SignIn({ why, session }: { why: string; session: string | undefined }): ReactElement {
  const [secret, setSecret] = useState("");
  const [error, setError] = useState(why);
  const [isBusy, setBusy] = useState(false);
  const isPlane = server === "plane";
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
        <p className="faint">
          {isPlane ? "Open the link that belljar serve printed, or paste a key." : "Open the one-time link you were given, or paste a token."}
        </p>
        <TextField label={name} type="password" name="key" required value={secret} error={error || undefined} onChange={setSecret} data-autofocus autoFocus />
        <Button type="submit" kind="strong" disabled={isBusy || secret.trim() === ""}>
          Sign in
        </Button>
      </form>
    </main>
  );
}
