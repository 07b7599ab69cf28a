import type { OutputField } from '../../domain/workflow.ts';
import { isSamePage, type Line, type Page } from '../page.ts';
import { addressCandidates } from './address.ts';
import { addresseeCandidates } from './addressee.ts';
import { parseAmount } from './amounts.ts';
import { type Candidate, doubtful, preferFirstFile } from './candidate.ts';
import { companyCandidates } from './company.ts';
import { dateCandidates } from './documentDate.ts';
import type { LabelIndex } from './labelIndex.ts';
import { labelledValues } from './labelledValues.ts';
import { legalFormIn } from './legalForm.ts';
import { CUSTOMER, letterheadOf } from './letterhead.ts';
import { isAddress, isOther } from './lineKinds.ts';
import { machineReadableCandidates } from './machineReadable.ts';
import { mailHeads } from './mailHeads.ts';
import { roleOf } from './role.ts';
import { synonymsOf } from './synonyms.ts';
import { taxCandidates } from './taxes.ts';
import { totalCandidates, totalLines } from './total.ts';
import { vocabulary, wordsIn } from './words.ts';

/**
 * The candidates for a field: values of a machine-readable zone, the sum of several taxes, and values beside
 * its label, else those by the rules for its role.
 */
export const candidatesFor = (
  field: OutputField,
  pages: readonly Page[],
  lines: readonly Line[],
  labels: LabelIndex,
): readonly Candidate[] => [
  ...machineReadableCandidates(field, lines),
  ...taxCandidates(field, lines),
  ...printedCandidates(field, pages, lines, labels),
];

const printedCandidates = (
  field: OutputField,
  pages: readonly Page[],
  lines: readonly Line[],
  labels: LabelIndex,
): readonly Candidate[] => {
  const { candidates, isLabelled } = labelledValues(field, labels);
  const beside = preferFirstFile(candidates);
  const stated = beside.filter(({ rank }) => rank >= STATED);
  // A text beside the label without a mark may be the value, or the rest of a sentence.
  const isContested = ({ text }: Candidate): boolean =>
    beside.some((one) => one.rank >= CONTESTS && !text.includes(one.text));
  const orElse = (byRole: readonly Candidate[]): readonly Candidate[] =>
    stated.length > 0
      ? beside
      : [...beside, ...byRole.map((one) => (isLabelled || isContested(one) ? doubtful(one) : one))];
  switch (roleOf(field)) {
    case 'total':
      return isPlainTotal(field)
        ? withStated(totalLines(lines), stated, beside, isLabelled)
        : orElse(totalCandidates(totalLines(lines)));
    case 'date': {
      const dates = dateCandidates(lines, labels.notation, wordsIn(`${field.label ?? ''} ${field.name}`));
      const isFirst = ({ place }: Candidate): boolean =>
        dates[0] === undefined || isSamePage(place, dates[0].place);
      const own = stated.filter(isFirst);
      const found =
        own.length > 0
          ? own
          : [...beside.filter(isFirst), ...(isLabelled && stated.length === 0 ? dates.map(doubtful) : dates)];
      return isOfMail(field) ? found : withoutMails(found, dates, lines);
    }
    case 'company': {
      const names = fromLetterhead(pages, companyCandidates).filter(({ text }) => !labels.isLabel(text));
      const quoting = mailHeads(lines).filter(({ text }) => !/^\S+:\s/.test(text));
      return orElse(names).map((one) =>
        isOfCustomer(one, lines) || isQuoted(one, quoting) ? doubtful(one) : one,
      );
    }
    case 'address': {
      const byHead = fromLetterhead(pages, addressCandidates);
      return stated.length > 0 ? stated.map((one) => wholeAddress(one, byHead, lines)) : orElse(byHead);
    }
    case null:
      return beside.length === 0 && !isLabelled && synonymsOf(field).includes('customer')
        ? addresseeCandidates(lines)
        : beside;
  }
};

/**
 * The candidates on the first page that has any, of the pages from the first whose letterhead has an address
 * or a legal form; of all pages where none has.
 */
const fromLetterhead = (
  pages: readonly Page[],
  candidatesIn: (lines: readonly Line[]) => readonly Candidate[],
): readonly Candidate[] => {
  const first = pages.findIndex(({ lines }) =>
    letterheadOf(lines).some(({ text }) => isAddress(text) || legalFormIn(text) !== null),
  );
  for (const { lines } of pages.slice(Math.max(0, first))) {
    const found = candidatesIn(lines);
    if (found.length > 0) return found;
  }
  return [];
};

/** Dates without those of mails, which are doubted where there is no other. */
const withoutMails = (
  found: readonly Candidate[],
  dates: readonly Candidate[],
  lines: readonly Line[],
): readonly Candidate[] => {
  const heads = mailHeads(lines);
  if (heads.length === 0) return found;
  const isMail = ({ place, text }: Candidate): boolean =>
    heads.some((line) => isSamePage(line.place, place) && line.text.includes(text));
  const others = [...found, ...dates].filter((one) => !isMail(one));
  return others.length > 0 ? others : found.map(doubtful);
};

/** Whether a field is about a mail itself. */
const isOfMail = ({ name, label }: OutputField): boolean =>
  wordsIn(`${name} ${label ?? ''}`).some((word) => MAIL.includes(word));

const MAIL = vocabulary('sent received mail email gesendet empfangen envoyé reçu');

/** "On 6 October ACME wrote:" */
const isQuoted = ({ text }: Candidate, quoting: readonly Line[]): boolean =>
  quoting.some((line) => line.text.includes(text));

const lineOf = ({ text, place }: Candidate, lines: readonly Line[]): number =>
  lines.findIndex((line) => isSamePage(line.place, place) && line.text.includes(text));

const isOfCustomer = (one: Candidate, lines: readonly Line[]): boolean => {
  const index = lineOf(one, lines);
  return index > 0 && lines.slice(Math.max(0, index - 3), index).some(({ text }) => CUSTOMER.test(text));
};

/** An address beside its label continues below: as in the letterhead, else its end is a guess. */
const wholeAddress = (one: Candidate, byHead: readonly Candidate[], lines: readonly Line[]): Candidate => {
  const whole = byHead.find(({ text }) => text.startsWith(one.text));
  if (whole) return { ...whole, rank: one.rank };
  const index = lineOf(one, lines);
  const [line, next] = [lines[index], lines[index + 1]];
  const isLast =
    !line ||
    !next ||
    next.block !== line.block ||
    !isSamePage(line.place, next.place) ||
    /^[^:]{2,40}:/.test(next.text);
  return isLast || isOther(next.text) ? one : doubtful(one);
};

/** Whether a field is the total as such, rather than the sum that is due, or was paid. */
const isPlainTotal = ({ name, label }: OutputField): boolean =>
  !wordsIn(label ?? name).some((word) => DUE_OR_PAID.includes(word));

const DUE_OR_PAID = vocabulary('due paid payable pay charged outstanding balance');

/** The totals of a document, with the values beside the field's own label on the last page that has any. */
const withStated = (
  lines: readonly Line[],
  stated: readonly Candidate[],
  beside: readonly Candidate[],
  isLabelled: boolean,
): readonly Candidate[] => {
  const inLines = stated.filter(({ place }) => lines.some((line) => line.place.fileId === place.fileId));
  const last = inLines.at(-1)?.place;
  const own = inLines.filter(({ place }) => last && isSamePage(place, last));
  const values = own.flatMap(({ text }) => parseAmount(text) ?? []);
  const found = totalCandidates(lines, values);
  const totals = isLabelled && values.length === 0 ? found.map(doubtful) : found;
  const isFound = ({ text }: Candidate): boolean =>
    totals.some((one) => parseAmount(one.text) === parseAmount(text));
  if (values.length > 0) return [...totals, ...own.filter((one) => !isFound(one))];
  return totals.length > 0 ? totals : beside;
};

/** The least rank of a value beside its own label that overrides the general rules. */
const STATED = 0.75;
const CONTESTS = 0.5;
