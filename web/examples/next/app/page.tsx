import { Watch } from "./watch";

export default function Page() {
  return <Watch />;
}
