/** Files between this machine and the page that is shown, beside the socket and as the same viewer. */

/** Where a box is, with a slash at its end, and what opens it; without a token the cookie does. */
export interface BoxAddress {
  address: string;
  token?: string | undefined;
  /** The viewer's own key, `key` of `ready`: what it sends counts as its own acts. */
  viewer?: string | undefined;
}

interface Problem {
  message: string;
  code?: string;
}

/** Give files to the page that asks for them, and to nothing that asks in its place meanwhile.  Rejects with the problem it failed with. */
export function uploadFiles(
  { address, token, viewer }: BoxAddress,
  ask: { id: string; tabId: string },
  files: readonly File[],
  onProgress: (part: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const form = new FormData();
  form.append("tabId", ask.tabId);
  form.append("ask", ask.id);
  for (const file of files) form.append("file", file, file.name);
  return new Promise((resolve, reject: (problem: Problem) => void) => {
    // `fetch` does not tell how much of a body has gone.
    const request = new XMLHttpRequest();
    request.open("POST", new URL("v1/browser/upload", address));
    if (token !== undefined) request.setRequestHeader("Authorization", `Bearer ${token}`);
    if (viewer !== undefined) request.setRequestHeader("Belljar-Viewer", viewer);
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => lengthComputable && onProgress(loaded / total);
    request.onload = () => (request.status < 400 ? resolve() : reject(problemOf(request.responseText)));
    request.onerror = () => reject({ message: "The file could not be sent: the connection was lost, or the file is too large." });
    request.onabort = () => reject({ message: "It was not sent." });
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(form);
  });
}

/** Save what the box answers with, a download or the page as PDF, to this machine. */
export async function saveFile({ address, token }: BoxAddress, path: string, name: string): Promise<void> {
  const url = new URL(path, address);
  if (token === undefined) return follow(url.href, name);
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  if (!answer.ok) throw problemOf(await answer.text());
  const blob = URL.createObjectURL(await answer.blob());
  follow(blob, name);
  setTimeout(() => URL.revokeObjectURL(blob), 60_000);
}

function follow(href: string, download: string): void {
  const link = Object.assign(document.createElement("a"), { href, download });
  document.body.append(link);
  link.click();
  link.remove();
}

function problemOf(text: string): Problem {
  try {
    const { detail, title, code } = JSON.parse(text) as { detail?: string; title?: string; code?: string };
    return { message: detail ?? title ?? "It failed.", ...(code === undefined ? {} : { code }) };
  } catch {
    return { message: "It failed." };
  }
}
