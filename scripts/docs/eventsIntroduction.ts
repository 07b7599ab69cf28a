/** The part of docs/events.md that people write. */
export const introduction = `# Events

Every event of the log: its data, and who reads it. Made from the definitions in \`domain/\` by \`npm run docs\`; a test compares the two.

- A stored event never changes. Neither do its name and the meaning of each member.
- The members under \`private\` are sealed under a key of the stream's subject. Without the key the part reads as \`{ "redacted": true }\`, whole.
- An unknown fact is \`null\`; only what is marked so may be absent. "Any JSON", or an object without members, belongs to a client or a workflow.
- Each event is checked before it is stored: one that breaks its schema is a fault of the service (\`InvalidEvent\`, a 500 to clients), and nothing of its append is stored.
- Beside the readers named here, the decisions on a stream fold all of its events, and \`intake audit\` and the submission's history show them.

## How to change an event

Today's readers must understand what was written years ago. In this order:

1. **Is it needed?** A new fact is often a new event; an unused member costs nothing. Never change what a member means: give the new meaning a new name.
2. **Add a version.** Every event is defined once, in the file of its concern in \`domain/\`, beside its rules. Move its schema into the definition's \`earlier\`, and change
   \`data\`. The event's type follows, and new events have the new version in \`metadata.schema\`.
3. **Write the step** beside the old schema: \`open\` makes the open members, \`sealed\` the private part; what the old event did not hold is \`null\`, never a guess. Decisions,
   projections and reactors then get the newest form only. A step must accept every stored event of its version: one that throws stops its readers.
4. **Change the example** in \`test/controls/events.ts\`.
5. **Keep a stored example.** \`UPDATE_GOLDEN=1 node dist/test/run.js golden/golden\` stores one of the new version under \`test/golden/events\`, with its digest; commit both. The
   old ones are never touched: every test run opens them, checks them against their schemas, upcasts and folds them.
6. **Raise the \`version\` of the projections** whose documents change: they are filled anew beside the old ones.
7. \`npm run docs\`.

A **new event** needs its definition in \`domain/\` with its \`evolve\`, an example in \`test/controls/events.ts\`, and steps 5 to 7. An **optional member** is added to the present version, and
needs an example among the \`variants\` of \`test/controls/events.ts\`, and steps 5 to 7.

Nodes of an older release park what they do not support ([why, and when a change must come in two releases](decisions/0028-unknown-events-are-parked.md)): they do not fold it, and count it as
\`intake_parked_events\`. A release that supports it rebuilds the read models that skipped it.
`;
