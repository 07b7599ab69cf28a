import { WorkflowSettings } from '../domain/workflowSettings.ts';
import type { Fault } from '../kernel/fault.ts';
import { closed, example, type Of, optional, Share, type TSchema, Type } from '../kernel/schema.ts';
import { DefinitionField, ReviewRule } from './workflowDefinition.ts';

const { name } = DefinitionField.properties;

/** Something of fields, by their names. */
const byField = <S extends TSchema>(values: S, description: string, of: Readonly<Record<string, unknown>>) =>
  Type.Unsafe<Record<string, Of<S>>>({
    ...{ type: 'object', additionalProperties: values, propertyNames: name, maxProperties: 500 },
    ...{ description, examples: [of] },
  });

/** PUT /companies/{companyId}/workflows/{slug} (workflows-20): what is left out is as the version says. */
export const ChangeCompanyWorkflow = closed({
  labels: optional(
    byField(
      Type.String({ minLength: 1, maxLength: 128, pattern: '\\S' }),
      'what the company’s people see a field called, by its name',
      { total: 'Amount due' },
    ),
  ),
  reviewBelow: optional(example(Share, 0.85)),
  fieldsBelow: optional(
    byField(Share, 'the confidence below which a person must look at a field, by its name', { total: 0.95 }),
  ),
  review: optional(ReviewRule),
});

export type ChangeCompanyWorkflow = Of<typeof ChangeCompanyWorkflow>;

/** What settings say of fields that a version has not. */
export const unknownFields = (
  { labels = {}, fieldsBelow = {} }: ChangeCompanyWorkflow,
  fields: readonly Readonly<{ name: string }>[],
): readonly Fault[] => {
  const known = new Set(fields.map((field) => field.name));
  return Object.entries({ labels, fieldsBelow }).flatMap(([member, named]) =>
    Object.keys(named)
      .filter((one) => !known.has(one))
      .map((one): Fault => ({ pointer: `/${member}/${one}`, detail: 'is no field of the workflow' })),
  );
};

/** What a company has set of a workflow for itself. */
export const CompanyWorkflow = Type.Object(WorkflowSettings.properties);
export type CompanyWorkflow = Of<typeof CompanyWorkflow>;
