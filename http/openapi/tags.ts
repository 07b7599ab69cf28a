/** The tags of the document in order, each with the guide that explains it and the pattern of its paths. */
export const tags = [
  {
    name: 'Workflows',
    description:
      'The workflows of the company: the files that each accepts, and the fields that it extracts.',
    guide: 'workflows',
    of: /^\/api\/v1\/workflows(?!.*\/sessions)/,
  },
  {
    name: 'Sessions',
    description:
      'Open a session, upload the files to object storage at the addresses that it gives, submit, and poll the job.',
    guide: 'integrating#sending-files',
    of: /^\/api\/v1\/(workflows\/.*\/sessions|jobs)/,
  },
  {
    name: 'Submissions',
    description: 'The results of processing, and the decisions of reviewers.',
    guide: 'integrating#deciding-on-what-you-saw',
    of: /^\/api\/v1\/(submissions|redactions)(?!.*(fraud|\/claim))/,
  },
  {
    name: 'Review queue',
    description: 'What waits for a reviewer, and who is looking at what.',
    guide: 'reviewing',
    of: /^\/api\/v1\/(review-queue|submissions\/.*\/claim)/,
  },
  {
    name: 'Fraud',
    description: 'Similarities to earlier submissions, and their resolution by reviewers.',
    guide: 'integrating#fraud-matches',
    of: /fraud-matches/,
  },
  {
    name: 'Evaluations',
    description: 'A version of a workflow is tried on approved submissions before it is published.',
    guide: 'evaluation',
    of: /^\/api\/v1\/evaluations/,
  },
  {
    name: 'Batches',
    description: 'Sessions that were opened with the same `batchRef`.',
    guide: 'integrating#batches',
    of: /^\/api\/v1\/batches/,
  },
  {
    name: 'Webhooks and events',
    description: 'Test a receiver, list deliveries and send them again, or poll the same events.',
    guide: 'webhooks',
    of: /^\/api\/v1\/(webhook|events)/,
  },
  {
    name: 'Companies',
    description: 'The company of the caller.',
    guide: 'people#administering-a-company',
    of: /^\/api\/v1\/companies/,
  },
  {
    name: 'Keys and people',
    description: 'The API keys and the people of a company, for its administrators.',
    guide: 'people#administering-a-company',
    of: /^\/api\/v1\/(keys|people|invitations)/,
  },
  {
    name: 'Operations',
    description: 'How the service runs: read models, queues, nodes, parts; what stands still, and its retry.',
    guide: 'operating',
    of: /^\/api\/v1\/operations/,
  },
  {
    name: 'Invitations',
    description: 'How an invited person becomes a user. The token of the invitation replaces a key.',
    guide: 'people#from-an-invitation-to-a-session',
    of: /^\/api\/invitation/,
  },
  {
    name: 'Log-in',
    description: 'Log-ins of people, and their sessions.',
    guide: 'people',
    of: /^\/api\/auth/,
  },
  {
    name: 'Administration',
    description: 'The agent that drafts workflows, and documents that are read on trial.',
    guide: 'agent',
    of: /^\/api\/internal/,
  },
  {
    name: 'Service',
    description: 'Served beside the API, without an API key.',
    guide: 'operating',
    of: /^\//,
  },
] as const;

/** The tag of an operation: the first whose pattern matches its path. */
export const tagOf = (path: string): string => tags.find(({ of }) => of.test(path))?.name ?? 'Service';
