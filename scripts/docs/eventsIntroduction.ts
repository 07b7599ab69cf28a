/** The part of docs/events.md that people write. */
export const introduction = `# Events

Every event of the log: its data, who writes it and who reads it. Made from the schemas by \`npm run docs\`; a test holds that it is what they say.

- An event stays as it was written, for ever. So do its name and the meaning of each member.
- The members under \`private\` are sealed under a key of the stream's subject. Without the key the part reads as \`{ "redacted": true }\`, whole.
- An unknown fact is \`null\`; only what is marked so may be absent. What is given as "any JSON" or as an object without members belongs to a client or a workflow.
- Each event is checked before it is stored: one that breaks its schema is a fault of ours (\`InvalidEvent\`, a 500 to clients), and nothing of its append is stored.
- Beside the readers named here, the decisions on a stream fold all of its events, and \`intake audit\` and the submission's history show them.

## How to change an event

Readers of today must understand what was written years ago. In this order:

1. **Do you need to?** A new fact is often a new event; a member that nobody reads any more costs nothing. Never change what a member means: give the new meaning a new name.
2. **Add a version.** In \`schemas/events/\` put the new schema behind the old one in \`versions\`. What is written from now on has that version in \`metadata.schema\`. The old schema stays.
3. **Change the type** in \`domain/\` to the same, and its example in \`test/controls/events.ts\`. While the two differ, \`schemas/events.ts\` does not compile, and names the event.
4. **Write the step** from the version before in \`domain/upcast.ts\`: \`open\` makes the open members, \`sealed\` the private part; what the old event did not know is \`null\`, never a guess. Decisions, projections and reactors then see the newest
   form only. A step must take every event of its version that was ever stored, for one that throws stops who reads it.
5. **Keep an example.** \`UPDATE_GOLDEN=1 node dist/test/run.js golden/golden\` stores one of the new version under \`test/golden/events\`, with its digest; commit both. The old ones are never touched: all of them are opened, held to their
   schemas, brought to the newest version and folded by every test run.
6. **Raise the \`version\` of the projections** whose documents change by it: they are filled anew beside the old ones.
7. \`npm run docs\`.

A **new event** needs its type in \`domain/\`, its entry in \`schemas/events/\`, an example in \`test/controls/events.ts\`, and steps 5 to 7. A member that only some events of a version have (an optional one) is added to that version; it gets
an example among the \`variants\` of \`test/controls/events.ts\`, and steps 5 to 7.

Nodes of the release before park what they don't know ([why, and when a change must come in two releases](decisions/0028-unknown-events-are-parked.md)): they fold nothing of it, count it as \`intake_parked_events\`, and a release that
knows it fills the read models anew that have passed it.
`;
