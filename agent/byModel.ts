import { businessKeyChecks } from '../domain/fraud/checks.ts';
import { isObject } from '../kernel/changes.ts';
import type { Fault } from '../kernel/fault.ts';
import { definitionProblems } from '../schemas/definitionProblems.ts';
import type { Draft, DraftRequest } from '../schemas/identity.ts';
import { WorkflowDefinition } from '../schemas/workflowDefinition.ts';
import { type Chat, type Message, ModelFailed } from './chat.ts';

/** For both attempts; less than the HTTP server's timeout of silent connections. */
const TIMEOUT_MS = 75_000;
const MAX_NOTES = 20;
const MAX_NOTE = 500;

/**
 * Lets a model draft or revise a definition. Its answer is checked like a definition that is published; with
 * faults it is sent back once. Throws `ModelFailed`.
 */
export const draftByModel = async (
  chat: Chat,
  { instruction, draft }: DraftRequest,
  timeoutMs = TIMEOUT_MS,
): Promise<Draft> => {
  const signal = AbortSignal.timeout(timeoutMs);
  const messages: readonly Message[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: userText(instruction, draft) },
  ];
  const first = await chat(messages, signal);
  const checked = check(first);
  if ('draft' in checked) return checked;
  const repair = { role: 'user', content: repairText(checked.faults) } as const;
  const second = check(await chat([...messages, { role: 'assistant', content: first }, repair], signal));
  if ('draft' in second) return second;
  throw new ModelFailed(`its draft is not valid: ${faultText(second.faults[0])}`);
};

const SYSTEM = `You write workflow definitions for a service that takes documents in, reads fields from them and has people review what is unsure.
Answer with one JSON object and nothing else: {"definition": …, "notes": ["…"]}. The definition must match this JSON Schema:
${JSON.stringify(WorkflowDefinition)}
Rules beyond the schema: minFiles is at most maxFiles; there are at most maxFiles fileLabels; field names are unique; businessKey names fields of
outputSchema, as list does, and is not empty when ${businessKeyChecks.join(' or ')} is among the checks; flagAt is at most blockAt; addresses are https.
Leave out what was not asked for. Notes are short sentences on what you assumed. When a definition is given, change only what is asked.`;

const userText = (instruction: string, draft: WorkflowDefinition | null): string =>
  draft === null ? instruction : `Revise this definition:\n${JSON.stringify(draft)}\n\n${instruction}`;

const repairText = (faults: readonly Fault[]): string =>
  `That is not valid. Correct these faults and answer with the whole JSON object again:\n${faults
    .slice(0, 50)
    .map((fault) => `- ${faultText(fault)}`)
    .join('\n')}`;

const faultText = (fault: Fault | undefined): string =>
  fault ? `${fault.pointer || 'the whole'} ${fault.detail}` : '';

type Checked = Draft | Readonly<{ faults: readonly Fault[] }>;

const check = (text: string): Checked => {
  const found = jsonIn(text);
  if (!isObject(found)) return { faults: [{ pointer: '', detail: 'is not one JSON object' }] };
  const definition = 'definition' in found ? found.definition : found;
  const faults = definitionProblems(definition);
  if (faults.length > 0) return { faults };
  const notes = Array.isArray(found.notes) ? found.notes.filter((note) => typeof note === 'string') : [];
  return {
    draft: definition as WorkflowDefinition,
    notes: notes.slice(0, MAX_NOTES).map((note) => note.slice(0, MAX_NOTE)),
  };
};

/** The JSON in a model's answer: the whole, the content of a fence, or from the first brace to the last. */
const jsonIn = (text: string): unknown => {
  const braced = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  for (const candidate of [text, fenced(text), braced]) {
    const value = parsed(candidate);
    if (value !== undefined) return value;
  }
  return undefined;
};

/**
 * The lines of the first fence; empty without one. No regular expression: on an answer of a megabyte of
 * spaces some backtrack for hours.
 */
const fenced = (text: string): string => {
  const start = text.indexOf('\n', text.indexOf('```'));
  const end = text.indexOf('```', start);
  return start < 0 || end < 0 ? '' : text.slice(start, end);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};
