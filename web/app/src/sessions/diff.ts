/** Two lists beside each other: what is in both stands in one row. */

export interface Pair<T> {
  left?: T | undefined;
  right?: T | undefined;
}

/** The longest that both have in the same order, and between it what each has alone. */
export function diff<T>(left: readonly T[], right: readonly T[], isSame: (a: T, b: T) => boolean): Pair<T>[] {
  let begin = 0;
  while (begin < left.length && begin < right.length && isSame(left[begin] as T, right[begin] as T)) begin++;
  let end = 0;
  while (end < Math.min(left.length, right.length) - begin && isSame(left[left.length - 1 - end] as T, right[right.length - 1 - end] as T)) end++;
  const [a, b] = [left.slice(begin, left.length - end), right.slice(begin, right.length - end)];
  // How long the common part of what follows (i, j) is.
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    const [row, next] = [lengths[i] as Uint16Array, lengths[i + 1] as Uint16Array];
    for (let j = b.length - 1; j >= 0; j--)
      row[j] = isSame(a[i] as T, b[j] as T) ? (next[j + 1] as number) + 1 : Math.max(next[j] as number, row[j + 1] as number);
  }
  const pairs: Pair<T>[] = left.slice(0, begin).map((one, index) => ({ left: one, right: right[index] }));
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && isSame(a[i] as T, b[j] as T)) pairs.push({ left: a[i++], right: b[j++] });
    else if (j >= b.length || (i < a.length && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))) pairs.push({ left: a[i++] });
    else pairs.push({ right: b[j++] });
  }
  for (let index = end; index > 0; index--) pairs.push({ left: left[left.length - index], right: right[right.length - index] });
  return pairs;
}
