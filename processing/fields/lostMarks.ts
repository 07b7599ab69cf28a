import type { Line } from '../page.ts';
import { vocabulary, withoutAccents, wordsIn } from './words.ts';

/**
 * Frequent words of papers in German, French and Spanish, where every third to tenth word has a letter with
 * a mark.
 */
const WORDS = vocabulary(`
  rechnung rechnungsnummer rechnungsdatum gutschrift quittung kontoauszug kontonummer betrag gesamtbetrag nettobetrag
  mwst menge bezeichnung saldo vorname vornamen nachname geburtsdatum geschlecht personalausweis ausweisnummer
  und der die das mit gmbh kunde anschrift seite datum vielen dank ihre ihren wir
  facture avoir releve compte tva ttc montant rue des les madame monsieur objet nom prenom prenoms sexe solde
  quantite designation nationalite quittance merci votre notre vous nous
  factura recibo extracto cuenta fecha iva importe calle nombre apellidos nacimiento documento sexo cantidad
  descripcion cliente asunto direccion pedido gracias por su
`);

/** So many of these words tell the language of a paper. */
const MIN_WORDS = 2;
/** Of 1,000 letters of such a language at least 15 have marks; a reader that writes fewer loses them. */
const WRITTEN = 0.01;

/**
 * Whether a recognised text is in a language whose letters have marks, and has too few of them: the model
 * does not write them (`Electricite` for `Électricité`), so a name without one may be wrong.
 */
export const losesMarks = (lines: readonly Line[]): boolean => {
  const recognised = lines.filter(({ words }) => words.some(({ confidence }) => confidence < 1));
  const text = recognised.map((line) => line.text).join(' ');
  const known = wordsIn(withoutAccents(text)).filter((word) => WORDS.includes(word)).length;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const marked = text.match(/(?![a-z])\p{Script=Latin}/giu)?.length ?? 0;
  return known >= MIN_WORDS && marked < letters * WRITTEN;
};

/** Whether a text has a word whose marks may be lost, rather than codes and addresses of mails alone. */
export const mayHaveMarks = (text: string): boolean => /\p{L}{3}/u.test(text) && !text.includes('@');
