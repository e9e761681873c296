/** The moment that is looked at, over the live picture; what shows it is loaded when somebody first looks back. */
import { type ReactElement, Suspense, lazy } from "react";
import { useSessionContext } from "../context.ts";

const Replay = lazy(() => import("./Replay.tsx"));

export function Then(): ReactElement | null {
  const { moment } = useSessionContext();
  if (moment === undefined) return null;
  return (
    <Suspense fallback={null}>
      <Replay moment={moment} />
    </Suspense>
  );
}
