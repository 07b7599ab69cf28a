import { escapePointer, type Fault } from '../kernel/fault.ts';

/** Metadata may nest 32 levels (sessions-4) and is itself a member of the body. */
const METADATA_DEPTH = 32;
const MAX_DEPTH = METADATA_DEPTH + 1;
const MAX_FAULTS = 50;
const MAX_NAME = 100;
const LONE_SURROGATE = /\p{Surrogate}/u;

type Level = { readonly keys: Set<string> | null; member: string | number };
type Scan = { readonly text: string; readonly levels: Level[]; readonly faults: Fault[]; keyNext: boolean };

/**
 * The faults of a JSON text that can't be stored unchanged (requests-17), though it is valid JSON: numbers
 * that overflow, vanish, have more digits than a double keeps or are integers beyond 2^53; NUL in a key,
 * `__proto__`, duplicate keys, lone surrogates, nesting over 33 levels. The text must parse. Scans it once
 * without recursion; gives up to fifty faults, with long names in their pointers cut.
 */
export const unsafeJsonFaults = (text: string): readonly Fault[] => {
  const scan: Scan = { text, levels: [], faults: [], keyNext: false };
  let at = 0;
  while (at < text.length && scan.faults.length < MAX_FAULTS && scan.levels.length <= MAX_DEPTH)
    at = token(scan, at);
  if (scan.levels.length > MAX_DEPTH) {
    scan.levels.pop();
    report(scan, `is nested deeper than ${METADATA_DEPTH} levels below the body's members`);
  }
  return scan.faults;
};

/** Scans the token at `at`, and returns the start of the next one. */
const token = (scan: Scan, at: number): number => {
  const { text, levels } = scan;
  const top = levels.at(-1);
  switch (text[at]) {
    case '{':
      levels.push({ keys: new Set(), member: '' });
      scan.keyNext = true;
      return at + 1;
    case '[':
      levels.push({ keys: null, member: 0 });
      scan.keyNext = false;
      return at + 1;
    case '}':
    case ']':
      levels.pop();
      scan.keyNext = false;
      return at + 1;
    case ',':
      scan.keyNext = top?.keys != null;
      if (typeof top?.member === 'number') top.member += 1;
      return at + 1;
    case '"':
      return scanText(scan, at);
    default:
      return scanOther(scan, at);
  }
};

const scanText = (scan: Scan, at: number): number => {
  const { text, levels } = scan;
  const end = endOfText(text, at);
  const literal = text.slice(at, end);
  const value: string = literal.includes('\\') ? JSON.parse(literal) : literal.slice(1, -1);
  const top = levels.at(-1);
  if (scan.keyNext && top?.keys) {
    scan.keyNext = false;
    top.member = value;
    if (top.keys.has(value)) report(scan, 'is given twice');
    top.keys.add(value);
    if (value === '__proto__') report(scan, 'is not a permitted name');
    if (value.includes('\0')) report(scan, 'has a NUL character in its name');
  }
  if (LONE_SURROGATE.test(value)) report(scan, 'has half a surrogate pair, which is no character');
  return end;
};

const endOfText = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') before -= 1;
    if ((end - before) % 2 === 0) return end + 1;
  }
};

const NUMBER = /-?\d[\d.eE+-]*/y;

const scanOther = (scan: Scan, at: number): number => {
  NUMBER.lastIndex = at;
  const literal = NUMBER.exec(scan.text)?.[0];
  if (literal === undefined) return at + 1;
  const fault = literal.length > 15 || /e/i.test(literal) ? numberFault(literal) : null;
  if (fault) report(scan, fault);
  return at + literal.length;
};

const numberFault = (literal: string): string | null => {
  const value = Number(literal);
  if (!Number.isFinite(value)) return 'is a number too large to keep';
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return 'is an integer beyond 2^53, which is not kept exactly: send it as text';
  const digits = significantDigits(literal);
  if (value === 0 && digits !== '') return 'is a number too small to keep';
  return isKept(digits, value) ? null : 'is a number with more digits than are kept: send it as text';
};

// Below it doubles lose digits.
const SMALLEST_NORMAL = 2 ** -1022;

/** Whether a double keeps all digits of a number. Up to 15 are kept, unless the number is tiny. */
const isKept = (digits: string, value: number): boolean => {
  if (digits === '') return true;
  if (Math.abs(value) < SMALLEST_NORMAL) return significantDigits(String(value)) === digits;
  return (
    digits.length <= 15 ||
    (digits.length <= 100 && significantDigits(value.toPrecision(digits.length)) === digits)
  );
};

const significantDigits = (number: string): string => {
  const digits = number.replace(/e.*/i, '').replace(/[-.]/g, '').replace(/^0+/, '');
  // No /0+$/: on 100,000 zeros before a one it takes half a minute.
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
};

const report = ({ levels, faults }: Scan, detail: string): void => {
  faults.push({
    pointer: levels.map(({ member }) => `/${escapePointer(shortened(member))}`).join(''),
    detail,
  });
};

/** Long names are cut: fifty faults below a name of 256 KiB would make an answer of many megabytes. */
const shortened = (member: string | number): string => {
  const name = String(member);
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
};
