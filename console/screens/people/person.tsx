import { useState } from 'preact/hooks';
import type { RedactRequest } from '../../../client/api.ts';
import type { People } from '../../../schemas/people.ts';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { isRedacted, redactedPerson } from '../../app/people.ts';
import { may } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog, Dialog } from '../../parts/dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Mark } from '../../parts/marks.tsx';
import { type OfficeDraft, OfficeFields, officeBody } from '../../parts/office.tsx';
import { RedactDialog } from '../../parts/redactDialog.tsx';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import type { Issued, Left, Scope } from './scope.ts';

const own = texts.people;
const ONE = '/api/v1/people/{userId}';

export type Person = People['data'][number];

/** The name, or the e-mail of who has given none. */
export const nameOf = ({ id, name, email }: Person): string =>
  isRedacted(email) ? redactedPerson(id) : (name ?? email);

/** An e-mail, or that a redaction has removed it. */
export const emailOf = ({ email }: Readonly<{ email: string }>): string =>
  isRedacted(email) ? own.states.redacted : email;

const stateOf = ({ email, disabledAt, awaits }: Person): keyof typeof own.states => {
  if (isRedacted(email)) return 'redacted';
  return disabledAt ? 'disabled' : awaits ? 'awaits' : 'active';
};

const TONES = { active: '', awaits: 'warning', disabled: 'bad', redacted: 'bad' } as const;

/** Whether the person may log in, in a word. */
export const PersonMark = ({ person }: Readonly<{ person: Person }>) => {
  const state = stateOf(person);
  return <Mark tone={TONES[state]}>{own.states[state]}</Mark>;
};

type Act = keyof typeof own.acts;

const actsOn = ({ email, disabledAt }: Person): readonly Act[] => {
  if (!may('people.manage') || isRedacted(email)) return [];
  return disabledAt ? ['role', 'enable', 'redact'] : ['role', 'reset', 'disable'];
};

type PersonProps = Readonly<{
  scope: Scope;
  person: Person;
  /** With the new link, where one was made. */
  onChanged(made: Issued | null): void;
  /** With the keys of a person who may make them no more, where there are some. */
  onKeysLeft(left: Left): void;
  onClose(): void;
}>;

/** A person, and what an administrator can change; each act is asked for once. */
export const PersonDialogs = (props: PersonProps) => {
  const [act, choose] = useState<Act | null>(null);
  if (act === 'role') return <RoleDialog {...props} />;
  if (act === 'redact') return <RedactPerson {...props} />;
  if (act !== null) return <ActDialog {...props} act={act} />;
  return <PersonDialog {...props} onChosen={choose} />;
};

const PersonDialog = ({ scope, person, onChosen, onClose }: PersonProps & { onChosen(act: Act): void }) => {
  const company = scope.companies?.find(({ id }) => id === person.companyId);
  return (
    <Dialog title={nameOf(person)} onClose={onClose}>
      <Facts
        facts={[
          [own.columns.email, emailOf(person)],
          [own.role, texts.roles[person.role]],
          [texts.company.one, company?.name ?? null],
          [own.columns.status, <PersonMark key="state" person={person} />],
          [own.since, <When key="since" at={person.createdAt} exact />],
          [own.columns.lastLogIn, person.lastLogInAt && <When at={person.lastLogInAt} exact />],
          [own.bound, person.boundAt && <When at={person.boundAt} exact />],
          [own.identifier, <code key="id">{person.id}</code>],
        ]}
      />
      <div class="actions">
        {actsOn(person).map((act) => (
          <Button key={act} onClick={() => onChosen(act)}>
            {own.acts[act].act}
          </Button>
        ))}
      </div>
    </Dialog>
  );
};

const ActDialog = ({
  act,
  person,
  onChanged,
  onKeysLeft,
  onClose,
}: PersonProps & { act: Exclude<Act, 'role' | 'redact'> }) => {
  const { title, text, act: word, done } = own.acts[act];
  const name = nameOf(person);
  const work = async (): Promise<void> => {
    const made = await api.post(`${ONE}/${act}`, { path: { userId: person.id } });
    announce(say(done, { name }));
    onChanged('url' in made ? { email: person.email, url: made.url, expiresAt: made.expiresAt } : null);
    if ('keys' in made && made.keys.length > 0) onKeysLeft({ name, keys: made.keys });
  };
  const danger = act !== 'enable';
  return (
    <ConfirmDialog title={say(title, { name })} act={word} danger={danger} work={work} onClose={onClose}>
      <p>{text}</p>
    </ConfirmDialog>
  );
};

const RedactPerson = ({ person, onChanged, onClose }: PersonProps) => {
  const { title, text, stays, done } = own.acts.redact;
  const redact = async (body: RedactRequest): Promise<void> => {
    await api.post(`${ONE}/redact`, { path: { userId: person.id }, body });
    announce(done);
    onChanged(null);
  };
  return <RedactDialog title={say(title, { name: nameOf(person) })} {...{ text, stays, redact, onClose }} />;
};

const RoleDialog = ({ scope, person, onChanged, onKeysLeft, onClose }: PersonProps) => {
  const { title, text, act, done } = own.acts.role;
  const [office, setOffice] = useState<OfficeDraft>({ role: person.role, companyId: '' });
  const name = nameOf(person);
  const work = async (): Promise<void> => {
    const body = officeBody(office);
    const { keys } = await api.post(`${ONE}/role`, { path: { userId: person.id }, body });
    announce(say(done, { name }));
    onChanged(null);
    if (keys.length > 0) onKeysLeft({ name, keys });
  };
  return (
    <ConfirmDialog title={say(title, { name })} act={act} work={work} onClose={onClose}>
      {(problem) => (
        <>
          <p>{text}</p>
          <OfficeFields
            office={office}
            ofPlatform={scope.companyId === null && scope.me.role === 'super_admin'}
            companies={person.companyId === null ? scope.companies : null}
            problem={problem}
            onChange={setOffice}
          />
        </>
      )}
    </ConfirmDialog>
  );
};
