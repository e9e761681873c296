"use client";

import { BrowserViewer } from "@belljar/react";
import { Belljar } from "belljar";
import { useEffect, useState } from "react";

interface Access {
  baseUrl: string;
  token: string;
}

const access = async (): Promise<Access> => (await fetch("/api/belljar", { method: "POST" })).json();

/** What the person who is signed in here may watch and drive, with tokens that end after five minutes. */
export function Watch() {
  const [client, setClient] = useState<Belljar>();
  const [url, setUrl] = useState("");

  useEffect(() => {
    let isGone = false;
    void access().then(({ baseUrl, token }) => {
      // The first is at hand; whenever another is needed, the server is asked again.
      let first: string | undefined = token;
      const next = async () => {
        const now = first ?? (await access()).token;
        first = undefined;
        return now;
      };
      if (!isGone) setClient(new Belljar({ baseUrl, token: next }));
    });
    return () => {
      isGone = true;
    };
  }, []);

  if (client === undefined) return <p>One moment …</p>;
  return (
    <main>
      <BrowserViewer client={client} height={600} onNavigate={setUrl} />
      <p id="where">{url}</p>
    </main>
  );
}
