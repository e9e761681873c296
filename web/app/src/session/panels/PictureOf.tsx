/** Bytes as a picture, which can be saved. */
import { Download } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";

export function PictureOf({ content, type, label, name }: { content: Uint8Array; type: string; label: string; name?: string }): ReactElement | null {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([content as BlobPart], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [content, type]);
  if (url === undefined) return null;
  return (
    <figure className="picture-of">
      <img src={url} alt={label} />
      {name === undefined ? null : (
        <a className="button" href={url} download={name}>
          <Download size={15} aria-hidden="true" />
          Save
        </a>
      )}
    </figure>
  );
}
