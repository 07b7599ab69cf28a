import { type Html, html } from '../html.ts';
import type { SampleCall } from './call.ts';
import { curl } from './curl.ts';
import { python } from './python.ts';
import { typescript } from './typescript.ts';

const LANGUAGES = [
  { name: 'curl', write: curl },
  { name: 'TypeScript', write: typescript },
  { name: 'Python', write: python },
] as const;

/** A call in each language, one below the other; with a script the reader chooses one (http/docs/browser). */
export const samplesView = (
  call: SampleCall,
  base: string,
): Html => html`<div class="samples" data-values="${JSON.stringify(call.path)}">
${LANGUAGES.map(
  ({
    name,
    write,
  }) => html`<figure data-language="${name}"><figcaption>${name}</figcaption><pre tabindex="0"><code>${write(call, base)}</code></pre></figure>
`,
)}</div>`;
