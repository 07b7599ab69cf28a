import type { OutputField } from '../../domain/workflow.ts';
import { inTextOrder, type Line, textOf, type Word } from '../page.ts';
import { type Candidate, candidate, doubtful } from './candidate.ts';
import { vocabulary, wordsIn } from './words.ts';

/** What the machine-readable zone of a card or passport (ICAO 9303) states. */
type Stated = 'surname' | 'given' | 'number' | 'birth' | 'expiry' | 'sex';

/** A value of the zone, in the line that states it; `isChecked` where its check digit is right. */
type Found = Readonly<{ text: string; reads?: string; line: Line; isChecked: boolean }>;
type Zone = Partial<Readonly<Record<Stated, Found>>>;

/**
 * The values of a field about the holder of a card or passport, by its machine-readable zone: sure where a
 * check digit confirms them. The zone writes names without marks on letters, so they are taken from where
 * the page prints them. None for other fields, and for papers without such a zone.
 */
export const machineReadableCandidates = (
  field: OutputField,
  lines: readonly Line[],
): readonly Candidate[] => {
  const stated = statedBy(field);
  const zone = stated === null ? {} : zoneIn(lines);
  const found = stated === null ? undefined : zone[stated];
  if (!found) return [];
  const { text, reads = text, line, isChecked } = found;
  if (stated === 'surname' || stated === 'given') return printed(text, line, lines);
  const one = { ...candidate(text, CHECKED, line), reads };
  return isChecked
    ? [{ ...one, rank: CHECKED, confidence: CHECKED, least: 1 }]
    : [{ ...doubtful(one), rank: UNCHECKED }];
};

const CHECKED = 0.98;
const UNCHECKED = 0.5;

/** What of the zone a field asks for. */
const statedBy = ({ name, label, type }: OutputField): Stated | null => {
  const words = [...wordsIn(name), ...wordsIn(label ?? '')];
  const has = (terms: readonly string[]): boolean => words.some((word) => terms.includes(word));
  if (type === 'date') return has(BIRTH) ? 'birth' : has(EXPIRY) ? 'expiry' : null;
  if (type !== 'string') return null;
  if (has(['surname', 'family', 'last'])) return 'surname';
  if (has(['given', 'forename', 'forenames', 'first'])) return 'given';
  if (has(['sex', 'gender'])) return 'sex';
  return has(PAPERS) && has(['number', 'no', 'nr', 'id']) ? 'number' : null;
};

const BIRTH = vocabulary('birth birthday birthdate born dob');
const EXPIRY = vocabulary('expiry expires expiration until');
const PAPERS = vocabulary('document card passport identity');

/** The zone of a card of three lines (TD1), or of a card or passport of two (TD2, TD3). */
const zoneIn = (lines: readonly Line[]): Zone => {
  const rows = lines.flatMap((line) => {
    const text = line.text.toUpperCase().replace(/\s+/g, '').replaceAll('«', '<<');
    return ZONE.test(text) ? [{ line, text }] : [];
  });
  return Object.assign({}, ...rows.map(({ line, text }) => statedIn(line, text)));
};

const ZONE = /^[A-Z\d<]{24,46}$/;
/** The holder's number in the first line of three, the days and sex in the second. */
const FIRST = /^[IAC][A-Z<][A-Z<]{3}(?<number>[A-Z\d<]{9})(?<check>\d)[A-Z\d<]*<$/;
const SECOND =
  /^(?<born>\d{6})(?<bornCheck>\d)(?<sex>[MFX<])(?<ends>\d{6})(?<endsCheck>\d)[A-Z<]{3}[A-Z\d<]*$/;
const NAMES = /^(?:[PIAC][A-Z<][A-Z<]{3})?(?<surname>[A-Z]+(?:<[A-Z]+)*)<<(?<given>[A-Z]+(?:<[A-Z]+)*)<{2,}$/;
/** The second line of two. */
const ONLY =
  /^(?<number>[A-Z\d<]{9})(?<check>\d)[A-Z<]{3}(?<born>\d{6})(?<bornCheck>\d)(?<sex>[MFX<])(?<ends>\d{6})(?<endsCheck>\d)[A-Z\d<]*$/;

const statedIn = (line: Line, text: string): Zone => {
  const parts = [FIRST, SECOND, ONLY, NAMES].map((pattern) => pattern.exec(text)?.groups).find(Boolean) ?? {};
  const { number, check, born, bornCheck, sex, ends, endsCheck, surname, given } = parts;
  const checked = (value: string, digit: string | undefined): boolean => checkDigit(value) === Number(digit);
  return {
    ...(number && { number: { text: number.replace(/<+$/, ''), line, isChecked: checked(number, check) } }),
    ...(born && {
      birth: { text: born, reads: dayOf(born, true), line, isChecked: checked(born, bornCheck) },
    }),
    ...(ends && {
      expiry: { text: ends, reads: dayOf(ends, false), line, isChecked: checked(ends, endsCheck) },
    }),
    // The digits beside it confirm that the line was read.
    ...(sex && sex !== '<' && { sex: { text: sex, line, isChecked: checked(born ?? '', bornCheck) } }),
    ...(surname && { surname: { text: surname.replaceAll('<', ' '), line, isChecked: false } }),
    ...(given && { given: { text: given.replaceAll('<', ' '), line, isChecked: false } }),
  };
};

/** `890903` as an ISO 8601 day: births are of this century up to its first quarter, ends always. */
const dayOf = (text: string, isPast: boolean): string => {
  const year = Number(text.slice(0, 2));
  return `${isPast && year > LAST_BORN ? 19 : 20}${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4)}`;
};

const LAST_BORN = 26;

/** The check digit of ICAO 9303, part 3. */
export const checkDigit = (text: string): number =>
  [...text].reduce((sum, letter, index) => sum + weightOf(letter) * ([7, 3, 1][index % 3] ?? 0), 0) % 10;

const weightOf = (letter: string): number => (letter === '<' ? 0 : Number.parseInt(letter, 36));

/** A name as the page prints it, with the marks on its letters; else as the zone has it, in doubt. */
const printed = (name: string, zone: Line, lines: readonly Line[]): readonly Candidate[] => {
  const found = lines.flatMap((line) => {
    if (line.text.includes('<<')) return [];
    const words = wordsLike(inTextOrder(line.words), name);
    return words ? [candidate(textOf(words), CHECKED, line, words)] : [];
  });
  return found.length > 0 ? found.slice(0, 1) : [{ ...doubtful(candidate(name, UNCHECKED, zone)) }];
};

const wordsLike = (words: readonly Word[], name: string): readonly Word[] | null => {
  const count = name.split(' ').length;
  for (let start = 0; start + count <= words.length; start += 1) {
    const run = words.slice(start, start + count);
    if (spellings(textOf(run)).includes(name)) return run;
  }
  return null;
};

/** As the zone may write it: Ö as OE or O. */
const spellings = (text: string): readonly string[] => {
  const bare = text.toUpperCase().replaceAll('-', ' ');
  const marked = bare.replaceAll('Ä', 'AE').replaceAll('Ö', 'OE').replaceAll('Ü', 'UE').replaceAll('Ñ', 'N');
  return [marked, bare].map((one) => one.normalize('NFD').replace(/\p{M}/gu, ''));
};
