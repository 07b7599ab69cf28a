import type { PdfPage } from '../../scripts/samples/pdf.ts';
import { creditNote, invoice } from './invoice.ts';
import { form, idCard } from './labels.ts';
import { type Language, languages } from './languages.ts';
import { letter } from './letter.ts';
import { type Luck, luckOf } from './luck.ts';
import { receipt } from './receipt.ts';
import { statement } from './statement.ts';

/** What is true of a paper: its fields as texts, and the rows of its table. */
export type Truth = Readonly<Record<string, string | null | readonly Readonly<Record<string, string>>[]>>;
/** A paper as it is drawn, with what is true of it; `layout` is for who looks at the misread ones. */
export type Paper = Readonly<{ pages: readonly PdfPage[]; truth: Truth; layout: string }>;
export type Maker = (luck: Luck, language: Language) => Paper;

const MAKERS = {
  ...{ invoice, receipt, 'credit-note': creditNote, statement, form, 'id-card': idCard, letter },
} satisfies Readonly<Record<string, Maker>>;

/** The kinds of papers, named as the workflows in scripts/samples that read them. */
export type Kind = keyof typeof MAKERS;

/** Every third paper is an invoice; the others take turns. */
const others: readonly Kind[] = ['receipt', 'credit-note', 'statement', 'form', 'id-card', 'letter'];

const kindOf = (index: number): Kind =>
  index % 3 === 0 ? 'invoice' : (others[(index - Math.ceil(index / 3)) % others.length] ?? 'letter');

export type Made = Paper & Readonly<{ kind: Kind; name: string; isScan: boolean; luck: Luck }>;

/** So many papers, the same for the same seed; each has choices of its own, so that more change none. */
export const papers = (seed: number, count: number): readonly Made[] =>
  Array.from({ length: count }, (_, index) => {
    const luck = luckOf(seed * 100_003 + index);
    const kind = kindOf(index);
    const isScan = luck.chance(0.5);
    const paper = MAKERS[kind](luck, luck.pick(languages));
    return { ...paper, kind, name: String(index + 1).padStart(4, '0'), isScan, luck };
  });
