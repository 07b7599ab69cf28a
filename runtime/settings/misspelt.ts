import { distance } from 'fastest-levenshtein';
import type { SettingFault } from './setting.ts';
import { isOwnSetting, settingNames } from './table.ts';

/**
 * Variables whose name is nearly a setting's, each with the setting that was probably meant; they have no
 * effect. Names of one word (`PORT`, `HOST`) are not compared: too many variables of other programs are near
 * them.
 */
export const misspelt = (names: readonly string[]): readonly SettingFault[] =>
  names.flatMap((name) => {
    const nearest = isOwnSetting(name) ? undefined : nearestTo(name);
    const detail = `is no setting of Intake and has no effect: did you mean ${nearest}?`;
    return nearest === undefined ? [] : [{ name, detail }];
  });

const candidates = settingNames.filter((name) => name.includes('_') && !name.startsWith('AWS_'));

const nearestTo = (name: string): string | undefined =>
  candidates
    .filter((setting) => isNear(name, setting))
    .sort((one, other) => distance(name, one) - distance(name, other))[0];

/** Words are compared each with its own; where their number differs, an underscore is missing or too many. */
const isNear = (name: string, setting: string): boolean => {
  const [given, meant] = [name.split('_'), setting.split('_')];
  if (given.length !== meant.length) return name.replaceAll('_', '') === setting.replaceAll('_', '');
  const slips = meant.map((word, index) => slipsBetween(word, given[index] ?? ''));
  return slips.every((count, index) => count <= allowed(meant[index] ?? '')) && sum(slips) <= 2;
};

const allowed = (word: string): number => (word.length > 5 ? 2 : 1);

/** Two letters that changed places are one slip. */
const slipsBetween = (one: string, other: string): number => {
  const isTurned = distance(one, other) === 2 && sorted(one) === sorted(other);
  return isTurned ? 1 : distance(one, other);
};

const sorted = (word: string): string => [...word].sort().join('');
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
