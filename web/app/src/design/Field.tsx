/** A field with its name above, a hint below, and what is wrong with it in the hint's place. */
import { type InputHTMLAttributes, type ReactElement, type ReactNode, useId } from "react";

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  children: (props: { id: string; "aria-invalid": boolean; "aria-describedby": string | undefined; className: string }) => ReactNode;
}

export function Field({ label, hint, error, children }: FieldProps): ReactElement {
  const id = useId();
  const note = `${id}-note`;
  const hasNote = error !== undefined || hint !== undefined;
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children({ id, "aria-invalid": error !== undefined, "aria-describedby": hasNote ? note : undefined, className: "input" })}
      {error !== undefined ? (
        <span className="error" id={note} role="alert">
          {error}
        </span>
      ) : hint === undefined ? null : (
        <span className="hint" id={note}>
          {hint}
        </span>
      )}
    </div>
  );
}

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value"> {
  label: string;
  value: string;
  hint?: ReactNode;
  error?: string | undefined;
  onChange: (value: string) => void;
}

export function TextField({ label, value, hint, error, onChange, ...rest }: TextFieldProps): ReactElement {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => (
        <input {...props} autoComplete="off" spellCheck={false} {...rest} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  hint?: ReactNode;
  error?: string | undefined;
  options: readonly (readonly [value: string, words: string])[];
  onChange: (value: string) => void;
}

export function Choice({ label, value, hint, error, options, onChange }: ChoiceProps): ReactElement {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => (
        <select {...props} value={value} onChange={(event) => onChange(event.target.value)}>
          {options.map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function Check({ label, isOn, onChange }: { label: ReactNode; isOn: boolean; onChange: (isOn: boolean) => void }): ReactElement {
  return (
    <label className="check">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}
