/** A picture of the record, loaded with the credential of this page. */
import type { CSSProperties, ReactElement } from "react";
import { useSource } from "../../shell/embedding.ts";

export interface RecordPictureProps {
  url: string;
  alt: string;
  className?: string;
  isLazy?: boolean;
  style?: CSSProperties;
}

export function RecordPicture({ url, isLazy = false, ...rest }: RecordPictureProps): ReactElement {
  return <img src={useSource(url)} loading={isLazy ? "lazy" : undefined} {...rest} />;
}
