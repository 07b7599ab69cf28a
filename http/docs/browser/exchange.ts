import { element, service } from './service.ts';
import type { Filled, Trial } from './trialFields.ts';

/** What came of a request: an answer with its text, or why there is none. `ms` is how long it took. */
type Outcome =
  | Readonly<{ answer: Response; text: string; ms: number }>
  | Readonly<{ answer: null; text: string; ms: number }>;

/** Headers that tell something of the answer. */
const TELLING = [
  ...['content-type', 'location', 'etag', 'retry-after', 'idempotency-replayed'],
  ...['ratelimit', 'ratelimit-policy', 'x-request-id'],
];

/** Sends what was filled in to this service with the key: never with the cookie of a person. */
export const send = async ({ method, path }: Trial, filled: Filled, key: string): Promise<Outcome> => {
  const own = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(filled.path.get(name) ?? ''),
  );
  const query = new URLSearchParams([...filled.query]).toString();
  const hasBody = filled.body !== null && filled.body !== '';
  const started = performance.now();
  try {
    const answer = await fetch(`${service}${own}${query === '' ? '' : `?${query}`}`, {
      method: method.toUpperCase(),
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      headers: {
        Authorization: `Bearer ${key}`,
        ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(hasBody ? { body: filled.body } : {}),
    });
    return { answer, text: await textOf(answer), ms: performance.now() - started };
  } catch (error) {
    return { answer: null, text: `No answer: ${String(error)}`, ms: performance.now() - started };
  }
};

const textOf = async (answer: Response): Promise<string> => {
  const media = answer.headers.get('content-type') ?? '';
  if (/json/.test(media)) return JSON.stringify(await answer.json(), null, 2);
  if (/^text\//.test(media)) return answer.text();
  const { size } = await answer.blob();
  return size === 0 ? '' : `${size} bytes of ${media}`;
};

/** An outcome as it is shown: status and time, headers, body. */
export const answerView = ({ answer, text, ms }: Outcome): readonly Node[] => {
  const body = element('pre', { tabindex: '0', 'aria-label': 'Body of the answer' }, text);
  const content = text === '' ? [] : [body];
  if (!answer) return [element('p', {}, text)];
  const headers = TELLING.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [element('div', {}, element('code', {}, `${name}: ${value}`))];
  });
  const status = element(
    'b',
    { class: answer.ok ? 'status' : 'delete' },
    `${answer.status} ${answer.statusText}`,
  );
  return [element('p', {}, status, ` in ${Math.round(ms)} ms`), ...headers, ...content];
};
