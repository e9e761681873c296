/** What is typed into an address bar: /view, the React viewers and the app have this one reading of it. */
import { expect, test } from "vitest";
import { addressOf } from "../src/index.ts";

test.each([
  ["https://example.com/a b", undefined],
  ["https://example.com/?q=1#x", "https://example.com/?q=1#x"],
  ["about:blank", "about:blank"],
  ["data:text/html,<p>two words", "data:text/html,<p>two words"],
  ["example.com", "https://example.com"],
  ["  example.com:8080/a?b c ", "https://example.com:8080/a?b c"],
  ["bücher.example", "https://bücher.example"],
  ["localhost", "http://localhost"],
  ["localhost:3000/a", "http://localhost:3000/a"],
  ["app.localhost:3000", "http://app.localhost:3000"],
  ["127.0.0.1:8000", "http://127.0.0.1:8000"],
  ["[::1]:8000/", "http://[::1]:8000/"],
  ["192.168.1.1", "http://192.168.1.1"],
  ["172.20.0.2", "http://172.20.0.2"],
  ["172.32.0.2", "https://172.32.0.2"],
  ["printer:631", "https://printer:631"],
  ["localhost.example.com", "https://localhost.example.com"],
  ["cheap flights", undefined],
  ["what is example.com", undefined],
  ["word", undefined],
  [".", undefined],
  ["", undefined],
])("%s", (typed, address) => {
  expect(addressOf(typed)).toBe(address);
});

test("nothing that is typed is made into an address with a space in its host, and no reading takes long", () => {
  const signs = ["a", ".", ":", "/", " ", "1", "[", "]", "?", "#", "@", "-", "localhost", "é", "\n", "javascript:", "127."];
  let seed = 7;
  const next = (below: number) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below;
  for (let time = 0; time < 5000; time++) {
    const typed = Array.from({ length: next(12) }, () => signs[next(signs.length)]).join("");
    const address = addressOf(typed);
    if (address !== undefined && /^https?:\/\//.test(address)) expect(address.split(/[?#]/)[0]!.slice(8).split("/")[0]).not.toMatch(/\s/);
  }
  expect(addressOf("a.".repeat(50_000))).toBeDefined();
  expect(addressOf(`${"a".repeat(100_000)} b`)).toBeUndefined();
});
