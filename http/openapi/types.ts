/** A part of the OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

/** Gives a schema as the document shows it: `$ref` for those that have a name, which are then among its components. */
export type Refer = (schema: object) => Json;
