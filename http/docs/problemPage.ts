import { type ProblemCode, problemTypes } from '../engine/problems/problemTypes.ts';
import { html } from './html.ts';
import { layout, type PageAnswer } from './layout.ts';
import { inline } from './markdown.ts';

/** GET /problems/{code}: what a kind of problem means, and what to do. */
export const problemPage = (code: ProblemCode): PageAnswer => {
  const { status, title, means, remedy, retryable } = problemTypes[code];
  return layout(
    `${title} · Intake API`,
    html`<main>
<p><a href="../docs">Intake API</a> › <a href="../docs#problem-codes">Problem codes</a></p>
<h1>${title}</h1>
<p class="call"><b>${status}</b> <code>${code}</code></p>
<dl>
<dt>What it means</dt><dd>${inline(means)}</dd>
<dt>What to do</dt><dd>${inline(remedy)}</dd>
<dt>Trying again</dt><dd>${inline(retryable ? 'The same request may succeed later: `retryable` is true.' : 'The same request will be refused again: `retryable` is false.')}</dd>
</dl>
</main>`,
  );
};
