import { parseArgs } from 'node:util';
import { quantile } from '../../bench/openLoop.ts';
import { createClient } from '../../client/index.ts';
import { inviteOperator, type Settings } from '../demo/intake.ts';
import { accept, invitee, join, OPERATOR, type Person, type Place } from '../demo/people.ts';
import { print } from '../named.ts';
import { admitted, folderOf, whileServed } from './served.ts';

/** What `npm run trial -- --help` says of this. */
export const summary =
  'whether the time of refused log-ins tells a known e-mail, and who logs in during a flood of them';

const KNOWN = 40;
const GROUP = 20;
const READS = 10;
/** Of pairs in which the known e-mail is told from the unknown one: by chance it is half of them. */
const CHANCE = [0.4, 0.6] as const;
const FLOOD_ADDRESSES = 8;
const FLOOD_AT_ONCE = 144;
const LOG_INS = 60;
const GOAL_MS = 500;

/**
 * Compares groups of 20 refused log-ins, of a known and of an unknown e-mail, and the reads that follow;
 * `--pairs` of them, 200 by default, 0 for none. Then people log in, each from an own address, while somebody
 * with a valid account logs in without a pause from eight. True when no measure tells more of the pairs than
 * chance does, and the 99th percentile of the log-ins stays within 500 ms, none of them refused.
 */
export const run = async (options: readonly string[]): Promise<boolean> => {
  const { values } = parseArgs({
    args: [...options],
    options: { data: { type: 'string' }, pairs: { type: 'string', default: '200' } },
  });
  const folder = folderOf(values.data === undefined ? [] : ['--data', values.data]);
  const { RATE_LIMIT: _without, ...settings } = folder.settings;
  try {
    return await measure({ ...settings, TRUST_PROXY: '1' }, folder.path, Number(values.pairs));
  } finally {
    folder.remove();
  }
};

const measure = async (settings: Settings, path: string, pairs: number): Promise<boolean> => {
  const { companyId, key } = await admitted(settings, path, workflow);
  const { token } = await inviteOperator(settings, OPERATOR.email);
  return whileServed(settings, async ({ url }) => {
    const place = { url, companyId };
    const operator = await accept(place, OPERATOR, { token });
    const people: Person[] = [];
    for (let n = 0; n < KNOWN + LOG_INS; n += 1)
      people.push(await join(place, operator, invitee(`person${n}`, 'reviewer')));
    const isHidden = pairs === 0 || (await groups(place, key, people.slice(0, KNOWN), pairs));
    const isOpen = await flood(place, operator, people.slice(KNOWN));
    return isHidden && isOpen;
  });
};

let addresses = 0;
const newAddress = (): string => `198.18.${(++addresses >> 8) & 255}.${addresses & 255}`;

/** The status of a log-in from an address, and its milliseconds. */
const logIn = async (url: string, from: string, email: string, password: string) => {
  const started = performance.now();
  const answer = await fetch(`${url}/api/auth/sessions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
    body: JSON.stringify({ email, password }),
  });
  await answer.arrayBuffer();
  return { status: answer.status, ms: performance.now() - started };
};

const groups = async (
  { url }: Place,
  key: string,
  known: readonly Person[],
  pairs: number,
): Promise<boolean> => {
  const { get } = createClient({ url, key });
  const group = async (email: string) => {
    const from = newAddress();
    let logIns = 0;
    for (let n = 0; n < GROUP; n += 1) {
      const { status, ms } = await logIn(url, from, email, 'not the password');
      if (status !== 401) throw new Error(`a wrong password was answered by ${status}`);
      logIns += ms;
    }
    const started = performance.now();
    for (let n = 0; n < READS; n += 1) await get('/api/v1/workflows');
    return { logIns, reads: performance.now() - started };
  };
  const told = { logIns: 0, reads: 0 };
  for (let pair = 0; pair < pairs; pair += 1) {
    const emails = [known[pair % known.length]?.email ?? '', `nobody${pair}@unknown.example`];
    const isKnownFirst = pair % 2 === 0;
    const [one, other] = isKnownFirst ? emails : emails.toReversed();
    const measured = [await group(one ?? ''), await group(other ?? '')];
    const [ofKnown, ofUnknown] = isKnownFirst ? measured : measured.toReversed();
    if (!ofKnown || !ofUnknown) continue;
    if (ofKnown.logIns > ofUnknown.logIns) told.logIns += 1;
    if (ofKnown.reads > ofUnknown.reads) told.reads += 1;
  }
  return Object.entries(told)
    .map(([what, count]) => {
      const share = count / pairs;
      const isChance = share >= CHANCE[0] && share <= CHANCE[1];
      const name = what === 'reads' ? `${READS} reads after` : `${GROUP} refused log-ins`;
      print(
        `${name}: slower for the known e-mail in ${(share * 100).toFixed(0)} % of ${pairs} pairs: ${isChance ? 'chance' : 'MISSED, it is told'}`,
      );
      return isChance;
    })
    .every(Boolean);
};

const flood = async ({ url }: Place, attacker: Person, people: readonly Person[]): Promise<boolean> => {
  const over = new AbortController();
  const from = Array.from({ length: FLOOD_ADDRESSES }, newAddress);
  const statuses = new Map<number, number>();
  const attacks = Array.from({ length: FLOOD_AT_ONCE }, async (_, n) => {
    while (!over.signal.aborted) {
      const address = from[n % from.length] ?? '';
      const { status } = await logIn(url, address, attacker.email, attacker.password);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  const taken: number[] = [];
  const refused: number[] = [];
  for (const { email, password } of people) {
    const { status, ms } = await logIn(url, newAddress(), email, password);
    taken.push(ms);
    if (status !== 201) refused.push(status);
  }
  over.abort();
  await Promise.all(attacks);
  const p99 = quantile(taken, 0.99);
  const isReached = p99 <= GOAL_MS && refused.length === 0;
  const answers = [...statuses].map(([status, count]) => `${count} of ${status}`).join(', ');
  print(
    `log-ins of others during a flood (${answers}): median ${quantile(taken, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, refused ${refused.join(', ') || 'none'}; goal ${GOAL_MS} ms: ${isReached ? 'reached' : 'MISSED'}`,
  );
  return isReached;
};

const workflow = {
  slug: 'log-ins-trial',
  name: 'For a key that reads',
  upload: {
    minFiles: 1,
    maxFiles: 1,
    acceptedFormats: ['application/json'],
    fileLabels: ['data'],
    maxFileSizeMb: 1,
  },
  outputSchema: [{ name: 'total', type: 'number', required: true }],
  processing: { extractor: 'json', review: 'always' },
};
