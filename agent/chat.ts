import { type Of, Type } from '../kernel/schema.ts';
import { linkTo } from '../kernel/signals.ts';
import { compile } from '../schemas/ajv.ts';

export type Message = Readonly<{ role: 'system' | 'user' | 'assistant'; content: string }>;

/** A model's answer to a conversation. Throws `ModelFailed`. */
export type Chat = (messages: readonly Message[], signal: AbortSignal) => Promise<string>;

/** The model endpoint gave no usable answer. The message is public: it names no address and no key. */
export class ModelFailed extends Error {
  override readonly name = 'ModelFailed';
}

type Endpoint = Readonly<{ url: string; model: string | null; key: string | null }>;

const MAX_ANSWER_BYTES = 1024 * 1024;

const Completion = Type.Object({
  choices: Type.Array(Type.Object({ message: Type.Object({ content: Type.String() }) }), { minItems: 1 }),
});
const faultsOf = compile(Completion);

/**
 * A chat over an OpenAI-style endpoint: `url` ends in `/chat/completions`, or is the base to which this is
 * appended. The operator chose the address, so it may be private and passes no egress guard; redirects are
 * not followed. `stopping` aborts all requests.
 */
export const createChat = ({ url, model, key }: Endpoint, stopping: AbortSignal): Chat => {
  const address = url.endsWith('/chat/completions') ? url : `${url}/chat/completions`;
  const headers = {
    'Content-Type': 'application/json',
    ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
  };
  return async (messages, signal) => {
    const body = JSON.stringify({ ...(model === null ? {} : { model }), messages });
    const init = { method: 'POST', headers, body, redirect: 'error' } as const;
    const either = linkTo(signal, stopping);
    const text = await request(address, { ...init, signal: either.signal }).finally(either.unlink);
    const answer = parsed(text);
    if (faultsOf(answer).length > 0) throw new ModelFailed('its answer has another form');
    return (answer as Of<typeof Completion>).choices[0]?.message.content ?? '';
  };
};

const request = async (address: string, init: RequestInit): Promise<string> => {
  try {
    const response = await fetch(address, init);
    if (!response.ok) {
      await response.body?.cancel();
      throw new ModelFailed(`it answered ${response.status}`);
    }
    return await limitedText(response);
  } catch (error) {
    if (error instanceof ModelFailed) throw error;
    const late = init.signal?.aborted === true;
    throw new ModelFailed(late ? 'it took too long' : 'it could not be reached', { cause: error });
  }
};

const limitedText = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early closes the connection.
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new ModelFailed('its answer is larger than 1 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ModelFailed('its answer is not JSON', { cause });
  }
};
