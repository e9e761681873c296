/** Keys as X knows them: a number for each. */

const UNICODE = 0x01000000;
const FIRST_FUNCTION_KEY = 0xffbe;
const NAMED: Record<string, number> = {
  Backspace: 0xff08,
  Tab: 0xff09,
  Enter: 0xff0d,
  Return: 0xff0d,
  Escape: 0xff1b,
  Delete: 0xffff,
  Home: 0xff50,
  ArrowLeft: 0xff51,
  ArrowUp: 0xff52,
  ArrowRight: 0xff53,
  ArrowDown: 0xff54,
  PageUp: 0xff55,
  PageDown: 0xff56,
  End: 0xff57,
  Insert: 0xff63,
  ContextMenu: 0xff67,
  NumLock: 0xff7f,
  ScrollLock: 0xff14,
  Pause: 0xff13,
  PrintScreen: 0xff61,
  Shift: 0xffe1,
  ShiftLeft: 0xffe1,
  ShiftRight: 0xffe2,
  Control: 0xffe3,
  ControlLeft: 0xffe3,
  ControlRight: 0xffe4,
  CapsLock: 0xffe5,
  Alt: 0xffe9,
  AltLeft: 0xffe9,
  AltRight: 0xffea,
  AltGraph: 0xfe03,
  Meta: 0xffeb,
  MetaLeft: 0xffeb,
  MetaRight: 0xffec,
  " ": 0x20,
  Space: 0x20,
};

/** The keysym of a key, named as in DOM's `KeyboardEvent.key`, or a single character; 0 for what is neither. */
export function keysymOf(key: string): number {
  if (Object.hasOwn(NAMED, key)) return NAMED[key]!;
  const number = /^F([1-9]|1\d|2[0-4])$/.exec(key)?.[1];
  if (number !== undefined) return FIRST_FUNCTION_KEY + Number(number) - 1;
  const code = key.codePointAt(0) ?? 0;
  if (code < 0x20 || String.fromCodePoint(code) !== key) return 0;
  return code < 0x7f || (code >= 0xa0 && code < 0x100) ? code : UNICODE + code;
}
