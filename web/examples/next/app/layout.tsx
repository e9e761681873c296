import type { ReactNode } from "react";
import "@belljar/react/styles.css";

export const metadata = { title: "A browser for an agent" };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
