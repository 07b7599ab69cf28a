import { Refusal } from './refusal.ts';

/**
 * The bytes that a Range header asks for, both ends included; null for the whole: no range, more than one, or another
 * unit. Throws `InvalidRange` for one that lies behind the end.
 */
export const readRange = (
  header: string | undefined,
  size: number,
): Readonly<{ start: number; end: number }> | null => {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < start) return null;
  if (start >= size) throw new Refusal('InvalidRange', `the object has ${size} bytes`);
  return { start, end };
};
