import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Asked = Readonly<{
  url: string;
  authorization: string | undefined;
  body: Readonly<{ model?: string; messages: readonly Readonly<{ role: string; content: string }>[] }>;
}>;

/** What the fake answers to a request: the model's words, or whatever a broken endpoint does. */
export type Behaviour = string | ((response: ServerResponse) => void);

/**
 * An OpenAI-style chat completions endpoint on this machine, which answers what `says` holds, one after the
 * other, the last one again and again.
 */
export const startFakeModel = async () => {
  const asked: Asked[] = [];
  const state: { says: readonly Behaviour[] } = { says: [''] };
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url = '', headers } = request;
    asked.push({
      url,
      authorization: headers.authorization,
      body: JSON.parse(Buffer.concat(chunks).toString()),
    });
    const [next = '', ...rest] = state.says;
    if (rest.length > 0) state.says = rest;
    if (typeof next === 'function') return next(response);
    response.setHeader('content-type', 'application/json');
    const message = { role: 'assistant', content: next };
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', choices: [{ index: 0, message }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    /** From now on it answers these. */
    says: (...behaviours: readonly Behaviour[]): void => {
      asked.length = 0;
      state.says = behaviours;
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
export type FakeModel = Awaited<ReturnType<typeof startFakeModel>>;

/** A definition as a model may give it. */
export const modelDefinition = {
  slug: 'till-slip',
  name: 'Till slip',
  upload: { minFiles: 1, maxFiles: 2, acceptedFormats: ['image/png'], fileLabels: [], maxFileSizeMb: 5 },
  outputSchema: [{ name: 'total', label: 'Total', required: true, type: 'number' }],
} as const;

const { upload } = modelDefinition;

/** One that breaks a rule: more files are needed than may be sent. */
export const brokenDefinition = { ...modelDefinition, upload: { ...upload, minFiles: 3 } };

export const modelAnswer = JSON.stringify({ definition: modelDefinition, notes: ['Two pictures at most.'] });
