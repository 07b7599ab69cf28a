import type { AgentAnswer, DraftRequest, DraftWorkflow } from '../schemas/identity.ts';
import type { WorkflowDefinition } from '../schemas/workflowDefinition.ts';
import { draftByModel } from './byModel.ts';
import { draftByRules } from './byRules.ts';
import { type Chat, ModelFailed } from './chat.ts';

/** `chat` is null where no model endpoint is configured; `onModelFailure` reports an error of the model. */
type Options = Readonly<{ chat: Chat | null; onModelFailure(error: unknown): void }>;

/**
 * The workflow agent: a model where one is configured, otherwise the built-in rules. Where the model fails
 * the rules make the draft, and a note reports it: the answer is a valid draft in any case.
 */
export const draftWorkflow =
  ({ chat, onModelFailure }: Options): DraftWorkflow =>
  async (request) => {
    const { draft, notes, by } =
      chat === null ? byRules(request) : await byModel(chat, request, onModelFailure);
    return { draft, notes: [...notes, ...secretNotes(draft)], by };
  };

const byRules = (request: DraftRequest): AgentAnswer => ({ ...draftByRules(request), by: 'rules' });

const byModel = async (
  chat: Chat,
  request: DraftRequest,
  onModelFailure: Options['onModelFailure'],
): Promise<AgentAnswer> => {
  try {
    return { ...(await draftByModel(chat, request)), by: 'model' };
  } catch (error) {
    if (!(error instanceof ModelFailed)) throw error;
    onModelFailure(error);
    const { notes, ...rest } = byRules(request);
    const failed = `The model endpoint failed (${error.message}): the built-in rules made this draft.`;
    return { ...rest, notes: [failed, ...notes] };
  }
};

const secretNotes = ({ processing }: WorkflowDefinition): readonly string[] => {
  const { extractor, sync } = processing ?? {};
  const endpoints = [typeof extractor === 'object' ? extractor.http : undefined, sync];
  return endpoints.flatMap((endpoint) =>
    endpoint ? [`Set ${endpoint.secretEnv} in the service's environment before you publish this.`] : [],
  );
};
