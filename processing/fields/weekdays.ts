/** Names of the days of the week and their short forms in the languages that are read, Sunday first. */
const NAMES = [
  'sunday sun sonntag so dimanche dim domingo dom domenica ahad',
  'monday mon montag mo lundi lun lunes lunedì segunda isnin',
  'tuesday tue tues dienstag di mardi mar martes martedì terça selasa',
  'wednesday wed mittwoch mi mercredi mer miércoles mié mercoledì quarta rabu',
  'thursday thu thur thurs donnerstag do jeudi jeu jueves jue giovedì gio quinta khamis',
  'friday fri freitag fr vendredi ven viernes vie venerdì sexta jumaat',
  'saturday sat samstag sonnabend sa samedi sam sábado sáb sabato sab sabtu',
].map((names) => new Set(names.split(' ')));
const IDEOGRAPHS = '日月火水木金土';
const CHINESE = '日一二三四五六';

/** The name directly before a date, or directly after it, or in parentheses there. */
const AHEAD = /(?<![\p{L}\d])(?<name>\p{L}{2,12})(?:-feira)?[.,]{0,2}\s{0,2}$/iu;
const BEHIND =
  /^(?:,?\s?\(?(?<name>\p{L}{3,12})(?:-feira)?\b|\s?[(（](?:星期|周|週)?(?<sign>[日月火水木金土一二三四五六])[)）]?|\s?(?:星期|周|週)(?<day>[日一二三四五六])|\s?(?<japanese>[日月火水木金土])曜)/iu;

/**
 * Whether a line names another day of the week beside a date (ISO 8601) than the date's: one of the two was
 * misread or misprinted. Two letters count only before a date, with a capital: "Di, 05.03.2026".
 */
export const contradicts = (iso: string, before: string, after: string): boolean => {
  const day = new Date(`${iso}T00:00:00Z`).getUTCDay();
  const name = AHEAD.exec(before)?.groups?.name ?? '';
  const behind = BEHIND.exec(after)?.groups ?? {};
  const signs = behind.sign ?? behind.day ?? behind.japanese ?? '';
  const named = [
    ...(name.length > 2 || /^\p{Lu}\p{Ll}$/u.test(name) ? daysOf(name) : []),
    ...daysOf(behind.name ?? ''),
    ...[IDEOGRAPHS, CHINESE].map((days) => (signs === '' ? -1 : days.indexOf(signs))).filter((at) => at >= 0),
  ];
  return named.length > 0 && !named.includes(day);
};

/** Whether a folded word is the name of a day of the week, or a part of one. */
export const isWeekday = (word: string): boolean =>
  word === 'feira' || daysOf(word).length > 0 || ASIAN.test(word);

const ASIAN = /^(?:星期|周|週)?[日月火水木金土一二三四五六](?:曜日?)?$/;

const daysOf = (name: string): readonly number[] =>
  NAMES.flatMap((names, day) => (names.has(name.toLowerCase()) ? [day] : []));
