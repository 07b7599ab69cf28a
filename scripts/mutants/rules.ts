import { mutantsOf } from './mutant.ts';

/** Breakages of the rules that decide: domain, processing, projections, evidence. */
export const rulesBroken = [
  mutantsOf('domain/submission/transitions.ts', [
    ['lifecycle-1', 'synced: []', "synced: ['cancelled']"],
    ['lifecycle-10', "approved: ['synced']", "approved: ['synced', 'cancelled']"],
    ['lifecycle-11', 'rejected: []', "rejected: ['cancelled']"],
    ['redaction-5', "'created', 'processing', 'review'", "'created', 'processing'"],
  ]),
  mutantsOf('domain/retention.ts', [
    ['retention-1', 'isEnforced: false', 'isEnforced: true'],
    ['retention-3', 'Object.hasOwn(workflows, slug) ?', 'false ?'],
    ['retention-4', 'return sessionDays;', 'return submissionDays;'],
  ]),
  mutantsOf('schemas/retention.ts', [['retention-2', 'maximum: days,', 'maximum: days + 1,']]),
  mutantsOf('projections/companies.ts', [['retention-1', 'where: { [enforced]: true }', 'where: {}']]),
  mutantsOf('projections/retained.ts', [
    ['retention-3', 'now.getTime() + 1)', 'now.getTime())'],
    ['retention-4', "before && { ...before, kind: 'submission' }", 'before'],
    ['retention-5', '.sort(byDueSince)', ''],
    ['retention-7', 'isHeld === undefined || where.isHeld === isHeld', 'true'],
  ]),
  mutantsOf('reactors/redactRetained.ts', [['retention-6', 'retention.perDay - count', 'wanted']]),
  mutantsOf('domain/submission/entry.ts', [
    ['lifecycle-23', '[name, null]', "[name, '']"],
    ['review-19', ', unreadStatuses)', ')'],
  ]),
  mutantsOf('domain/submission/guard.ts', [
    ['lifecycle-22', 'processedStatuses.includes(to);', "processedStatuses.includes(to) && to !== 'failed';"],
  ]),
  mutantsOf('domain/apiKey.ts', [
    ['keys-11', 'found.rotation !== null', 'false'],
    ['keys-15', '[createdBy, ...madeBefore]', '[createdBy]'],
  ]),
  mutantsOf('projections/apiKeys.ts', [
    ['people-22', '(!expiresAt || expiresAt > at) &&', ''],
    ['people-22', '!mayCreateKey(office, key.companyId)', 'true'],
    ['people-22', '(companyId === null || key.companyId === companyId) &&', ''],
  ]),
  mutantsOf('projections/webhookEndpoints.ts', [
    ['endpoints-7', '=> from < position', '=> from !== position'],
    ['endpoints-7', 'document.disabledAt === null ? document.eventTypes : NONE', 'document.eventTypes'],
  ]),
  mutantsOf('projections/endpointHealth.ts', [
    ['endpoints-15', '|| data.notSent || document', '|| data.notSent'],
    ['endpoints-15', 'data.error === null || data.notSent', 'data.error === null'],
    ['endpoints-15', 'failingSince && !data.notSent', 'failingSince'],
    ['endpoints-15', 'failed: document.failed + 1', 'failed: document.failed'],
  ]),
  mutantsOf('evidence/export.ts', [['audit-2', '...(byEvent.get(id) ?? []).map((one) => one.id)', '']]),
  mutantsOf('reactors/forgetBatches.ts', [
    ['batches-16', 'found.named > 0', 'true'],
    ['batches-16', 'await ports.destroyKey(batchId, cause.id)', 'undefined'],
  ]),
  mutantsOf('evidence/certificate.ts', [
    ['certificate-1', 'Date.parse(at) + COPIES_DAYS', 'Date.parse(at) + 1'],
    ['certificate-2', '!requested || !done', '!requested'],
    ['certificate-2', '!(await isDestroyed(submissionId))', 'false'],
    ['certificate-2', 'if (await files.head(key))', 'if (false)'],
    ['certificate-3', "'object storage'", 'JSON.stringify(opened)'],
  ]),
  mutantsOf('evidence/verify/certificate.ts', [
    ['certificate-4', '!(await key.holds(', 'false && !(await key.holds('],
    ['certificate-4', 'certificate.key !== key.id', 'false'],
  ]),
  mutantsOf('evidence/web/certificate.ts', [['certificate-7', 'isCertificate(text) ?', 'false ?']]),
  mutantsOf('evidence/verify/redaction.ts', [
    ['certificate-5', 'gone.has(fileId)', 'true'],
    ['certificate-6', 'if (!request)', 'if (false)'],
  ]),
  mutantsOf('cli/writeCollection.ts', [
    ['audit-8', '...(until !== null && { createdBefore: until }),', ''],
    ['audit-8', '...{ companyId, mode },', 'companyId,'],
  ]),
  mutantsOf('evidence/collection/packaged.ts', [
    ['audit-9', 'manifest.submission.lastHash === hashOf(last)', 'true'],
    ['audit-9', 'findings.length === 0 ? manifest : null', 'manifest'],
    ['audit-11', 'if (!isRefusal(error))', 'if (true)'],
  ]),
  mutantsOf('evidence/collection/folder.ts', [['audit-9', 'if (UNFINISHED.test(name))', 'if (false)']]),
  mutantsOf('evidence/collection/verify.ts', [
    ['audit-10', 'isListed ? []', 'true ? []'],
    ['audit-10', 'key.holds(Buffer.from(text), bytes)', 'true'],
    ['audit-10', 'index.list.sha256 === sha256', 'true'],
    ['audit-10', '![INDEX, INDEX_SIGNATURE, LIST].includes(name)', 'false'],
  ]),
  mutantsOf('evidence/verify/manifest.ts', [['audit-3', '!ids.has(eventIdOf(id)) ||', '']]),
  mutantsOf('projections/users.ts', [['logins-24', 'items.length > 0', 'items.length >= 0']]),
  mutantsOf('projections/feed.ts', [['feed-4', 'items.length === MAX_EVENTS', 'false']]),
  mutantsOf('commands/disableFailing.ts', [
    ['endpoints-15', 'failed < MIN_FAILED', 'failed > MIN_FAILED'],
    ['endpoints-15', ' < disableAfterMs', ' < 0'],
  ]),
  mutantsOf('domain/endpointNotices.ts', [['endpoints-16', 'attempts !== null)', 'attempts === undefined)']]),
  mutantsOf('commands/webhookEndpoints.ts', [
    ['endpoints-6', 'done.position)) >= MAX_ENDPOINTS)', 'done.position)) < 0)'],
  ]),
  mutantsOf('stores/endpointSecrets.ts', [
    ['endpoints-5', 'until === null || until > at', 'until === null'],
    ['endpoints-5', 'kept.until < until ? kept', 'kept.until > until ? kept'],
  ]),
  mutantsOf('reactors/deliverWebhooks.ts', [
    ['endpoints-12', "retrySchedule === 'extended' ? EXTENDED_DELAYS_MS : retryDelaysMs", 'retryDelaysMs'],
    [
      'webhooks-16',
      '{ url, secrets: [key.hash], delaysMs }',
      '{ url, secrets: [key.hash], delaysMs: [1e3] }',
    ],
  ]),
  mutantsOf('domain/webhookEndpoint.ts', [
    ['endpoints-13', '!endpoint || endpoint.isDeleted', '!endpoint'],
    ['endpoints-13', 'endpoint.disabled === null ?', 'true ?'],
  ]),
  mutantsOf('commands/giveUpDeliveries.ts', [
    ['endpoints-13', 'error === null', 'error !== null'],
    ['endpoints-13', 'found.items.map(giveUp)', '[]'],
  ]),
  mutantsOf('http/routes/endpointActions.ts', [['endpoints-2', 'found.mode === caller.mode', 'true']]),
  mutantsOf('domain/submission/result.ts', [
    ['lifecycle-12', 'state.droppedAttempt === attempt', 'true'],
    ['lifecycle-18', "fraudStatus === 'clean'", "fraudStatus !== 'blocked'"],
  ]),
  mutantsOf('domain/submission/redaction.ts', [
    ['redaction-2', 'state.redaction !== null', "state.redaction === 'done'"],
    ['hold-1', 'refuseHeld(state);', ''],
    ['retention-6', '|| underWay.includes(state.status)', ''],
    ['retention-7', 'state.legalHold !== null ||', ''],
    ['hold-2', 'legalHold: null }),', 'legalHold: state.legalHold }),'],
  ]),
  mutantsOf('domain/submission/redactedState.ts', [
    ['redaction-3', '...redactedEcho,', ''],
    ['redaction-3', "state.status === 'rejected' ? REDACTED : null", 'state.rejectReason'],
  ]),
  mutantsOf('reactors/redactSubmissions.ts', [
    ['redaction-6', 'await ports.destroyKey(id, document.cause.causationId);', ''],
    ['redaction-6', 'objects.removeAll(prefix, keys)', '0'],
  ]),
  mutantsOf('domain/webhookDelivery.ts', [
    ['redaction-6', 'if (isRedacted)', "if (present(state).url === REDACTED && status !== 'pending')"],
    ['redaction-11', '(isRedacted && facts', '(false && facts'],
  ]),
  mutantsOf('commands/redeliver.ts', [['redaction-11', 'Boolean(told?.redaction)', 'false']]),
  mutantsOf('commands/forgetDelivery.ts', [
    ['redaction-8', 'await destroyKey(redactionSubject(submissionId), last.id);', ''],
    ['redaction-8', 'await compact?.();', ''],
  ]),
  mutantsOf('commands/requestDelivery.ts', [
    ['redaction-7', "request && event.type !== 'SubmissionRedacted'", 'false'],
  ]),
  mutantsOf('domain/submission/submission.ts', [['redaction-4', "Approve: 'refused'", "Approve: 'none'"]]),
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
    ['review-18', 'values.set(field, humanValue)', 'values.set(field, field)'],
    ['fields-21', 'place && { place }', '{}'],
  ]),
  mutantsOf('domain/submission/fourEyes.ts', [
    ['review-11', 'if (by === undefined', 'if (true'],
    ['review-13', '.filter(({ field }) => !replaced.has(field))', ''],
    ['review-14', '&& one.id === other.id', '&& one.id !== other.id'],
    ['review-14', 'people.includes(person)', 'false'],
    ['review-20', '[keyCreatedBy, ...keyMadeBefore]', '[keyCreatedBy]'],
    ['review-21', 'first.includes(resetBy)', 'false'],
    ['review-21', 'first.includes(invitedBy)', 'true'],
    ['review-15', 'firstDecision?.outcome === outcome ? firstDecision : null', 'firstDecision'],
  ]),
  mutantsOf('domain/submission/teamwork.ts', [
    ['team-4', 'aheadMs > 0 &&', ''],
    ['team-4', 'aheadMs <= MAX_POSTPONED_DAYS * DAY_MS', 'true'],
    ['team-2', 'state.assignee === assignee', 'true'],
  ]),
  mutantsOf('commands/teamwork.ts', [
    ['team-2', "permissionsOf(found.role).includes('submissions.decide')", 'true'],
    ['team-2', 'found.companyId === companyId', 'true'],
    ['team-2', 'found.disabledAt !== null', 'false'],
  ]),
  mutantsOf('http/routes/queuePage.ts', [
    ['team-3', "assigned !== 'others' ||", 'true ||'],
    ['team-3', "assigned === 'mine' ? own : null", 'null'],
    ['team-4', "postponed === 'with' ||", 'true ||'],
  ]),
  mutantsOf('http/routes/reviewQueue.ts', [
    ['team-3', '!isOfAnother(document, userId) &&', ''],
    ['team-4', '!isPostponed(document, now);', 'true;'],
  ]),
  mutantsOf('projections/submissions.ts', [
    ['team-1', '(document.notes ?? []).map((note) => ({ ...note, text: REDACTED }))', 'document.notes'],
  ]),
  mutantsOf('projections/reviewFigures.ts', [
    ['figures-1', 'since !== null && until === null', 'until === null'],
    ['figures-1', 'Math.ceil(sorted.length * share) - 1', 'Math.floor(sorted.length * share)'],
    ['figures-2', 'approved: own.length', 'approved: facts.length'],
  ]),
  mutantsOf('commands/reviewSubmission.ts', [['figures-8', "&& state.routing.mode === 'live'", '']]),
  mutantsOf('telemetry/approvedValues.ts', [
    ['figures-8', 'corrected.length - correctedSure.length', 'corrected.length'],
  ]),
  mutantsOf('telemetry/metrics/table.ts', [['figures-8', "known.has(slug) ? slug : 'other'", 'slug']]),
  mutantsOf('domain/evaluation/checked.ts', [
    [
      'figures-5',
      '!isRight({ verdict: verdictOf({ truth, found }) })',
      "verdictOf({ truth, found }) !== 'exact'",
    ],
    ['figures-5', 'doubted.includes(field)', 'false'],
    ['figures-5', 'attempt > 0 &&', ''],
  ]),
  mutantsOf('domain/evaluation/drift.ts', [
    ['figures-5', '.getUTCDay() + 6)', '.getUTCDay())'],
    [
      'figures-6',
      'intervalOf(approvedAutomatically, approvals.length)',
      'intervalOf(approved, approvals.length)',
    ],
    ['figures-7', 'now.to < then.from &&', 'now.share < then.share ||'],
    ['figures-7', '&& upperBound(...countOf(tallies), ALPHA) < then.from', ''],
    ['figures-7', '&& isWorse(all.slice(n), all.slice(0, n))', ''],
  ]),
  mutantsOf('projections/label.ts', [
    ['labels-1', 'value.toFixed(2)', 'value.toFixed(3)'],
    ['labels-1', "line === '' ? [] :", ''],
    ['labels-3', 'fileName ?? given ??', 'given ?? fileName ??'],
    ['labels-3', 'clientSubmissionId === REDACTED ? null : clientSubmissionId', 'clientSubmissionId'],
    ['labels-3', 'isAmount(type))?.name', '!isAmount(type))?.name'],
  ]),
  mutantsOf('domain/workflow.ts', [['labels-2', 'required.length > 0 ? required : plain', 'outputSchema']]),
  mutantsOf('schemas/definitionProblems.ts', [
    ['labels-2', "isValid('/outputSchema') && isValid('/list')", 'false'],
  ]),
  mutantsOf('http/routes/submissions.ts', [['labels-4', ': labelOf(idOf(part))', ': null']]),
  mutantsOf('projections/reviewQueue.ts', [
    [
      'review-queue-2',
      "path: 'confidence', direction: 'ascending'",
      "path: 'confidence', direction: 'descending'",
    ],
    ['review-queue-3', 'conditions(filters)', 'conditions({ ...filters, fraudStatus: undefined })'],
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
  mutantsOf('fieldTypes/string.ts', [['fraud-3', ".normalize('NFKD')", ".normalize('NFC')"]]),
  mutantsOf('domain/fraud/businessKey.ts', [['fraud-4', '|| parts.some(([, value]) => value === null)', '']]),
  mutantsOf('projections/fraudIndex.ts', [
    ['fraud-7', 'SubmissionCancelled: remove', 'SubmissionCancelled: (entry) => entry'],
  ]),
  mutantsOf('domain/batch.ts', [
    ['batches-3', 'Number(firstProcessed)', 'Number(change.processed)'],
    ['batches-4', "moved('failed', 'capture_quality_blocked')", "moved('failed')"],
    ['batches-5', "to === 'cancelled' && !processed", "to === 'cancelled'"],
    ['batches-7', '>= batch.graceMs', '>= 0'],
  ]),
  mutantsOf('domain/outputTypes.ts', [['client-5', "required ? '' : '?'", "''"]]),
  mutantsOf('client/retry.ts', [
    ['client-2', 'askedMs + random', 'random'],
    ['client-2', '2 ** attempt', '1'],
  ]),
  mutantsOf('client/submit.ts', [
    ['client-3', 'idempotencyKey ?? crypto.randomUUID()', 'crypto.randomUUID()'],
  ]),
  mutantsOf('client/verifyWebhook.ts', [
    ['client-4', '<= TOLERANCE_MS', '<= TOLERANCE_MS * 2'],
    ['client-4', "throw invalid('none of its signatures is of this secret and this body');", ''],
  ]),
  mutantsOf('domain/slots.ts', [
    ['uploads-2', 'upload.fileLabels[index] ??', ''],
    ['uploads-3', 'used.has(label)', 'false'],
    ['uploads-4', 'fileSize > maxBytes(upload)', 'false'],
    ['uploads-21', 'fileSize === null || fileSize <= LARGE_FILE', 'true'],
    ['uploads-26', 'return { form: true }', 'return {}'],
    ['formats-7', '1_048_576', '1_000_000'],
  ]),
  mutantsOf('domain/fileParts.ts', [['uploads-22', 'checksum !== undefined', 'false']]),
  mutantsOf('commands/openSession.ts', [['uploads-21', 'url: null, headers', "url: '', headers"]]),
  mutantsOf('commands/uploadParts.ts', [
    ['uploads-23', 'uploaded.has(partNumber)', 'false'],
    ['uploads-24', 'missing.length > 0', 'false'],
  ]),
  mutantsOf('commands/checkUpload.ts', [['uploads-25', '!(parts || form)', 'true']]),
  mutantsOf('stores/objects/embedded/origins.ts', [['uploads-27', '!origins.has(origin)', 'false']]),
  mutantsOf('domain/invitation.ts', [
    ['invitations-1', 'INVITATION_HOURS = 72', 'INVITATION_HOURS = 73'],
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
    ['mails-7', "nextAttemptAt === null ? 'failed'", "nextAttemptAt !== null ? 'failed'"],
  ]),
  mutantsOf('domain/apiKey.ts', [['keys-7', 'keyCompanyId === companyId', 'true']]),
  mutantsOf('domain/outputJsonSchema.ts', [
    ['definitions-5', "type: [schema.type, 'null']", 'type: schema.type'],
  ]),
  mutantsOf('domain/outputJsonSchema.ts', [['tables-2', 'required ? { minItems: 1 } : {}', '{}']]),
  mutantsOf('schemas/fieldValues.ts', [
    ['tables-3', 'value.length > MAX_ROWS', 'value.length > 2 * MAX_ROWS'],
    ['tables-4', 'faultIf(required, pointer', 'faultIf(false, pointer'],
  ]),
  mutantsOf('processing/fields/table.ts', [
    ['tables-5', 'cells[name]?.confidence ?? 0', 'cells[name]?.confidence ?? 1'],
    ['tables-7', 'balance.isEven === false', 'false'],
  ]),
  mutantsOf('processing/fields/tableRows.ts', [['tables-6', 'SUMS.has(unspaced(caption))', 'false']]),
  mutantsOf('schemas/definitionProblems.ts', [
    ['definitions-3', 'fileLabels.length > maxFiles', 'false'],
    ['tables-1', "named?.type === 'table'", 'false'],
  ]),
  mutantsOf('domain/submission/forced.ts', [['test-mode-4', '!CHECKED.includes(outcome)', 'false']]),
  mutantsOf('commands/checkCorrections.ts', [['review-5', 'value === null', 'value === undefined']]),
  mutantsOf('runtime/settings/misspelt.ts', [['settings-2', 'word.length > 5 ? 2 : 1', '0']]),
  mutantsOf('processing/read/ocr/modelFiles.ts', [['reader-1', 'actual !== expected', 'false']]),
  mutantsOf('runtime/serve.ts', [['reader-2', '{ ...limits, modelFolder }', 'limits']]),
  mutantsOf('runtime/checkReader.ts', [['reader-3', '[null, ownFolder]', '[null, null]']]),
  mutantsOf('processing/read/pdf/openPage.ts', [['reader-4', 'isSuspect ? await look() : null', 'null']]),
  mutantsOf('processing/read/pdf/suspicion.ts', [
    ['reader-4', 'luminance > LIGHT', 'false'],
    ['reader-4', 'texts.some((text) => !isApart(text, painted))', 'false'],
  ]),
  mutantsOf('processing/reviewReasons.ts', [
    ['lifecycle-17', '(confidence < reviewBelow ?', '(confidence <= reviewBelow ?'],
  ]),
  mutantsOf('kernel/event.ts', [['history-3', "rest.join('_')", "rest.join('.')"]]),
  mutantsOf('evidence/chain.ts', [['audit-3', 'metadata.prev === hashOf(before)', 'true']]),
].flat();
