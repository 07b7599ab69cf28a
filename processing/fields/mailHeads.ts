import { runsOf } from '../../kernel/runsOf.ts';
import type { Line } from '../page.ts';

/** A line of a mail's head, as mail programs print and quote it. */
const HEAD =
  /^[>\s*]*(?:(?<from>from|von|de|da|od|van)|(?<about>subject|betreff|objet|asunto|assunto|oggetto|to|an|à|para|a)|(?:date|sent|datum|gesendet|envoyé|fecha|enviado|data|inviato|reply-to|cc|bcc|received))\s?:\*?\s/iu;
/** An invoice has "From:", "To:" and "Date:" too. */
const OF_MAIL = /@|\d:\d\d|^[>\s*]*(?:subject|betreff|objet|asunto|assunto|oggetto)/i;
/** "On 6 October, ACME <a@example.com> wrote:" */
const QUOTING =
  /^[>\s]*(?:on|am|le|el|em|il)\b.*\b(?:wrote|schrieb.*|écrit|escribió|escreveu|scritto)\s?:\s*$/iu;

/**
 * The lines of the heads of mails: who wrote to whom about what and when, not what the document says of
 * itself.
 */
export const mailHeads = (lines: readonly Line[]): readonly Line[] => {
  const heads = runsOf(lines, (a, b) => HEAD.test(a.text) && HEAD.test(b.text)).filter(
    (run) =>
      (['from', 'about'] as const).every((part) => run.some(({ text }) => HEAD.exec(text)?.groups?.[part])) &&
      run.some(({ text }) => OF_MAIL.test(text)),
  );
  return [...heads.flat(), ...lines.filter(({ text }) => QUOTING.test(text))];
};
