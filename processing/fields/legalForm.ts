/** Legal forms as printed, and as recognition likes to read them: a name ends with one. */
const SDN_BHD = /\bs[dou0]n\b[.,]?\s*\(?[b8][hnm][dou0]\b\.?|\bsd\w\W*$|\bson[.,]\s*$/i;
const OTHERS =
  /\b(?:bhd|ltd|limited|llc|inc|corp|corporation|gmbh|s\.?a\.?r\.?l|s\.a|plc|pty\.?\s*ltd|b\.?v|pte\.?\s*ltd|llp|ag)\b\.?(?!\s*&)/i;

/** Where a legal form stands in a text: its beginning, its end, and how it is written; null when there is none. */
export const legalFormIn = (text: string): Readonly<{ start: number; end: number; form: string }> | null => {
  const malay = SDN_BHD.exec(text);
  const found = malay ?? OTHERS.exec(text);
  if (!found) return null;
  const form =
    malay && !/^sdn[.,]?\s*bhd\.?$/i.test(found[0])
      ? /\./.test(found[0].trim().slice(0, -1))
        ? 'SDN. BHD.'
        : 'SDN BHD'
      : found[0];
  return { start: found.index, end: found.index + found[0].length, form: cased(found[0], form) };
};

const cased = (read: string, form: string): string =>
  /^(?:Sdn|Son)/.test(read) ? form.replace('SDN', 'Sdn').replace('BHD', 'Bhd') : form;
