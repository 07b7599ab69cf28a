import { mutantsOf } from './mutant.ts';

/** Breakages at the edges: HTTP, webhooks, stores, credentials. */
export const edgesBroken = [
  mutantsOf('domain/webhookEvents.ts', [
    ['webhooks-5', 'batchRef: state.batchRef', 'batch: state.batchRef'],
    ['webhooks-8', "&& event.data.to === 'review'", "&& event.data.to === 'rejected'"],
    [
      'webhooks-9',
      "eventType.startsWith('session.') ? unlessRedacted(state.result) : null",
      'unlessRedacted(state.result)',
    ],
    ['webhooks-10', "SessionExpired: 'submission.cancelled'", 'SessionExpired: null'],
    ['webhooks-33', 'eventId: event.id,', 'eventId: event.metadata.$correlationId,'],
    [
      'batches-13',
      "result: { batchRef, status: 'completed', counts, createdAt, completedAt }",
      'result: null',
    ],
  ]),
  mutantsOf('kernel/searchWords.ts', [
    ['search-1', "replace(/\\p{M}/gu, '')", "replace(/\\p{M}/gu, '_')"],
    ['search-2', 'values.push(value);', ''],
  ]),
  mutantsOf('kernel/searchRanges.ts', [
    ['search-6', 'const digits = amountDigits(', 'const digits = amountDigits(1 + '],
    ['search-6', "sign === '' || sign === '+' ? 1 : -1", '1'],
    ['search-7', 'to.kind !== kind', 'false'],
    ['search-7', 'least > greatest', 'false'],
  ]),
  mutantsOf('projections/submissionWords.ts', [
    ['search-6', '.flatMap(rangeWords)', '.map(String)'],
    ['search-1', '...Object.values(fileNames),', ''],
    ['search-1', 'details?.comment', 'details?.nothing'],
    ['subjects-1', 'member.slice(name.length + 1)', 'member.slice(name.length)'],
    [
      'subjects-2',
      '[metadataWord(name, String(value))]',
      '[metadataWord(name, String(value)), String(value)]',
    ],
  ]),
  mutantsOf('http/routes/submissions.ts', [
    ['search-3', '...page, words)', '...page, page[1] ? [] : words)'],
  ]),
  mutantsOf('http/routes/subjectRedactions.ts', [
    ['subjects-6', 'clientSubmissionId || metadata', 'true'],
    ['subjects-10', 'found.companyId === caller.companyId', 'true'],
  ]),
  mutantsOf('commands/redactSubject.ts', [
    ['subjects-6', 'await log.head(), waits', 'null, waits'],
    ['subjects-9', "nameOf('subject', companyId, mode, named)", 'named'],
  ]),
  mutantsOf('reactors/redactSubjects.ts', [
    ['subjects-7', "err.name === 'LegalHold'", 'false'],
    ['subjects-8', 'redacted.state?.redactionId !== redactionId', 'false'],
    ['subjects-8', 'actor: request.metadata.actor', "actor: { kind: 'system', id: 'redaction' }"],
  ]),
  mutantsOf('projections/subjectRedactions.ts', [
    ['subjects-7', 'document.done >= document.requested', 'true'],
  ]),
  mutantsOf('http/routes/evaluations.ts', [
    ['evaluations-1', '(await workflows.find(companyId, slug)) === null', 'false'],
    ['evaluations-13', 'document.companyId === caller.companyId', 'true'],
  ]),
  mutantsOf('http/routes/evaluationReports.ts', [
    ['evaluations-11', 'changed.includes(name)', 'true'],
    ['evaluations-12', 'report(found, query.maxWrong)', 'report(found, 1)'],
  ]),
  mutantsOf('commands/requestEvaluation.ts', [
    ['evaluations-2', '.slice(0, size)', ''],
    ['evaluations-5', '!isRedacted', 'true'],
    ['evaluations-18', 'createdAfter: createdAt', 'createdAfter: null'],
  ]),
  mutantsOf('reactors/runEvaluation.ts', [
    ['evaluations-3', 'machineValue]', 'null]'],
    ['evaluations-4', 'await ports.documentsWait()', 'false'],
    ['evaluations-6', 'state.left.slice(0, STEP)', 'state.left.slice(1, STEP)'],
  ]),
  mutantsOf('domain/evaluation/evaluation.ts', [
    ['evaluations-7', "state?.status === 'running' || state?.status === 'paused'", 'state'],
    ['evaluations-18', '!known.has(id)', 'true'],
    ['evaluations-18', 'after === 0 && isDrawn(state)', 'after === 0'],
  ]),
  mutantsOf('projections/evaluations.ts', [
    ['evaluations-8', 'read: before.read + comparisons.length', 'read: before.read'],
  ]),
  mutantsOf('domain/evaluation/report.ts', [
    ['evaluations-12', 'isWrong: !isRight(read)', 'isWrong: false'],
    ['evaluations-9', "read.verdict === 'wrong').length", "read.verdict === 'missing').length"],
  ]),
  mutantsOf('domain/evaluation/gate.ts', [
    ['evaluations-16', 'wrong <= maxWrong * approved', 'wrong <= approved'],
    ['evaluations-16', '!tried.isSame', 'false'],
    ['evaluations-16', 'documents < set.size', 'false'],
    ['evaluations-17', '...{ maxWrong, forcedBecause }', '...{ maxWrong, forcedBecause: null }'],
  ]),
  mutantsOf('domain/workflow.ts', [['evaluations-15', 'gate ? refusalOf(gate, tried) : null', 'null']]),
  mutantsOf('domain/evaluation/judge.ts', [
    ['evaluations-10', '{ name, verdict: verdictOf', '{ name, found, verdict: verdictOf'],
  ]),
  mutantsOf('schemas/listFilters.ts', [
    ['search-4', 'length <= MAX_WORDS', 'length <= 9'],
    ['search-7', 'fault === null && ', ''],
  ]),
  mutantsOf('stores/documents/sqlite/words.ts', [['search-6', "join(' OR ')", "join(' AND ')"]]),
  mutantsOf('stores/documents/sqlite/writes.ts', [
    ['search-5', '!changesWords(written.write)', 'true'],
    ['subjects-3', '!changesWords(written.write)', 'true'],
  ]),
  mutantsOf('cli/api/evaluate.ts', [['evaluations-14', 'evaluationText(answer)', "''"]]),
  mutantsOf('cli/evaluateFolder.ts', [['evaluations-19', '!isRight(field)', 'isRight(field)']]),
  mutantsOf('cli/api/subjects.ts', [
    ['subjects-4', 'job.held.length + job.failed.length > 0', 'false'],
    ['subjects-5', "await add('events.json', events);", ''],
  ]),
  mutantsOf('domain/webhookUrl.ts', [
    ['webhooks-28', 'b >= 16 && b <= 31', 'b >= 16 && b <= 30'],
    ['webhooks-29', '\\.internal$|', ''],
    ['webhooks-30', "parsed.username !== '' ||", ''],
    ['webhooks-31', '\\d+$/.test(host)', '\\d+/.test(host)'],
  ]),
  mutantsOf('domain/retrySchedule.ts', [
    ['webhooks-16', '300_000, 1_800_000', '300_000, 3_600_000'],
    ['sync-2', 'length: 24', 'length: 23'],
  ]),
  mutantsOf('runtime/settings/table.ts', [
    ['webhooks-16', "RETRY_DELAYS_MS.map(durationText).join(',')", "'1s,2s,3s'"],
  ]),
  mutantsOf('outbound/sign.ts', [
    ['webhooks-1', "'X-Webhook-Timestamp': timestamp", "'X-Webhook-Timestamp': String(at.getTime())"],
    ['webhooks-2', "update(body).digest('hex')", "update(body).digest('base64')"],
    ['webhooks-3', "'webhook-id': id", "'webhook-id': timestamp"],
    ['extractors-4', "'Idempotency-Key': submissionId", "'Idempotency-Key': id"],
  ]),
  mutantsOf('outbound/send.ts', [
    ['webhooks-15', 'ATTEMPT_MS = 10_000', 'ATTEMPT_MS = 60_000'],
    ['webhooks-23', 'ANSWER_LIMIT = 65_536', 'ANSWER_LIMIT = 655_360'],
    ['deliveries-3', 'durationMs: durationMs(), error: statusText', 'durationMs: 0, error: statusText'],
    ['deliveries-9', 'KEPT_BYTES = 2_048', 'KEPT_BYTES = 4_096'],
  ]),
  mutantsOf('outbound/testReceiver.ts', [
    ['webhook-tests-1', '{ type: TEST_EVENT_TYPE, timestamp', "{ type: 'webhook.tested', timestamp"],
    ['webhook-tests-2', 'TEST_MS = 5_000', 'TEST_MS = 9_000'],
  ]),
  mutantsOf('http/engine/access/apiKeys.ts', [
    ['keys-3', 'if (revokedAt !== null)', 'if (false)'],
    ['visibility-4', 'companyId === null', 'false'],
  ]),
  mutantsOf('stores/credentials.ts', [['keys-11', 'Date.parse(expiresAt) <= at.getTime()', 'false']]),
  mutantsOf('http/routes/caller.ts', [
    ['people-13', 'caller.companyId === null || caller.companyId === companyId', 'true'],
  ]),
  mutantsOf('http/routes/review.ts', [
    ['fields-20', 'Object.hasOwn(body.corrections ?? {}, field)', 'true'],
    ['fields-20', 'file.fileId === fileId', 'true'],
    ['fields-20', 'box.left <= box.right', 'true'],
  ]),
  mutantsOf('http/routes/offices.ts', [
    ['keys-10', 'own !== null && companyId !== own', 'false'],
    ['people-15', 'if (caller.companyId !== null)', 'if (false)'],
  ]),
  mutantsOf('http/routes/keys.ts', [
    [
      'keys-13',
      'companyId === null ? list(size, after) : listOf(companyId, size, after)',
      'list(size, after)',
    ],
  ]),
  mutantsOf('http/routes/issued.ts', [['idempotency-13', '|| found.mailing !== null', '|| true']]),
  mutantsOf('http/engine/access/credentials.ts', [
    ['problems-5', "'WWW-Authenticate': 'Bearer'", "'WWW-Authenticate': 'Basic'"],
  ]),
  mutantsOf('domain/permissions.ts', [
    ['agent-1', "platform = ['super_admin']", "platform = ['super_admin', 'org_admin']"],
    ['operations-15', "platform = ['super_admin']", "platform = ['super_admin', 'org_admin']"],
    ['companies-4', 'keys: false, roles: platform', 'keys: false, roles: administrators'],
  ]),
  mutantsOf('kernel/scrub.ts', [
    ['operations-15', `text.replace(QUOTED, '"[redacted]"')`, 'text'],
    ['operations-15', ".replace(EMAIL, '[redacted]')", ''],
  ]),
  mutantsOf('projections/engine/status.ts', [
    ['operations-16', 'Math.round((count * 10) / seconds) / 10', '0'],
  ]),
  mutantsOf('projections/engine/tasks/tasks.ts', [
    ['operations-17', 'task.projections.some((name) => projections.includes(name))', 'false'],
  ]),
  mutantsOf('projections/engine/tasks/run.ts', [['operations-17', 'if (task.cancelling)', 'if (false)']]),
  mutantsOf('reactors/engine/setAside.ts', [
    ['operations-18', 'await removeRow(tables, SET_ASIDE, key)', ''],
  ]),
  mutantsOf('telemetry/nodes.ts', [['operations-19', 'SILENT_MS = 30_000', 'SILENT_MS = 60_000']]),
  mutantsOf('runtime/operations.ts', [
    ['operations-20', '.filter(({ stoppedAt }) => stoppedAt === null)', ''],
  ]),
  mutantsOf('telemetry/figures.ts', [
    ['operations-21', 'own.length === 0 ? byCount(() => null) : sum', 'sum'],
    ['operations-21', 'Math.max(items, one[name] ?? 0)', 'items'],
  ]),
  mutantsOf('telemetry/metrics/instruments.ts', [
    ['metrics-20', 'counter.inc(labels, 0)', 'counter.remove(labels)'],
  ]),
  mutantsOf('telemetry/quantile.ts', [['operations-21', 'rank - below', 'rank']]),
  mutantsOf('http/engine/access/caller.ts', [
    ['idempotency-6', '[caller.userId, caller.companyId, caller.mode]', '[caller.userId, caller.companyId]'],
  ]),
  mutantsOf('http/engine/access/cors.ts', [
    ['agent-2', 'if (!origins.has(origin))', 'if (false)'],
    ['people-3', "site === 'same-origin' || site === 'none'", 'true'],
  ]),
  mutantsOf('http/engine/serve.ts', [['idempotency-14', 'submissionNamedBy(Object(answer?.body))', 'null']]),
  mutantsOf('stores/documents/sqlite/moveKeys.ts', [
    ['sealing-1', 'VACUUM; PRAGMA wal_checkpoint(TRUNCATE)', ''],
    ['sealing-1', 'ON CONFLICT DO NOTHING', 'ON CONFLICT DO UPDATE SET body = excluded.body'],
  ]),
  mutantsOf('stores/keyring/keyring.ts', [
    ['sealing-2', 'elapsedMs() - readAt >= REFRESH_MS', 'false'],
    ['sealing-2', 'insert(NAMING, own ?? randomBytes', 'insert(NAMING, randomBytes'],
  ]),
  mutantsOf('stores/keyring/rotate.ts', [
    ['sealing-2', 'roots.replace();', ''],
    ['sealing-3', 'some(({ rotatedAt }) => rotatedAt === null)', 'some(() => false)'],
  ]),
  mutantsOf('stores/keyring/kms.ts', [
    ['sealing-4', 'refused || unset', 'true'],
    ['sealing-4', 'status >= 400 && status < 429', 'status >= 400 && status < 400'],
  ]),
  mutantsOf('commands/forgetAgain.ts', [
    ['sealing-5', 'await keys.destroyAgain([...back]);', ''],
    ['sealing-5', 'objects.removeAll(prefix, keys)', 'objects.removeAll(prefix)'],
    ['sealing-5', 'await redact(submissionId, redactedBefore, context());', ''],
  ]),
  mutantsOf('stores/idempotency/records.ts', [
    ['idempotency-7', '24 * 3_600_000', '25 * 3_600_000'],
    ['idempotency-14', "{ kind: 'redacted' }", "{ kind: 'otherBody' }"],
  ]),
  mutantsOf('http/engine/access/countedWindows.ts', [
    ['limits-1', 'exceeded: count > points', 'exceeded: count > points + 5'],
  ]),
  mutantsOf('http/engine/access/rateLimits.ts', [
    ['logins-21', 'if (remaining === 0)', 'if (remaining < 0)'],
    ['logins-21', 'if (exceeded)', 'if (false)'],
    ['webhook-tests-6', 'limit: 10,', 'limit: 11,'],
    ['limits-6', 'limit: 100,', 'limit: 101,'],
  ]),
  mutantsOf('http/engine/request/body.ts', [
    ['requests-13', "{ value: {}, text: '{}' }", "{ value: null, text: 'null' }"],
    ['requests-15', 'MAX_BYTES = 256 * 1024', 'MAX_BYTES = 257 * 1024'],
  ]),
  mutantsOf('http/engine/request/paging.ts', [['paging-5', '!== filterHash(filters)', '=== 0']]),
  mutantsOf('http/engine/request/idempotency.ts', [
    ['idempotency-5', '\\x7e]{1,255}$/', '\\x7e]{1,512}$/'],
    ['idempotency-1', "path.startsWith('/api/v1/')", "path.startsWith('/api/v2/')"],
    ['idempotency-8', '401, 403, 429, 500, 503', '403, 429, 500, 503'],
  ]),
  mutantsOf('http/engine/request/parameters.ts', [
    ['requests-2', 'getAll(name).length > 1', 'getAll(name).length > 2'],
  ]),
  mutantsOf('http/engine/request/preconditions.ts', [
    ['conditions-2', 'tags.includes(entityTag(revision).ETag)', 'tags.length > 0'],
  ]),
  mutantsOf('http/engine/identify.ts', [
    ['requests-5', '{1,128}', '{1,256}'],
    ['requests-18', "startsWith('https:')", "startsWith('ftp:')"],
  ]),
  mutantsOf('http/engine/compress.ts', [
    ['reads-5', "method === 'HEAD'", 'false'],
    ['reads-5', '!isSharedWithPages(state.path)', 'true'],
    ['reads-5', 'bytes > MIN_BYTES', 'true'],
  ]),
  mutantsOf('http/engine/files.ts', [
    ['console-4', 'HASHED.test(template)', 'false'],
    ['console-4', "(takes(request['accept-encoding'], 'br') && brotli)", 'brotli'],
  ]),
  mutantsOf('http/console/language.ts', [
    ['console-1', '[chosen, ...liked]', 'liked'],
    ['console-1', '.filter(([, weight]) => weight > 0)', ''],
    ['console-1', 'other - one', 'one - other'],
    ['console-1', "name.split('-')[0]", 'name'],
  ]),
  mutantsOf('http/engine/pages.ts', [['pages-10', 'camera=()', 'camera=(self)']]),
  mutantsOf('http/engine/access/cookies.ts', [['logins-23', "pathname === '/'", "pathname !== '/'"]]),
  mutantsOf('http/engine/problems/problem.ts', [
    ['problems-8', 'requestId, retryable, ...members', 'requestId, ...members'],
  ]),
  mutantsOf('http/routes/caller.ts', [['test-mode-1', '&& mode === caller.mode', '']]),
  mutantsOf('http/routes/events.ts', [
    ['feed-4', 'page.items.length > 0', 'true'],
    ['feed-5', 'from !== null && query.cursor !== null', 'false'],
  ]),
  mutantsOf('http/routes/jobs.ts', [['visibility-2', 'stored?.startsWith(', 'stored?.concat(']]),
  mutantsOf('http/routes/sessions.ts', [
    ['sessions-8', '&& state.routing.workflow.slug === parameters.slug', ''],
  ]),
  mutantsOf('http/routes/fraud.ts', [
    ['fraud-16', 'actorText(actorOf(caller))', "'key'"],
    ['people-10', 'actorFaults(caller, body)', '[]'],
  ]),
  mutantsOf('http/routes/caller.ts', [
    ['people-11', '{ companyId: caller.companyId, mode: caller.mode }', '{ companyId: caller.companyId }'],
  ]),
  mutantsOf('schemas/parameters.ts', [
    ['paging-2', 'Math.min(100,', 'Math.min(200,'],
    ['file-pages-3', 'Math.min(2_400,', 'Math.min(4_800,'],
  ]),
  mutantsOf('commands/claims.ts', [
    ['review-queue-10', 'other.remainingMs - one.remainingMs', 'one.remainingMs - other.remainingMs'],
  ]),
  mutantsOf('http/routes/batches.ts', [['batches-15', '{ ...givenFilters(filters), ...own }', '{ ...own }']]),
  mutantsOf('http/routes/deliveries.ts', [
    ['deliveries-7', '{ ...givenFilters(filters), ...own }', '{ ...own }'],
  ]),
  mutantsOf('projections/failingReceivers.ts', [
    ['deliveries-11', "status: 'failed', createdAfter", "status: 'delivered', createdAfter"],
    ['deliveries-21', '({ companyId, mode, receiver }) =>', '({ receiver: companyId, mode, receiver }) =>'],
  ]),
  mutantsOf('cli/webhooks.ts', [
    ['deliveries-20', '...(receiver !== undefined && { receiver }),', ''],
    ['deliveries-20', '...(companyId !== undefined && { companyId }),', ''],
  ]),
  mutantsOf('projections/deliveryFromLog.ts', [['deliveries-10', 'data.private.body', 'data.private.url']]),
  mutantsOf('projections/engine/built.ts', [['operations-22', 'projection.name === name', 'false']]),
  mutantsOf('projections/apiKeys.ts', [['cli-5', 'MAX_OPEN_SESSIONS = 100', 'MAX_OPEN_SESSIONS = 1_000']]),
  mutantsOf('commands/evidenceExports.ts', [['audit-7', '.toReversed()', '']]),
  mutantsOf('runtime/evidence.ts', [
    ['audit-4', 'await requireExportable(portsOf(requireKey()), submissionId, closing);', ''],
  ]),
  mutantsOf('http/routes/evidence.ts', [
    ['audit-4', 'MAX_AT_ONCE = 3', 'MAX_AT_ONCE = 30'],
    ['audit-4', 'await ports.limit(userId);', ''],
    ['audit-5', 'await ports.exports.record(submission.routing, key.id, context);', ''],
    ['audit-5', 'if (request.headOnly)', 'if (false)'],
    ['audit-6', "path: '/api/v1/evidence-key'", "path: '/api/v1/evidence-keys'"],
  ]),
  mutantsOf('http/routes/queuePage.ts', [
    ['figures-4', 'mode, actor: actorOf(caller).id, createdAfter', 'mode, createdAfter'],
    ['figures-4', 'createdAfter === null', 'true'],
  ]),
  mutantsOf('http/routes/workflowDefinitions.ts', [
    ['workflows-9', 'companyId === null ? catalog.list(size, after)', 'true ? catalog.list(size, after)'],
    ['workflows-10', 'Number(last), size)', 'found.version + 1, size)'],
    ['workflows-11', 'shown = role ===', 'shown = role !=='],
  ]),
  mutantsOf('http/routes/publishWorkflow.ts', [
    ['workflows-12', "pick(body, 'version', ", 'pick(body, '],
    ['workflows-13', "faultsUnder('/definition',", "faultsUnder('',"],
    ['workflows-14', 'assigned ? ports.assignWorkflow', '!assigned ? ports.assignWorkflow'],
  ]),
  mutantsOf('agent/draftWorkflow.ts', [['agent-9', "by: 'rules'", "by: 'model'"]]),
  mutantsOf('http/routes/filePages.ts', [
    ['file-pages-4', "default-src 'none'; sandbox;", "default-src 'none';"],
    ['file-pages-6', "'private, no-cache'", "'private'"],
    ['words-4', "const headers = { ...tag, 'Cache-Control': SHOWN['Cache-Control'] }", 'const headers = tag'],
    ['words-4', 'words === null', 'false'],
  ]),
  mutantsOf('processing/keptWords.ts', [
    ['words-1', "split('\\n')[page - 1]", "split('\\n')[page]"],
    ['words-3', '!kept', 'false'],
    ['words-5', '.catch((err) =>', '.then((err) =>'],
    ['words-6', 'redaction !== null', 'false'],
  ]),
  mutantsOf('reactors/processSubmissions.ts', [['words-6', 'await ports.words.drop(item.id)', '']]),
  mutantsOf('domain/pageWords.ts', [['words-2', 'MAX_WORDS = 3_000', 'MAX_WORDS = 3_001']]),
  mutantsOf('processing/placedWords.ts', [
    ['words-1', 'left: round(left)', 'left: round(top)'],
    ['words-2', 'text.length <= MAX_WORD_LENGTH', 'true'],
  ]),
  mutantsOf('stores/objects/sealed.ts', [['words-6', "Buffer.from(sealed, 'base64')", 'bytes']]),
  mutantsOf('domain/workflowSettings.ts', [
    [
      'workflows-21',
      'reviewBelow: reviewBelow ?? processing.reviewBelow',
      'reviewBelow: processing.reviewBelow',
    ],
    ['workflows-21', 'review: review ?? processing.review', 'review: processing.review'],
  ]),
  mutantsOf('processing/reviewReasons.ts', [
    ['workflows-21', 'own.length === 0 ? extracted.confidence', 'true ? extracted.confidence'],
  ]),
  mutantsOf('http/routes/companyWorkflow.ts', [
    ['workflows-20', '{ ...noWorkflowSettings, ...body }', '{ ...noWorkflowSettings }'],
    ['workflows-22', "'workflows.adjust'", "'workflows.inspect'"],
  ]),
  mutantsOf('schemas/companyWorkflow.ts', [['workflows-22', '!known.has(one)', 'false']]),
  mutantsOf('processing/tryFile.ts', [
    ['workflows-19', 'running >= TRYING.concurrency', 'false'],
    ['workflows-15', 'index === 0 || ', ''],
    ['workflows-17', "checked.kind !== 'checked'", 'false'],
  ]),
  mutantsOf('http/routes/workflowTrial.ts', [
    ['workflows-15', "reviewReasons.length > 0 ? 'review'", "reviewReasons.length > 9 ? 'review'"],
    ['workflows-16', "'/api/internal/workflow-trials'", "'/api/v1/workflow-trials'"],
    ['workflows-17', 'fileSize > MAX_TRIED', 'false'],
    ['workflows-18', 'companyId === null || ', 'true || '],
    ['workflows-23', '{ ...noWorkflowSettings, ...settings }', 'noWorkflowSettings'],
    ['workflows-23', 'unknownFields(settings, complete.outputSchema)', '[]'],
  ]),
  mutantsOf('processing/showPages.ts', [['file-pages-5', 'MAX_WAITING = 64', 'MAX_WAITING = 640']]),
  mutantsOf('processing/picture/pixels.ts', [
    ['file-pages-2', 'options(source.page)).autoOrient();', 'options(source.page));'],
  ]),
  mutantsOf('processing/draw/pagesOf.ts', [['file-pages-1', 'page: index + 1', 'page: index']]),
  mutantsOf('schemas/unsafeJson.ts', [['requests-17', '!Number.isSafeInteger(value)', 'false']]),
  mutantsOf('schemas/sessionRules.ts', [['sessions-4', '16 * 1024', '17 * 1024']]),
  mutantsOf('stores/credentials.ts', [
    ['keys-4', "hash('sha256', plaintext)", 'plaintext'],
    ['keys-5', 'TOUCH_MS = 60_000', 'TOUCH_MS = 0'],
  ]),
].flat();
