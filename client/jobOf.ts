import type { FieldResult, Job, ProcessingResult } from './api.ts';

/** What was read of a field; `value` is null where nothing was found. */
type FieldOf<Value> = Omit<FieldResult, 'value'> & { value: Exclude<Value, undefined> | null };

/** A job whose fields are those of `Data`, the type that `intake workflow types` prints for a workflow. */
export type JobOf<Data extends object> = Omit<Job, 'result'> & {
  result:
    | (Omit<ProcessingResult, 'fields'> & { fields: { [Name in keyof Data]-?: FieldOf<Data[Name]> } })
    | null;
};
