/** The part of docs/events.md that people write. */
export const introduction = `# Events

Every event of the log: its data, and who reads it. Made from the definitions in \`domain/\` by \`npm run docs\`; a test holds that it agrees with them.

- An event stays as it was written, for ever. So do its name and the meaning of each member.
- The members under \`private\` are sealed under a key of the stream's subject. Without the key the part reads as \`{ "redacted": true }\`, whole.
- An unknown fact is \`null\`; only what is marked so may be absent. What is given as "any JSON" or as an object without members belongs to a client or a workflow.
- Each event is checked before it is stored: one that breaks its schema is a fault of ours (\`InvalidEvent\`, a 500 to clients), and nothing of its append is stored.
- Beside the readers named here, the decisions on a stream fold all of its events, and \`intake audit\` and the submission's history show them.

## How to change an event

Readers of today must understand what was written years ago. In this order:

1. **Do you need to?** A new fact is often a new event; a member that nobody reads any more costs nothing. Never change what a member means: give the new meaning a new name.
2. **Add a version.** Every event is defined once, in the file of its concern in \`domain/\`, beside its rules. Move the schema of today into the definition's \`earlier\`, and change \`data\`. The type of the event changes with it, and what
   is written from now on has the new version in \`metadata.schema\`.
3. **Write the step** beside the old schema: \`open\` makes the open members, \`sealed\` the private part; what the old event did not know is \`null\`, never a guess. Decisions, projections and reactors then see the newest
   form only. A step must accept every event of its version that was ever stored, for one that throws stops who reads it.
4. **Change the example** in \`test/controls/events.ts\`.
5. **Keep an example.** \`UPDATE_GOLDEN=1 node dist/test/run.js golden/golden\` stores one of the new version under \`test/golden/events\`, with its digest; commit both. The old ones are never touched: all of them are opened, held to their
   schemas, brought to the newest version and folded by every test run.
6. **Raise the \`version\` of the projections** whose documents change by it: they are filled anew beside the old ones.
7. \`npm run docs\`.

A **new event** needs its definition in \`domain/\` with its \`evolve\`, an example in \`test/controls/events.ts\`, and steps 5 to 7. A member that only some events of a version have (an optional one) is added to that version; it gets
an example among the \`variants\` of \`test/controls/events.ts\`, and steps 5 to 7.

Nodes of the release before park what they don't know ([why, and when a change must come in two releases](decisions/0028-unknown-events-are-parked.md)): they fold nothing of it, count it as \`intake_parked_events\`, and a release that
knows it fills the read models anew that have passed it.
`;
