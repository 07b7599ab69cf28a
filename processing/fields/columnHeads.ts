import type { OutputColumn } from '../../domain/workflow.ts';
import { captionText, phrasesOf, synonymsOf } from './synonyms.ts';
import { foldedSimilarity, foldLookalikes } from './words.ts';

/** What the columns of items are headed by, in the languages of the usual captions. */
const HEADS = {
  description: `description|item|items|item description|article|product|service|services|goods|details|particulars|work|activity
    bezeichnung|beschreibung|artikel|artikelbezeichnung|leistung|produkt|position|text|buchungstext|verwendungszweck
    désignation|libellé|article|produit|prestation|détail|keterangan|perihal|butiran|barang|perkara
    descripción|concepto|artículo|producto|detalle`,
  quantity: `quantity|qty|qnty|units|pcs|pieces|menge|anzahl|stk|stück|quantité|qté|nombre|kuantiti|bil|cantidad|cant|unidades`,
  price: `unit price|price|rate|unit cost|price each|each|item price|price per unit|net price|einzelpreis|preis|stückpreis|e preis|ep
    preis pro einheit|prix unitaire|prix|prix unit|pu|pu ht|p u|p u ht|harga seunit|harga|kadar|precio|precio unitario|p unitario|precio unidad`,
  amount: `amount|line total|total|sum|value|line amount|extended price|net amount|total price|total amount|betrag|gesamtpreis|gesamt|summe
    gp|wert|gesamtbetrag|montant|montant ht|total ht|prix total|amaun|jumlah|importe|total línea|total`,
  date: `date|day|booking date|value date|transaction date|posted|datum|buchungstag|buchungsdatum|wertstellung|valuta|tarikh|fecha|fecha valor
    date opération|date valeur`,
} as const;

/** What a column is of, by its label, else its name. */
export type ColumnKind = keyof typeof HEADS;

const KINDS = Object.entries(HEADS).map(
  ([kind, heads]) => [kind as ColumnKind, heads.split(/\||\n/).map((head) => captionText(head))] as const,
);

/** What kind of column it is; null for none of the usual ones. */
export const kindOf = ({ name, label }: OutputColumn): ColumnKind | null => {
  for (const text of [label ?? '', name].map(captionText)) {
    const found = KINDS.find(([, heads]) => heads.includes(text));
    if (found) return found[0];
  }
  return null;
};

/** The texts that may head a column, in the form of `captionText`: its own first. */
export const headsOf = (column: OutputColumn): readonly string[] => {
  const kind = kindOf(column);
  const usual = KINDS.find(([name]) => name === kind)?.[1] ?? [];
  return [...new Set([...phrasesOf(column), ...synonymsOf(column), ...usual])].filter((head) => head !== '');
};

/** Whether a text may be a head that was misread in a letter. */
export const isLikeHead = (text: string, heads: readonly string[]): boolean => {
  const own = foldLookalikes(text);
  return heads.some((head) => foldedSimilarity(own, foldLookalikes(head)) > 0);
};
