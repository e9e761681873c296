/** A word for this moment, to find it again in the record and in films. */
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "../../design/Button.tsx";
import { wordsOf } from "../../design/Toasts.tsx";
import { useEscape } from "../../shell/keys.ts";
import { useSessionContext } from "../context.ts";

const LONGEST = 500;

export function MarkForm({ onClose }: { onClose: () => void }): ReactElement {
  const { box } = useSessionContext();
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  const [isBusy, setBusy] = useState(false);
  useEscape(onClose);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (text.trim() === "") return setError("A mark needs a word.");
    setBusy(true);
    try {
      await box.events.mark(text.trim());
      onClose();
    } catch (failed) {
      setError(wordsOf(failed));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="mark-form" aria-label="Mark this moment" onSubmit={(event) => void submit(event)}>
      <input className="input" aria-label="Mark" aria-invalid={error !== ""} placeholder="What happens now?" maxLength={LONGEST} autoFocus value={text} onChange={(event) => (setText(event.target.value), setError(""))} />
      <Button type="submit" kind="strong" disabled={isBusy}>
        Mark
      </Button>
      {error === "" ? null : (
        <span className="bad small" role="alert">
          {error}
        </span>
      )}
    </form>
  );
}
