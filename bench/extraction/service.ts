import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type IntakeClient } from '../../client/index.ts';
import type { ProcessingResult } from '../../domain/submission/processingResult.ts';
import { createTenant, type Settings, startServer } from '../../scripts/demo/intake.ts';
import { childrenMsOf, usageOf } from '../deliveries/usage.ts';
import { serviceSettings } from '../service.ts';
import type { Scan } from './scans.ts';

/**
 * What the service made of a scan; `reason` where it could not be processed. Seconds from submit to result.
 */
export type Answer = Readonly<{
  scan: Scan;
  status: string;
  reason: string | null;
  pages: number;
  seconds: number;
  extractedData: Readonly<Record<string, unknown>>;
  fieldConfidences: Readonly<Record<string, number>>;
  /** By table, those of the cells of its rows. */
  cellConfidences: Readonly<Record<string, readonly Readonly<Record<string, number>>[]>>;
}>;

const POLL_MS = 50;
/** Longer than any document may take, with its retries. */
const LIMIT_MS = 300_000;

/**
 * Sends scans through a service of its own, `atOnce` at a time, and calls `onEnd` for each; `seconds` is the
 * time for all of them, `cpuMs` the processor time of the service (null where the machine doesn't tell it).
 * `more` settings may name another build (`INTAKE_EXECUTABLE`). One that can't be sent, or does not end, is
 * `refused` with the reason.
 */
export const throughService = async (
  scans: readonly Scan[],
  definition: string,
  atOnce: number,
  onEnd: () => void,
  more: Settings = {},
): Promise<Readonly<{ answers: readonly Answer[]; seconds: number; cpuMs: number | null }>> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'intake-extraction-'));
  const settings = { ...serviceSettings(dataDir), ...more };
  const server = await startServer(settings);
  try {
    const { key } = await createTenant(settings, 'Bench', definition);
    const api = createClient({ url: server.url, key });
    const { slug } = JSON.parse(readFileSync(definition, 'utf8')) as { slug: string };
    const cpuBefore = cpuMsOf(server.pid);
    const started = performance.now();
    const waiting = scans.entries();
    const answers: Answer[] = [];
    const lane = async (): Promise<void> => {
      for (const [index, scan] of waiting) {
        answers[index] = await send(api, slug, scan).catch((error: Error) => refused(scan, error));
        onEnd();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    const seconds = (performance.now() - started) / 1_000;
    const cpuMs = cpuBefore === null ? null : (cpuMsOf(server.pid) ?? 0) - cpuBefore;
    return { answers, seconds, cpuMs };
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

const cpuMsOf = (pid: number): number | null =>
  existsSync('/proc/self/stat') ? usageOf(pid).cpuMs + childrenMsOf(pid) : null;

const send = async (api: IntakeClient, slug: string, scan: Scan): Promise<Answer> => {
  const { sessionId, submissionId } = await api.submit(slug, [{ content: scan.path, type: scan.mimeType }], {
    clientSubmissionId: scan.name,
  });
  const started = performance.now();
  for (;;) {
    const {
      state,
      submissionStatus: status,
      result,
    } = await api.get('/api/v1/jobs/{sessionId}', {
      path: { sessionId },
    });
    const ms = performance.now() - started;
    if (state === 'completed' || state === 'failed') {
      const detail = await api.get('/api/v1/submissions/{submissionId}', { path: { submissionId } });
      return {
        scan,
        status,
        reason: detail.failedReason,
        pages: result?.pages ?? 0,
        seconds: ms / 1_000,
        extractedData: detail.extractedData ?? {},
        fieldConfidences: detail.fieldConfidences ?? {},
        cellConfidences: cellConfidencesIn(result as ProcessingResult | null),
      };
    }
    if (ms > LIMIT_MS) throw new Error(`${scan.name} did not end: it is ${state}`);
    await sleep(POLL_MS);
  }
};

const cellConfidencesIn = (result: ProcessingResult | null): Answer['cellConfidences'] =>
  Object.fromEntries(
    Object.entries(result?.fields ?? {}).map(([name, { rows = [] }]) => [
      name,
      rows.map(({ cells }) =>
        Object.fromEntries(Object.entries(cells).map(([column, { confidence }]) => [column, confidence])),
      ),
    ]),
  );

const refused = (scan: Scan, { message }: Error): Answer => ({
  ...{ scan, status: 'refused', reason: message, pages: 0, seconds: 0 },
  ...{ extractedData: {}, fieldConfidences: {}, cellConfidences: {} },
});
