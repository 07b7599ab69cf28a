import type { OutputField } from '../../domain/workflow.ts';
import { wordsIn } from './labels.ts';

/**
 * Whether a text says that the number found in it is another one than it states, or is no sum of money where the
 * field asks for one.
 */
export const isOtherNumber = (field: OutputField, found: string, text: string): boolean => {
  const own = text.slice(Math.max(0, text.lastIndexOf(found)));
  const words = [...wordsIn(field.name), ...wordsIn(field.label ?? '')];
  const asksFor = (vocabulary: readonly string[]): boolean => words.some((word) => vocabulary.includes(word));
  if (TURNED.test(text)) return true;
  // Whose credit and whose debit a balance has, only its bank knows.
  if (asksFor(BALANCES) && /\d\W*(?:cr|dr|[dcsh])\b/i.test(text)) return true;
  return asksFor(MONEY) && !asksFor(OTHERS) && COUNTED.test(own);
};

/** Words that turn or multiply a number; marks that say "about", or are brackets of accountants. */
const TURNED =
  /[<>~≈±½¼¾]|\.\/\.|\d\/\d|\b(?:approx|about|circa|ca|env|environ|up to|bis zu|jusqu|minus|moins|overdrawn|o\/?d|(?:in )?(?:credit|debit)|soll|haben|guthaben|thousand|millions?|billions?|tausend|millionen|milliarden|mille|milliards?|mio|mrd|tsd|mn|bn)\b|(?:cr[ée]dit|d[ée]bit)|\d\s?k\b/i;
/** What is counted or measured, rather than paid. */
const COUNTED =
  /\d\s?(?:%|(?:items?|articles?|artikel|pieces?|pcs|stück|stk|pièces?|kg|g|km|miles?|hours?|hrs|std|days?|tage|jours?|nights?|points?|pts|pax|persons?)\b)/iu;

const BALANCES = ['balance', 'saldo', 'solde'];
const MONEY = [
  ...BALANCES,
  ...'total amount sum due paid payable price cost gross net subtotal fee tip tax vat gst sst'.split(' '),
  ...'mwst ust umsatzsteuer mehrwertsteuer betrag rechnungsbetrag gesamtbetrag summe tva montant'.split(' '),
];
/** Words of fields that ask for a rate, or for how many. */
const OTHERS =
  'rate percent percentage satz steuersatz taux share hours days nights items pieces weight quantity count number points distance'.split(
    ' ',
  );
