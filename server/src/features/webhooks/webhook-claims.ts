import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { activePrincipals } from '../principals/active-principals.ts'
import type { SendOutcome } from './send-webhook.ts'
import { signingSecrets } from './webhook-secrets.ts'

/** A webhook that this run delivers to. Others leave it alone until the claim ends. */
export type ClaimedWebhook = {
  id: string
  claim_id: string
  computer_id: number | null
  principal_id: number
  position: number
  failures: number
}

const claimSeconds = 60
/** Attempts that are kept for each webhook. */
const maxDeliveries = 200
/** After this long without a success, the webhook is paused. */
const maxFailingDays = 3
const maxRetrySeconds = 3_600

/** 5 seconds after the first failure, then ten times as long, up to an hour. Nodes do not come all at once. */
export const retrySeconds = (failures: number) =>
  Math.min(maxRetrySeconds, 5 * 10 ** Math.min(failures, 4)) * (0.9 + Math.random() * 0.2)

/** Claims webhooks with undelivered events whose next attempt is due, those first that have waited since the earliest time. */
export async function claimWebhooks(db: Database, limit: number): Promise<ClaimedWebhook[]> {
  const { rows } = await sql<ClaimedWebhook>`
    update webhooks set claim_id = ${randomUUID()}, claimed_until = now() + make_interval(secs => ${claimSeconds})
    where id in (
      select id from webhooks
      where not is_paused and position < (select last_position from event_log)
        and coalesce(next_attempt_at <= now(), true) and (claim_id is null or claimed_until < now())
      order by claimed_until nulls first, id limit ${limit} for update skip locked)
    returning id, claim_id, computer_id, principal_id, position, failures`.execute(db)
  return rows
}

/** The condition that the run still has its claim. Another node takes over what takes too long. */
const isClaimed = ({ id, claim_id }: ClaimedWebhook) => sql<boolean>`id = ${id} and claim_id = ${claim_id}`

export type DeliverableWebhook = {
  url: string
  types: string[]
  /** The roles that its principal has now. Null if the principal is revoked or has expired. */
  roles: string[] | null
  /** The secrets that sign, the newest first. */
  sealedSecrets: Buffer[]
}

/** The webhook as it is now. Undefined if it is paused or deleted, or if the run has lost its claim. */
export async function findClaimedWebhook(
  db: Database,
  webhook: ClaimedWebhook,
): Promise<DeliverableWebhook | undefined> {
  const { rows } = await sql<DeliverableWebhook>`
    select webhooks.url, webhooks.types, principal.roles, array(${signingSecrets(sql`webhooks.id`)}) as "sealedSecrets"
    from webhooks left join ${activePrincipals} principal on principal.id = webhooks.principal_id
    where webhooks.id = ${webhook.id} and webhooks.claim_id = ${webhook.claim_id} and not webhooks.is_paused`.execute(
    db,
  )
  return rows[0]
}

/** Records that everything up to the position is delivered. Returns whether the run may continue. */
export async function advanceWebhook(db: Database, webhook: ClaimedWebhook, position: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update webhooks set position = ${position}, failures = 0, failing_since = null, next_attempt_at = null,
      claimed_until = now() + make_interval(secs => ${claimSeconds})
    where ${isClaimed(webhook)} and not is_paused`.execute(db)
  return Number(numAffectedRows) > 0
}

/** Records a failed attempt: the event is tried again later, or the webhook is paused. */
export async function recordWebhookFailure(
  db: Database,
  webhook: ClaimedWebhook,
  { status, error }: SendOutcome,
): Promise<void> {
  await sql`
    update webhooks set failures = failures + 1, failing_since = coalesce(failing_since, now()),
      next_attempt_at = now() + make_interval(secs => ${retrySeconds(webhook.failures)}),
      is_paused = is_paused or ${status === 410} or coalesce(failing_since < now() - make_interval(days => ${maxFailingDays}), false),
      pause_reason = case when ${status === 410} then 'The receiver answered 410: it wants no more events.'
        when failing_since < now() - make_interval(days => ${maxFailingDays})
        then 'Deliveries have failed for three days: ' || ${error ?? ''} else pause_reason end
    where ${isClaimed(webhook)}`.execute(db)
}

export async function pauseWebhook(db: Database, webhook: ClaimedWebhook, reason: string): Promise<void> {
  await sql`update webhooks set is_paused = true, pause_reason = ${reason} where ${isClaimed(webhook)}`.execute(db)
}

/** Ends the claim. Its end stays stored, because it decides who is next. */
export async function releaseWebhook(db: Database, webhook: ClaimedWebhook): Promise<void> {
  await sql`
    update webhooks set claim_id = null, claimed_until = clock_timestamp() where ${isClaimed(webhook)}`.execute(db)
}

export type DeliveryAttempt = SendOutcome & { position: number; type: string; attempt: number }

/** Adds the attempt to the log of deliveries, which keeps the last ones. */
export async function recordDelivery(db: Database, { id }: ClaimedWebhook, attempt: DeliveryAttempt): Promise<void> {
  const { position, type, status, error, durationMs } = attempt
  await sql`
    with outdated as (
      delete from webhook_deliveries where webhook_id = ${id} and id <= (
        select id from webhook_deliveries where webhook_id = ${id} order by id desc offset ${maxDeliveries - 1} limit 1)
    )
    insert into webhook_deliveries (webhook_id, position, type, attempt, status, error, duration_ms)
    select id, ${position}, ${type}, ${attempt.attempt}, ${status}::smallint, ${error}::text, ${durationMs}
    from webhooks where id = ${id}`.execute(db)
}
