import { escapeMarkup } from '../kernel/escape.ts';
import type { Role } from '../kernel/scope.ts';
import type { Mail } from '../outbound/mail.ts';
import { htmlOf, oneLine, paragraph } from './mailParts.ts';

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

const timeOf = (at: string): string => {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' },
  });
  return `${format.format(new Date(at))} UTC`;
};

const anchor = (link: string): string => `<a href="${escapeMarkup(link)}">${escapeMarkup(link)}</a>`;
