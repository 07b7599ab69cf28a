import * as assert from 'uvu/assert';
import { html } from '../../../http/docs/html.ts';
import { headingsOf, inline, markdown } from '../../../http/docs/markdown.ts';
import { schemaView } from '../../../http/docs/schemaView.ts';
import { suite } from '../../harness.ts';

const test = suite('HTML of the pages');
const EVIL = `<script>alert("1")</script>&'`;
const SAFE = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;';
const textOf = (parts: ReturnType<typeof markdown>): string => parts.map((part) => part.html).join('');

test('what is filled in is escaped, unless it is HTML already', () => {
  assert.is(html`<p title="${EVIL}">${EVIL}</p>`.html, `<p title="${SAFE}">${SAFE}</p>`);
  assert.is(
    html`<p>${html`<b>${1}</b>`}${[html`<i>a</i>`, html`<i>b</i>`]}${null}</p>`.html,
    '<p><b>1</b><i>a</i><i>b</i></p>',
  );
});

test('Markdown is escaped, in code and lists too', () => {
  assert.is(inline(`${EVIL} \`${EVIL}\` **${EVIL}**`).html, `${SAFE} <code>${SAFE}</code> <b>${SAFE}</b>`);
  assert.is(textOf(markdown(`- ${EVIL}\n- b`)), `<ul><li>${SAFE}</li><li>b</li></ul>`);
});

test('headings, lists and paragraphs become what they are', () => {
  const text = '### First steps\n\n1. one\n2. two\n\nAnd `code`.';
  assert.equal(headingsOf(text), [{ id: 'first-steps', title: 'First steps' }]);
  assert.is(
    textOf(markdown(text)),
    '<h3 id="first-steps">First steps</h3><ol><li>one</li><li>two</li></ol><p>And <code>code</code>.</p>',
  );
});

test('a schema is shown by its members, nested ones too, and nothing of it is HTML', () => {
  const shown = schemaView({
    type: 'object',
    required: ['a'],
    properties: {
      a: {
        type: 'array',
        items: { type: 'object', properties: { b: { $ref: '#/components/schemas/Job' } } },
      },
      [EVIL]: { type: 'string', enum: [EVIL], description: EVIL },
    },
  }).html;
  assert.ok(shown.includes('<code>a[].b</code>') && shown.includes('<a href="#schema-Job">Job</a>'));
  assert.ok(shown.includes(SAFE) && !shown.includes('<script'));
});
