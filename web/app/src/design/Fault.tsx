/** What fails inside is said in its place, and everything around goes on. */
import { Component, type ReactNode } from "react";
import { Button } from "./Button.tsx";
import { wordsOf } from "./Toasts.tsx";

interface FaultProps {
  /** What it was that failed: `This panel`. */
  what: string;
  children: ReactNode;
}

export class Fault extends Component<FaultProps, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error: error ?? new Error("It did not work.") };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div className="empty" role="alert">
        <h2>{this.props.what} failed</h2>
        <p className="bad">{wordsOf(error)}</p>
        <p>After an update of the server the page has to be loaded anew; nothing in the session is lost by it.</p>
        <div className="line">
          <Button onClick={() => this.setState({ error: undefined })}>Try again</Button>
          <Button kind="strong" onClick={() => location.reload()}>
            Load the page anew
          </Button>
        </div>
      </div>
    );
  }
}
