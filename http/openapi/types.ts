/** A part of the OpenAPI document that nothing reads. */
export type Json = Readonly<Record<string, unknown>>;

/** Gives a schema as the document has it: a `$ref` for those with a name. */
export type Refer = (schema: object) => Json;

export type Reference = Readonly<{ $ref: string }>;
type Named<T> = Readonly<Record<string, T>>;

export type ParameterObject = Readonly<{
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description: string;
  schema: Json;
  example?: unknown;
}>;

export type HeaderObject = Omit<ParameterObject, 'name' | 'in'> & Readonly<{ example: unknown }>;

type Media = Readonly<{ schema: Json; example?: unknown; examples?: Named<Readonly<{ value: unknown }>> }>;

export type RequestBodyObject = Readonly<{ required: boolean; content: Named<Media> }>;

export type ResponseObject = Readonly<{
  description: string;
  headers?: Named<Reference>;
  content?: Named<Media>;
}>;

export type Operation = Readonly<{
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  security: readonly Named<readonly string[]>[];
  parameters: readonly (ParameterObject | Reference)[];
  requestBody?: RequestBodyObject;
  responses: Named<ResponseObject | Reference>;
}>;

/** The document, as far as the page at /docs and the tests read it. */
export type OpenApi = Readonly<{
  openapi: string;
  info: Readonly<{ title: string; summary: string; description: string; version: string; license: Json }>;
  servers: readonly Readonly<{ url: string }>[];
  tags: readonly Readonly<{
    name: string;
    description: string;
    externalDocs?: Readonly<{ description: string; url: string }>;
  }>[];
  paths: Named<Named<Operation>>;
  webhooks: Named<Readonly<{ post: Operation }>>;
  components: Readonly<{
    securitySchemes: Named<Json>;
    parameters: Named<ParameterObject>;
    headers: Named<HeaderObject>;
    responses: Named<ResponseObject>;
    schemas: Named<Json>;
  }>;
}>;
