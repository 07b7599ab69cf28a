/** The chapters of the document in order, each with the pattern of its paths. */
export const tags = [
  {
    name: 'Workflows',
    description: 'What the company may send in: which files a workflow takes, and which fields come of them.',
    of: /^\/api\/v1\/workflows(\/\{slug\}(\/versions.*)?)?$/,
  },
  {
    name: 'Sessions',
    description:
      'Open a session, put the files into object storage by the addresses that it gives, submit, and follow the job.',
    of: /^\/api\/v1\/(workflows\/.*\/sessions|jobs)/,
  },
  {
    name: 'Submissions',
    description: 'What came of the files, and what reviewers decide.',
    of: /^\/api\/v1\/submissions(?!.*fraud)/,
  },
  {
    name: 'Fraud',
    description: 'What looks like something that was sent in before, and what reviewers make of it.',
    of: /fraud-matches/,
  },
  {
    name: 'Batches',
    description: 'Sessions that were opened with the same `batchRef`.',
    of: /^\/api\/v1\/batches/,
  },
  {
    name: 'Webhooks and events',
    description: 'Try a receiver, look at deliveries and repeat them, or pull the same events.',
    of: /^\/api\/v1\/(webhook|events)/,
  },
  { name: 'Companies', description: 'Whose key it is.', of: /^\/api\/v1\/companies/ },
  {
    name: 'Invitations',
    description: 'How an invited administrator becomes a user. No key is needed: the token is the key.',
    of: /^\/api\/invitation/,
  },
  {
    name: 'Administration',
    description: 'Session tokens of administrators, and the agent that drafts workflows.',
    of: /^\/api\/(auth|internal)/,
  },
  { name: 'Service', description: 'Served beside the API, without an API key.', of: /^\// },
] as const;

/** The chapter of an operation: the first whose pattern matches its path. */
export const tagOf = (path: string): string => tags.find(({ of }) => of.test(path))?.name ?? 'Service';
