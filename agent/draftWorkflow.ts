import type { WorkflowDefinition } from '../schemas/workflowDefinition.ts';
import { draftByModel } from './byModel.ts';
import { draftByRules } from './byRules.ts';
import { type Chat, ModelFailed } from './chat.ts';
import type { Drafted, Wish } from './draft.ts';

/** `chat` is null where no model endpoint is configured; `failed` hears of one that could not be used. */
type Options = Readonly<{ chat: Chat | null; failed(error: unknown): void }>;

/** Drafts and revises workflow definitions; publishes none. */
export type DraftWorkflow = (wish: Wish) => Promise<Drafted>;

/**
 * The workflow agent: a model where one is configured, else the built-in rules. Where the model fails the rules make the draft, and a
 * note says so: the answer is a valid draft in any case.
 */
export const draftWorkflow =
  ({ chat, failed }: Options): DraftWorkflow =>
  async (wish) => {
    const { draft, notes } = chat === null ? draftByRules(wish) : await byModel(chat, wish, failed);
    return { draft, notes: [...notes, ...secretNotes(draft)] };
  };

const byModel = async (chat: Chat, wish: Wish, failed: Options['failed']): Promise<Drafted> => {
  try {
    return await draftByModel(chat, wish);
  } catch (error) {
    if (!(error instanceof ModelFailed)) throw error;
    failed(error);
    const { draft, notes } = draftByRules(wish);
    return {
      draft,
      notes: [
        `The model endpoint was of no help (${error.message}): the built-in rules made this draft.`,
        ...notes,
      ],
    };
  }
};

const secretNotes = ({ processing }: WorkflowDefinition): readonly string[] => {
  const { extractor, sync } = processing ?? {};
  const endpoints = [typeof extractor === 'object' ? extractor.http : undefined, sync];
  return endpoints.flatMap((endpoint) =>
    endpoint ? [`Set ${endpoint.secretEnv} in the service's environment before you publish this.`] : [],
  );
};
