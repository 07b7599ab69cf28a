import { Type } from '../kernel/schema.ts';

/** GET /openapi.json: bytes, made once. */
export const OpenApiDocument = Type.Unsafe<Buffer>({
  type: 'object',
  description: 'An OpenAPI 3.1 document.',
  required: ['openapi', 'info', 'paths', 'webhooks', 'components'],
  examples: [
    {
      openapi: '3.1.0',
      info: { title: 'Intake', version: '1.0.0' },
      paths: {},
      webhooks: {},
      components: {},
    },
  ],
});

/** A page to read: HTML, which loads nothing. */
export const Page = Type.Unsafe<Buffer>({ type: 'string', description: 'An HTML page.' });
