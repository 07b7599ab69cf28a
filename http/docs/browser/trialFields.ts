import { element } from './service.ts';

type Parameter = Readonly<{ name: string; in: string; required?: boolean; description?: string }>;

/** What of the document a trial needs. */
export type Operation = Readonly<{
  operationId: string;
  parameters?: readonly Parameter[];
  requestBody?: Readonly<{ content: Readonly<Record<string, Readonly<{ example?: unknown }>>> }>;
}>;

/** An operation that is tried; `examples` are values of the parameters of its path. */
export type Trial = Readonly<{
  id: string;
  method: string;
  path: string;
  operation: Operation;
  examples: Readonly<Record<string, unknown>>;
}>;

/** What the reader has filled in. */
export type Filled = Readonly<{
  path: ReadonlyMap<string, string>;
  query: ReadonlyMap<string, string>;
  body: string | null;
}>;

/** The fields of a trial for its path, query and body, with the examples in them; and what they hold. */
export const fieldsOf = (trial: Trial): Readonly<{ fields: readonly HTMLElement[]; read(): Filled }> => {
  const { id, operation, examples } = trial;
  const own = (operation.parameters ?? []).filter((one) => one.in === 'path' || one.in === 'query');
  const inputs = own.map((parameter) => {
    const input = element('input', { id: `${id}-${parameter.name}`, type: 'text', autocomplete: 'off' });
    input.required = parameter.required === true;
    input.value = String(examples[parameter.name] ?? '');
    return { parameter, input };
  });
  const body = bodyField(trial);
  const valuesIn = (place: string) =>
    new Map(
      inputs
        .filter(({ parameter, input }) => parameter.in === place && input.value !== '')
        .map(({ parameter, input }) => [parameter.name, input.value] as const),
    );
  return {
    fields: [
      ...inputs.map(({ parameter, input }) =>
        labelled(parameter.name, input, parameter.required ? '' : 'optional'),
      ),
      ...(body ? [labelled('body', body, '')] : []),
    ],
    read: () => ({ path: valuesIn('path'), query: valuesIn('query'), body: body?.value.trim() ?? null }),
  };
};

const bodyField = ({ id, operation }: Trial): HTMLTextAreaElement | null => {
  const media = operation.requestBody?.content['application/json'];
  if (!media) return null;
  const text = JSON.stringify(media.example ?? {}, null, 2);
  const field = element('textarea', {
    id: `${id}-body`,
    rows: String(Math.min(20, text.split('\n').length + 1)),
  });
  field.spellcheck = false;
  field.value = text;
  return field;
};

const labelled = (name: string, field: HTMLElement, note: string): HTMLElement =>
  element('p', {}, element('label', { for: field.id }, name), field, element('small', {}, note));
