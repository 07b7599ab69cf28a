import type { OutputField } from '../../domain/workflow.ts';
import type { Line, Page } from '../page.ts';
import type { Place } from '../types.ts';
import { addressCandidates } from './address.ts';
import { parseAmount } from './amounts.ts';
import type { Candidate } from './candidate.ts';
import { companyCandidates } from './company.ts';
import { dateCandidates } from './documentDate.ts';
import type { LabelIndex } from './labelIndex.ts';
import { doubtful, labelledValues } from './labelledValues.ts';
import { CUSTOMER } from './letterhead.ts';
import { isOther } from './lineKinds.ts';
import { fromFirstLetterhead, onFirstPage, preferFirstFile } from './pages.ts';
import { roleOf } from './role.ts';
import { totalCandidates, totalLines } from './total.ts';
import { wordsIn } from './words.ts';

/**
 * What may be a field's value: what its label points at, else what the rules for its role (total, date,
 * company, address) do.
 */
export const candidatesFor = (
  field: OutputField,
  pages: readonly Page[],
  lines: readonly Line[],
  text: LabelIndex,
): readonly Candidate[] => {
  const { candidates, isLabelled } = labelledValues(field, text);
  const beside = preferFirstFile(candidates);
  const stated = beside.filter(({ rank }) => rank >= STATED);
  // What stands beside the label without a mark may be it, or the rest of a sentence.
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
      const dates = dateCandidates(lines, text.order, wordsIn(`${field.label ?? ''} ${field.name}`));
      const isFirst = ({ place }: Candidate): boolean =>
        dates[0] === undefined || isSamePage(place, dates[0].place);
      const own = stated.filter(isFirst);
      return own.length > 0
        ? own
        : [...beside.filter(isFirst), ...(isLabelled && stated.length === 0 ? dates.map(doubtful) : dates)];
    }
    case 'company':
      return orElse(onFirstPage(fromFirstLetterhead(pages), companyCandidates)).map((one) =>
        isOfCustomer(one, lines) ? doubtful(one) : one,
      );
    case 'address': {
      const byHead = onFirstPage(fromFirstLetterhead(pages), addressCandidates);
      return stated.length > 0 ? stated.map((one) => wholeAddress(one, byHead, lines)) : orElse(byHead);
    }
    case null:
      return beside;
  }
};

const lineOf = ({ text, place }: Candidate, lines: readonly Line[]): number =>
  lines.findIndex((line) => isSamePage(line.place, place) && line.text.includes(text));

/** Whether a company stands below "Bill to", by a label or not. */
const isOfCustomer = (one: Candidate, lines: readonly Line[]): boolean => {
  const index = lineOf(one, lines);
  return index > 0 && lines.slice(Math.max(0, index - 3), index).some(({ text }) => CUSTOMER.test(text));
};

/** An address beside its label goes on in the lines below: as the head has it, else it is a guess how far. */
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

const isSamePage = (a: Place, b: Place): boolean => a.fileId === b.fileId && a.page === b.page;

/** Whether a field asks for the total as such, rather than for what is due, or was paid. */
const isPlainTotal = ({ name, label }: OutputField): boolean =>
  !wordsIn(label ?? name).some((word) =>
    ['due', 'paid', 'payable', 'pay', 'charged', 'outstanding', 'balance'].includes(word),
  );

/** The totals of a document, with what stands beside the field's own label on its last page that has one. */
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

/** So likely is a value that stands beside a label of its own that the general rules have no say. */
const STATED = 0.75;
const CONTESTS = 0.5;
