/** The types of JSON Schema that a value may have. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'array';

/** What a field may be recognised as by its name and label, beside a caption of its own. */
export type Role = 'total' | 'date' | 'company' | 'address';

/** A type of field: what its values are, in JSON and elsewhere, and what asks for it. */
export type FieldTypeRecord<Name extends string = string> = Readonly<{
  /** Its name in workflow definitions and stored events: permanent. */
  name: Name;
  /**
   * The JSON Schema of its values: extractors, corrections and output are checked by it. A `pattern` of the
   * type's own stands in `allOf`: one beside `type` is that of the field.
   */
  schema: Readonly<{ type: JsonType; format?: string; allOf?: readonly Readonly<{ pattern: string }>[] }>;
  /** What the TypeScript type does not say of its values; empty for nothing. */
  note: string;
  /** A made-up value; null for one that is made by the field's own rules or columns. */
  example: string | number | boolean | null;
  /**
   * A value as part of a business key; null for one that is missing or not of the type. Stored keys are
   * compared: permanent.
   */
  normalise(value: unknown): string | null;
  /**
   * What asks for it in an instruction to the workflow agent. Of several types that are asked for, the
   * highest `rank` is meant.
   */
  phrases: RegExp;
  rank: number;
  /**
   * What the name of a field says that is likely of the type, where its type is not asked for. Of several
   * the lowest `order` is meant.
   */
  names: Readonly<{ pattern: RegExp; order: number }>;
  /** Whether values are amounts, which lists show with two decimals, and which totals are checked by. */
  isAmount: boolean;
  /** Whether any text is a value, so that only its place in a document tells one. */
  isFreeText: boolean;
  /** What a field of the type may be by its name; one with a single role needs no word for it. */
  roles: readonly Role[];
  /** Last words of a caption that only name the kind of value: an invoice number is also in "Invoice: 17". */
  kinds: readonly string[];
}>;
