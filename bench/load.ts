import { createClient } from '../client/index.ts';
import { judge, type Row } from './measure.ts';
import { latencies, quantile } from './openLoop.ts';
import { optionsOf } from './options.ts';
import { withService } from './service.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'how long answers take as more requests come a second: one of three opens a session';

const RATES = [25, 50, 100, 200, 300, 400];
/** The rate whose p99 stands in the table. */
const TOLD = 100;

/** Measures a mix of lists, workflows and sessions at rising rates, `--seconds N` of each (5). */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { seconds } = optionsOf(options, { seconds: 5 });
  return withService(async ({ server, key }) => {
    const api = createClient({ url: server.url, key });
    const send = (n: number): Promise<unknown> => {
      if (n % 3 === 0) {
        const path = { slug: 'receipt' };
        return api.post('/api/v1/workflows/{slug}/sessions', { path, body: { clientSubmissionId: `n${n}` } });
      }
      return n % 3 === 1
        ? api.get('/api/v1/submissions', { query: { limit: 20 } })
        : api.get('/api/v1/workflows');
    };
    return [await measure(send, seconds)];
  });
};

const measure = async (send: (n: number) => Promise<unknown>, seconds: number): Promise<Row> => {
  const lines = { p50: [] as [number, number][], p99: [] as [number, number][] };
  await latencies(send, TOLD, seconds); // to warm up
  for (const rate of RATES) {
    const took = await latencies(send, rate, seconds);
    lines.p50.push([rate, quantile(took, 0.5)]);
    lines.p99.push([rate, quantile(took, 0.99)]);
  }
  const goal = {
    figure: '-',
    what: `p99 of an answer at ${TOLD} requests/s`,
    yardstick: '-',
    goal: null,
    unit: 'ms',
  };
  const plot = { title: 'Latency against load', x: 'requests a second', y: 'ms', lines };
  const told = lines.p99.find(([rate]) => rate === TOLD)?.[1] ?? Number.NaN;
  return { ...judge(goal, told), plot };
};
