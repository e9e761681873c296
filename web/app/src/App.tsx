/** Which screen the address names. */
import { Compass, Frame } from "lucide-react";
import { type ReactElement, Suspense, lazy, useEffect } from "react";
import { Empty } from "./design/Empty.tsx";
import { Fault } from "./design/Fault.tsx";
import { SessionsScreen } from "./sessions/SessionsScreen.tsx";
import { server, useAddress } from "./shell/address.ts";
import { isInFrame } from "./shell/embedding.ts";
import { begin, useAccess, useIsAdmin } from "./shell/server.ts";
import { Overlays, TopBar } from "./shell/Shell.tsx";
import { SignIn } from "./shell/SignIn.tsx";

const SessionScreen = lazy(() => import("./session/SessionScreen.tsx"));
const ProfilesScreen = lazy(() => import("./profiles/ProfilesScreen.tsx"));
const AdminScreen = lazy(() => import("./admin/AdminScreen.tsx"));

const AccessScreen = lazy(() => import("./access/AccessScreen.tsx"));
const Consent = lazy(() => import("./access/Consent.tsx"));

export function App(): ReactElement {
  const { path, hash } = useAddress();
  const access = useAccess();
  const session = path[0] === "sessions" ? path[1] : undefined;
  const ticket = hash.get("ticket");
  // Whoever is a guest of one session is nobody elsewhere.
  const isElsewhere = access.kind === "guest" && access.session !== session;
  useEffect(() => {
    // A link that is opened where this page is open already changes nothing but the part after the #.
    if (access.kind === "unknown" || isElsewhere || ticket !== null) void begin(session);
  }, [access.kind, isElsewhere, session, ticket]);
  return (
    <Overlays>
      <Fault key={path.join("/")} what="This screen">
        <Suspense fallback={<div className="screen" />}>
          {access.kind === "unknown" || isElsewhere ? (
            <div className="screen" aria-busy="true" />
          ) : access.kind === "out" ? (
            isInFrame ? <InFrame why={access.why} /> : <SignIn why={access.why} session={session} />
          ) : server === "box" ? (
            <SessionScreen key="box" id={undefined} />
          ) : session !== undefined ? (
            <SessionScreen key={session} id={session} />
          ) : path.join("/") === "oauth/authorize" ? (
            <Consent />
          ) : (
            <PlaneScreen name={path[0] ?? ""} />
          )}
        </Suspense>
      </Fault>
    </Overlays>
  );
}

/** Why nothing is shown yet in a frame of another site, where nobody is asked to sign in. */
function InFrame({ why }: { why: string }): ReactElement {
  return (
    <main className="screen" role="status">
      <Empty icon={Frame} title="Belljar">
        <p>{why}</p>
      </Empty>
    </main>
  );
}

function PlaneScreen({ name }: { name: string }): ReactElement {
  const isAdmin = useIsAdmin();
  if (name === "") return <SessionsScreen />;
  if (name === "profiles") return <ProfilesScreen />;
  if (name === "access") return <AccessScreen />;
  // For anybody else it is as if it were not there.
  if (name === "admin" && isAdmin) return <AdminScreen />;
  return (
    <div className="screen">
      <TopBar />
      <Empty icon={Compass} title="There is nothing here">
        <p>This address names no screen of the app.</p>
      </Empty>
    </div>
  );
}
