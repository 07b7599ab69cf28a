import type { OpenApi } from '../../http/openapi/types.ts';
import { pointer, validator } from './conformance.ts';

type Found = Readonly<{ at: string; faults: readonly string[] }>;
type Node = Readonly<Record<string, unknown>>;

/** Every example of the document that stands beside a schema, with what is wrong with it. */
export const examplesIn = (document: OpenApi): readonly Found[] => {
  const validate = validator(document);
  const found: Found[] = [];
  const visit = (node: unknown, at: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { schema, example, examples } = node as Node;
    if (schema !== undefined && example !== undefined)
      found.push({ at, faults: validate(`${at}/schema`, example) });
    if (schema !== undefined && examples !== undefined)
      for (const [name, { value }] of Object.entries(examples as Record<string, { value: unknown }>))
        found.push({ at: `${at} ${name}`, faults: validate(`${at}/schema`, value) });
    for (const [name, child] of Object.entries(node)) visit(child, `${at}/${pointer(name)}`);
  };
  for (const [name, part] of Object.entries(document)) visit(part, name);
  return found;
};
