import { mutantsOf } from './mutant.ts';

/** Breakages of the rules that decide: domain, processing, projections, evidence. */
export const rulesBroken = [
  mutantsOf('domain/submission/transitions.ts', [
    ['lifecycle-1', 'synced: []', "synced: ['cancelled']"],
    ['lifecycle-10', "approved: ['synced']", "approved: ['synced', 'cancelled']"],
    ['lifecycle-11', 'rejected: []', "rejected: ['cancelled']"],
  ]),
  mutantsOf('domain/submission/guard.ts', [
    ['lifecycle-22', 'processedStatuses.includes(to);', "processedStatuses.includes(to) && to !== 'failed';"],
  ]),
  mutantsOf('domain/submission/result.ts', [
    ['lifecycle-12', 'state.droppedAttempt === attempt', 'true'],
    ['lifecycle-18', "fraudStatus === 'clean'", "fraudStatus !== 'blocked'"],
  ]),
  mutantsOf('domain/submission/session.ts', [
    ['sessions-11', "|| state.state === 'expired'", ''],
    ['lifecycle-8', 'command.at < state.expiresAt', 'command.at > state.expiresAt'],
  ]),
  mutantsOf('domain/submission/review.ts', [
    [
      'lifecycle-9',
      "'SubmissionNotInReview', ['review']",
      "'SubmissionNotInReview', ['review', 'processing']",
    ],
  ]),
  mutantsOf('domain/submission/fourEyes.ts', [
    ['review-11', 'by === undefined', 'true'],
    ['review-13', '.filter(({ field }) => !replaced.has(field))', ''],
    ['review-14', '&& one.id === other.id', '&& one.id !== other.id'],
    ['review-14', '&& person === personOf(other)', '&& false'],
    ['review-15', 'firstDecision?.outcome === outcome ? firstDecision : null', 'firstDecision'],
  ]),
  mutantsOf('projections/reviewQueue.ts', [
    [
      'review-queue-2',
      "path: 'confidence', direction: 'ascending'",
      "path: 'confidence', direction: 'descending'",
    ],
    ['review-queue-3', '(fraudStatus ? { fraudStatus } : {})', '{}'],
  ]),
  mutantsOf('commands/claimNext.ts', [
    ['review-queue-8', 'isSamePerson(firstDecision,', '!isSamePerson(firstDecision,'],
    ['review-queue-9', "status === 'review' &&", ''],
  ]),
  mutantsOf('domain/submission/fraudMatches.ts', [
    ['fraud-17', '!undecided.includes(state.status)', 'false'],
    ['fraud-19', 'match.resolution === resolution', 'false'],
    ['fraud-20', 'assessFraud(judged,', 'assessFraud(state.fraudMatches,'],
  ]),
  mutantsOf('domain/submission/fraud.ts', [
    ['fraud-10', 'score >= blockAt', 'score > blockAt'],
    ['fraud-22', "state.fraudStatus !== 'blocked' ||", "state.fraudStatus === 'blocked' ||"],
    ['fraud-25', '!policy?.requireResolution', '!policy'],
  ]),
  mutantsOf('domain/fraud/businessKey.ts', [
    ['fraud-3', ".normalize('NFKD')", ".normalize('NFC')"],
    ['fraud-4', '|| parts.some(([, value]) => value === null)', ''],
  ]),
  mutantsOf('projections/fraudIndex.ts', [
    ['fraud-7', 'SubmissionCancelled: remove', 'SubmissionCancelled: (entry) => entry'],
  ]),
  mutantsOf('domain/batch.ts', [
    ['batches-3', 'Number(firstProcessed)', 'Number(change.processed)'],
    ['batches-4', "moved('failed', 'capture_quality_blocked')", "moved('failed')"],
    ['batches-5', "to === 'cancelled' && !processed", "to === 'cancelled'"],
    ['batches-7', '>= batch.graceMs', '>= 0'],
  ]),
  mutantsOf('domain/slots.ts', [
    ['uploads-2', 'upload.fileLabels[index] ??', ''],
    ['uploads-3', 'used.has(label)', 'false'],
    ['uploads-4', 'fileSize > maxBytes(upload)', 'false'],
    ['formats-7', '1_048_576', '1_000_000'],
  ]),
  mutantsOf('domain/invitation.ts', [
    ['invitations-1', '72 * 3_600_000', '73 * 3_600_000'],
    ['invitations-3', "at >= state.expiresAt ? 'expired' : null", 'null'],
    ['invitations-11', 'state.revoked || state.email', 'state.email'],
    ['mails-3', '&& at < expiresAt', ''],
    ['mails-4', 'state.accepted === null && !state.revoked', 'true'],
  ]),
  mutantsOf('commands/invite.ts', [
    ['mails-1', 'token: byMail ? null : token', 'token'],
    ['mails-2', 'byMail ? mailedToken(id)', 'byMail ? id'],
  ]),
  mutantsOf('outbound/mail.ts', [
    ['mails-3', 'permanent && ABOUT_THE_MAIL.includes(command)', 'permanent'],
    ['mails-5', 'messageId: ', 'references: '],
    ['mails-6', 'requireTLS: !isTls && !isLocal', 'requireTLS: false'],
  ]),
  mutantsOf('telemetry/metrics.ts', [
    ['mails-7', 'mailed(event.data.nextAttemptAt === null', 'mailed(event.data.nextAttemptAt !== null'],
  ]),
  mutantsOf('domain/user.ts', [['keys-7', 'keyCompanyId !== companyId', 'false']]),
  mutantsOf('domain/outputJsonSchema.ts', [
    ['definitions-5', "type: [schema.type, 'null']", 'type: schema.type'],
  ]),
  mutantsOf('schemas/definitionProblems.ts', [['definitions-3', 'fileLabels.length > maxFiles', 'false']]),
  mutantsOf('domain/submission/forced.ts', [['test-mode-4', '!CHECKED.includes(outcome)', 'false']]),
  mutantsOf('commands/checkCorrections.ts', [['review-5', 'value === null', 'value === undefined']]),
  mutantsOf('runtime/settings/misspelt.ts', [['settings-2', 'word.length > 5 ? 2 : 1', '0']]),
  mutantsOf('processing/reviewReasons.ts', [
    ['lifecycle-17', 'extracted.confidence < reviewBelow', 'extracted.confidence <= reviewBelow'],
  ]),
  mutantsOf('kernel/event.ts', [['history-3', "rest.join('_')", "rest.join('.')"]]),
  mutantsOf('evidence/chain.ts', [['audit-3', 'metadata.prev === hashOf(before)', 'true']]),
].flat();
