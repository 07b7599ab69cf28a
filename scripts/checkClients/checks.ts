import { redocly, spectral } from './linters.ts';
import {
  generatedGo,
  generatedJava,
  generatedPython,
  generatedRust,
  generatedTypeScript,
} from './openApiGenerator.ts';
import { openApiPythonClient } from './openApiPythonClient.ts';
import { openApiTypeScript } from './openApiTypeScript.ts';

/** Every check, the fast ones first. */
export const checks = {
  redocly,
  spectral,
  'openapi-typescript': openApiTypeScript,
  'openapi-python-client': openApiPythonClient,
  'openapi-generator python': generatedPython,
  'openapi-generator go': generatedGo,
  'openapi-generator typescript': generatedTypeScript,
  'openapi-generator java': generatedJava,
  'openapi-generator rust': generatedRust,
} as const;

export type CheckName = keyof typeof checks;
export const checkNames = Object.keys(checks) as readonly CheckName[];
