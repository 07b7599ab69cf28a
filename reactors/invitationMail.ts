import { escapeMarkup } from '../kernel/escape.ts';
import type { Role } from '../kernel/scope.ts';
import type { Mail } from '../outbound/mail.ts';

/**
 * What the mail of an invitation says. `company` null: the platform. `isReset`: to a user, who is to choose a
 * new password. `expiresAt` in ISO 8601.
 */
export type InvitationFacts = Readonly<{
  role: Role;
  company: string | null;
  isReset: boolean;
  link: string;
  expiresAt: string;
}>;

/** The mail of an invitation, as text and as HTML that loads nothing from elsewhere. */
export const invitationMail = (facts: InvitationFacts): Pick<Mail, 'subject' | 'text' | 'html'> => {
  const { isReset, link } = facts;
  const { subject, opening, action } = isReset ? reset(facts) : invitation(facts);
  const before = ['Hello,', opening, `${action}:`];
  const after = [
    `The link works once, until ${timeOf(facts.expiresAt)}. Whoever has it can use it: do not pass it on.`,
    'If you did not expect this message, you need not do anything.',
  ];
  return {
    subject,
    text: `${[...before, link, ...after].join('\n\n')}\n`,
    html: htmlOf(subject, [...before.map(paragraph), `<p>${anchor(link)}</p>`, ...after.map(paragraph)]),
  };
};

type Words = Readonly<{ subject: string; opening: string; action: string }>;

const invitation = ({ role, company }: InvitationFacts): Words => {
  const where = company === null ? 'Intake' : `${oneLine(company)} at Intake`;
  return {
    subject: `Your invitation to ${where}`,
    opening: `you are invited to ${where} as ${AS[role]}.`,
    action: 'Open this page to accept the invitation',
  };
};

const reset = ({ company }: InvitationFacts): Words => {
  const where = company === null ? 'Intake' : `${oneLine(company)} at Intake`;
  return {
    subject: `Choose a new password for ${where}`,
    opening: `your password for ${where} was reset. The old one no longer works.`,
    action: 'Open this page to choose a new one',
  };
};

const AS: Readonly<Record<Role, string>> = {
  org_admin: 'an administrator',
  reviewer: 'a reviewer',
  auditor: 'an auditor',
  super_admin: 'an administrator of the platform',
};

const MAX_NAME = 80;
/** Ends of lines, other control characters, and those that turn the direction of what follows. */
const NOT_IN_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** A name that others chose, fit for a subject: it can begin no other header, and is no longer than a line. */
const oneLine = (name: string): string => {
  const line = [...name.replaceAll(NOT_IN_A_LINE, ' ').trim()];
  return line.length > MAX_NAME ? `${line.slice(0, MAX_NAME - 1).join('')}…` : line.join('');
};

const timeOf = (at: string): string => {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' },
  });
  return `${format.format(new Date(at))} UTC`;
};

const paragraph = (text: string): string => `<p>${escapeMarkup(text)}</p>`;

const anchor = (link: string): string => `<a href="${escapeMarkup(link)}">${escapeMarkup(link)}</a>`;

const htmlOf = (title: string, body: readonly string[]): string =>
  [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><title>${escapeMarkup(title)}</title></head>`,
    '<body style="font-family: sans-serif; line-height: 1.5">',
    ...body,
    '</body>',
    '</html>\n',
  ].join('\n');
