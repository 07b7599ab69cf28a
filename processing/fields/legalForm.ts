/** Sdn Bhd as printed, and as often misread: a name ends with it. */
const SDN_BHD =
  /\bs[dou0]n\b[.,]?\s*\(?[b8][hnm][dou0]\b\.?|\bsdn\b[.,]?\s*[b8e]\w\w\b\.?|\b[s5]\w{1,2}\b[.,]?\s*bhd\b\.?|\bsdnbhd\b\.?|\bs ?d ?n\b\.? ?b ?h ?d\b\.?|\bsdn\W*$|\bsendirian berhad\b|\bs\/b\b/i;
/** Forms that are no other words: a name ends with one anywhere. */
const CLEAR =
  /\b(?:gmbh(?: & co\.? kg)?|bhd|berhad|plt|ltd|llc|plc|(?:pty|pte)\.?\s*(?:ltd|limited)|llp|co\.?,? ?ltd)\b\.?(?!\s*&)/i;
/** Forms that may be words of a name: only at its end. */
const AT_END =
  /\b(?:limited|inc|corp|corporation|s\.?a\.?r\.?l|s\.a|b\.?v|ag|ug|ohg|s\.?p\.?a|s\.?r\.?l)\b\.?(?=\W*$|\s*[([]|\W+\d)(?!\s*&)/i;
const MIN_LETTERS = 2;

/** The start, the end and the spelling of the legal form in a text; null when there is none. */
export const legalFormIn = (text: string): Readonly<{ start: number; end: number; form: string }> | null => {
  const malay = SDN_BHD.exec(text);
  const found = malay ?? CLEAR.exec(text) ?? atEnd(text);
  if (!found) return null;
  return {
    start: found.index,
    end: found.index + found[0].length,
    form: malay && isMisread(found[0]) ? corrected(found[0]) : found[0],
  };
};

const atEnd = (text: string): RegExpExecArray | null => {
  const found = AT_END.exec(text);
  const before = text.slice(0, found?.index ?? 0).match(/\p{L}/gu) ?? [];
  return found && before.length > MIN_LETTERS ? found : null;
};

const isMisread = (read: string): boolean => !/^(?:s ?d ?n\W*b ?h ?d\.?|sendirian berhad|s\/b)$/i.test(read);

const corrected = (read: string): string => {
  const form = /\./.test(read.slice(0, -1)) ? 'SDN. BHD.' : 'SDN BHD';
  return /^(?:Sdn|Son)/.test(read) ? form.replace('SDN', 'Sdn').replace('BHD', 'Bhd') : form;
};
