/** Whether this viewer may act: its role, and control, which the first act takes where nobody holds it. */
import type { ControlResponse, LiveProblem } from "belljar";
import type { Connection } from "./connection.ts";

export type ControlHolder = ControlResponse["holder"];

export interface AccessListener {
  /** An act was not sent, because this one holds control. */
  onHeld?: ((holder: ControlHolder) => void) | undefined;
  /** Control could not be taken. */
  onRefused?: ((problem: LiveProblem | { message: string }) => void) | undefined;
}

export class Access {
  readonly #connection: Connection;
  readonly #listener: AccessListener;

  constructor(connection: Connection, listener: AccessListener = {}) {
    this.#connection = connection;
    this.#listener = listener;
  }

  get mayDrive(): boolean {
    return this.#connection.getSnapshot().ready?.role === "drive";
  }

  /** Whether this viewer has control; moves of the pointer are sent only then. */
  get holdsControl(): boolean {
    const { ready, control } = this.#connection.getSnapshot();
    return this.#connection.isTakingControl || (ready !== undefined && control?.holder.viewer === ready.viewer);
  }

  /** Asked before each act.  What is free is taken with it; what somebody has is not taken from them. */
  mayAct(): boolean {
    const { control } = this.#connection.getSnapshot();
    if (!this.mayDrive || control === undefined) return false;
    if (this.holdsControl) return true;
    if (control.holder.kind !== "none") {
      this.#listener.onHeld?.(control.holder);
      return false;
    }
    this.#connection.call("control.take").catch((problem: LiveProblem | { message: string }) => this.#listener.onRefused?.(problem));
    return true;
  }

  /** Take control, also from somebody, or give it back. */
  toggle(): Promise<unknown> {
    return this.#connection.call(this.holdsControl ? "control.release" : "control.take");
  }
}
