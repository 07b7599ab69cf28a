import type { OutputField } from '../../domain/workflow.ts';
import { fieldTypes } from '../../fieldTypes/all.ts';
import type { Role } from '../../fieldTypes/fieldType.ts';
import { vocabulary, wordsIn } from './words.ts';

/** The role of a field by its type, name and label; null when it is found by its label alone. */
export const roleOf = (field: Pick<OutputField, 'name' | 'label' | 'type'>): Role | null => {
  const words = [...wordsIn(field.name), ...wordsIn(field.label ?? '')];
  if (words.length === 0) return null;
  const has = (terms: readonly string[]): boolean => words.some((word) => terms.includes(word));
  const only = (terms: readonly string[]): boolean => words.every((word) => terms.includes(word));
  const { roles, isFreeText } = fieldTypes[field.type];
  const mayBe = (role: Role): boolean => roles.includes(role);
  if (mayBe('date') && (roles.length === 1 || has(['date'])) && only([...DATE, ...DOCUMENT])) return 'date';
  if (
    mayBe('total') &&
    has(isFreeText ? TOTAL.filter((word) => word !== 'paid') : TOTAL) &&
    only([...TOTAL, ...OF_TOTALS, ...DOCUMENT, ...(has(INCLUDING) ? TAXES : [])])
  )
    return 'total';
  const named = nameRole(has, only);
  return named !== null && mayBe(named) ? named : null;
};

type Test = (terms: readonly string[]) => boolean;

/** Of the words of a name that `has` and `only` look at: what it is the name or address of. */
const nameRole = (has: Test, only: Test): 'company' | 'address' | null => {
  if (has(['address', 'location'])) return only([...ADDRESS, ...COMPANY, ...DOCUMENT]) ? 'address' : null;
  if (has(['by']) && only(['sold', 'issued', 'by', ...DOCUMENT])) return 'company';
  return has(COMPANY) && only([...COMPANY, ...DOCUMENT, ...OF_NAMES]) ? 'company' : null;
};

const DATE = vocabulary('date day issue issued purchase purchased transaction sale sold paid at');
const DOCUMENT = vocabulary('receipt invoice document bill doc the of on full');
const TOTAL = vocabulary('total sum paid payable amount due gross price cost');
const OF_TOTALS = vocabulary(`
  grand final overall sales sale purchase order payment value charged rounded
  to pay be in rm myr usd eur gbp chf sgd aud cad
`);
const INCLUDING = vocabulary('incl including inclusive with after');
const TAXES = [...INCLUDING, 'tax', 'gst', 'vat', 'sst'];
const ADDRESS = vocabulary('address street postal location');
const COMPANY = vocabulary(`
  company merchant vendor supplier seller store shop issuer retailer business
  payee restaurant outlet provider sender organisation organization establishment
`);
const OF_NAMES = vocabulary('name by from title legal registered trading');
