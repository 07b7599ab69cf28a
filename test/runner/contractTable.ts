const ANCHORS = /<a id="([a-z]+(?:-[a-z]+)*-\d+)"><\/a>/g;
const CITED = /\[([a-z]+(?:-[a-z]+)*-\d+(?:, [a-z]+(?:-[a-z]+)*-\d+)*)\]/g;

/** The identifiers of the rules of docs/contract.md, in the order of the page. */
export const rulesOf = (page: string): readonly string[] =>
  [...page.matchAll(ANCHORS)].map(([, id = '']) => id);

/** The rules that a test proves, in brackets in its name (`suite › title`): `[sessions-7, jobs-1]`. */
export const rulesProvedBy = (name: string): readonly string[] =>
  [...name.matchAll(CITED)].flatMap(([, ids = '']) => ids.split(', '));

/** Each rule of the page with the tests that prove it. */
const proofs = (page: string, tests: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const byRule = new Map<string, string[]>(rulesOf(page).map((id) => [id, []]));
  for (const name of tests) for (const id of rulesProvedBy(name)) byRule.get(id)?.push(name);
  return byRule;
};

/** The faults of a page: an identifier used twice, a rule that no test proves, a test of an unknown rule. */
export const contractFaults = (page: string, passed: readonly string[]): readonly string[] => {
  const rules = rulesOf(page);
  const twice = rules.filter((id, index) => rules.indexOf(id) !== index);
  const unproven = [...proofs(page, passed)].flatMap(([id, tests]) => (tests.length === 0 ? [id] : []));
  const unknown = passed.filter((name) => rulesProvedBy(name).some((id) => !rules.includes(id)));
  return [
    ...twice.map((id) => `docs/contract.md names two rules ${id}`),
    ...unproven.map((id) => `docs/contract.md, ${id}: no test that proves it ran and passed`),
    ...unknown.map((name) => `this test names a rule that docs/contract.md does not have: ${name}`),
  ];
};

/** The proofs as a page of Markdown. */
export const proofsPage = (page: string, tests: readonly string[]): string =>
  [...proofs(page, tests)]
    .map(([id, names]) => [`## ${id}`, ...names.map((name) => `- ${name}`), ''].join('\n'))
    .join('\n');
