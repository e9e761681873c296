/** Files of the box. */
import type { CallOptions, Http } from "./http.ts";
import type {
  FsActionResponse,
  FsEntry,
  FsMoveRequest,
  FsMoveResponse,
  FsStat,
  FsUploadBatchResponse,
  FsWriteResponse,
} from "./schemas.gen.ts";
import { type QueryOf } from "./calls.ts";

export class Files {
  /** @internal */
  readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }

  /** What is in a directory, by name. */
  list(query?: QueryOf<"listFsEntries">, options?: CallOptions): Promise<FsEntry[]> {
    return this.http.get("/v1/fs/entries", query, options);
  }

  /** What a path names; of a symbolic link, the link itself. */
  stat(query: QueryOf<"statFs">, options?: CallOptions): Promise<FsStat> {
    return this.http.get("/v1/fs/stat", query, options);
  }

  /** A regular file, streamed; a part of it with `Range`. */
  read(query: QueryOf<"readFsFile">, options?: CallOptions): Promise<Uint8Array> {
    return this.http.bytes("/v1/fs/file", query, options);
  }

  /** Make a directory, with those on the way; one that is there already is fine. */
  mkdir(query: QueryOf<"mkdirFs">, options?: CallOptions): Promise<FsActionResponse> {
    return this.http.post("/v1/fs/mkdir", undefined, { ...options, query });
  }

  /** Move or rename; what is there already is replaced only with `overwrite`. */
  move(request: FsMoveRequest, options?: CallOptions): Promise<FsMoveResponse> {
    return this.http.post("/v1/fs/move", request, options);
  }

  /** Delete a file or an empty directory; with `recursive` a directory and everything in it. */
  delete(query: QueryOf<"deleteFsEntry">, options?: CallOptions): Promise<FsActionResponse> {
    return this.http.json("DELETE", "/v1/fs/entry", { ...options, query });
  }

  /** A file, piece by piece. */
  stream(query: QueryOf<"readFsFile">, options?: CallOptions): Promise<ReadableStream<Uint8Array>> {
    return this.http.stream("/v1/fs/file", query, options);
  }

  /** Write a file; a stream is sent as it comes. */
  write(query: QueryOf<"writeFsFile">, body: BodyInit, options?: CallOptions): Promise<FsWriteResponse> {
    const headers = { "Content-Type": "application/octet-stream", ...options?.headers };
    return this.http.json("PUT", "/v1/fs/file", { ...options, headers, query, body });
  }

  /** Unpack a tar archive. */
  unpack(body: BodyInit, query?: QueryOf<"uploadFsBatch">, options?: CallOptions): Promise<FsUploadBatchResponse> {
    const headers = { "Content-Type": "application/x-tar", ...options?.headers };
    return this.http.json("POST", "/v1/fs/upload-batch", { ...options, headers, query, body });
  }
}
