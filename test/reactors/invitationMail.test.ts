import * as assert from 'uvu/assert';
import { type InvitationFacts, invitationMail } from '../../reactors/invitationMail.ts';
import { suite } from '../harness.ts';

const test = suite('the mail of an invitation');

const link = 'https://intake.example.com/invite#token=abc';
const facts: InvitationFacts = {
  ...{ role: 'reviewer', company: 'ACME', isReset: false, link },
  expiresAt: '2026-11-24T10:46:00.000Z',
};

test('it says who is invited as what, where to accept it, and until when', () => {
  const { subject, text, html } = invitationMail(facts);
  assert.is(subject, 'Your invitation to ACME at Intake');
  assert.is(
    text,
    [
      'Hello,',
      'you are invited to ACME at Intake as a reviewer.',
      'Open this page to accept the invitation:',
      link,
      'The link works once, until 24 November 2026 at 10:46 UTC. Whoever has it can use it: do not pass it on.',
      'If you did not expect this message, you need not do anything.\n',
    ].join('\n\n'),
  );
  assert.ok(html.includes(`<a href="${link}">${link}</a>`));
  for (const line of text.trim().split('\n\n')) assert.ok(html.includes(line), line);
});

test('each role is named, and a super_admin belongs to no company', () => {
  const saying = (over: Partial<InvitationFacts>): string => invitationMail({ ...facts, ...over }).text;
  assert.match(saying({ role: 'org_admin' }), /ACME at Intake as an administrator\./);
  assert.match(saying({ role: 'auditor' }), /ACME at Intake as an auditor\./);
  assert.match(
    saying({ role: 'super_admin', company: null }),
    /invited to Intake as an administrator of the platform\./,
  );
});

test('of a reset it says that a new password is to be chosen', () => {
  const { subject, text } = invitationMail({ ...facts, isReset: true });
  assert.is(subject, 'Choose a new password for ACME at Intake');
  assert.match(text, /^your password for ACME at Intake was reset\. The old one no longer works\.$/m);
  assert.is(
    invitationMail({ ...facts, isReset: true, company: null }).subject,
    'Choose a new password for Intake',
  );
});

test('a company’s name begins no line and no element, and is no longer than a line', () => {
  const hostile = 'ACME\r\nBcc: eve@example.net\u2028\u202e<img src=x onerror="alert(1)">';
  const { subject, text, html } = invitationMail({ ...facts, company: hostile });
  assert.is(subject, 'Your invitation to ACME Bcc: eve@example.net <img src=x onerror="alert(1)"> at Intake');
  assert.not.match(text, /^Bcc/m);
  assert.not.match(html, /<img/);
  assert.ok(html.includes('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;'));
  const long = invitationMail({ ...facts, company: 'Ä'.repeat(128) }).subject;
  assert.is(long, `Your invitation to ${'Ä'.repeat(79)}… at Intake`);
});
