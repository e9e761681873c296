/** The mark: a bell jar. */
import type { ReactElement } from "react";

export function Mark({ size = 20 }: { size?: number }): ReactElement {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true">
      <path d="M6 18.5V10a6 6 0 0 1 12 0v8.5" />
      <path d="M3.5 20.5h17" />
      <path d="M12 4V2.5" />
      <circle cx="12" cy="13" r="2.2" fill="var(--person)" stroke="none" />
    </svg>
  );
}
