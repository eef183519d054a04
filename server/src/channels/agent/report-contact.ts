import type { IncomingHttpHeaders } from 'node:http'
import type { Database } from '../../database/connect.ts'
import { isLockTimeout, isSerializationConflict } from '../../database/errors.ts'
import { isRotationDue, offerCredential } from '../../features/agents/agent-credentials.ts'
import { secondsUntilNextContact } from '../../features/agents/next-contact.ts'
import { recordProgress } from '../../features/deployments/reports/record-progress.ts'
import {
  type ResultOutcome,
  recordReportedResults,
} from '../../features/deployments/reports/record-reported-results.ts'
import { findQuarantinedAgent } from '../../features/enrolment/quarantine.ts'
import { leaseWorkTogether } from '../../features/hand-out/lease-together.ts'
import { leaseWork, type WorkRequester } from '../../features/hand-out/lease-work.ts'
import { takeOffers } from '../../features/hand-out/take-offers.ts'
import { resourceBusy } from '../../platform/general-problems.ts'
import { recordContact } from '../../platform/load/record-contact.ts'
import { ok, operation } from '../../platform/operation.ts'
import type { Static } from '../../platform/schema.ts'
import { agentUnauthorized } from './authenticate-agent.ts'
import { beginWithinSeconds, Contact, ContactAnswer } from './contact-schemas.ts'
import { claimTurn } from './hand-out-turns.ts'
import { type AgentContactReport, type AgentContactRow, recordAgentContact } from './record-agent-contact.ts'
import { exchangeUpcoming } from './upcoming-work.ts'
import { addContent } from './work-content.ts'

export const reportContact = operation({
  id: 'reportContact',
  route: 'POST /agent/v1/contact',
  summary: 'Report the state of the computer and get work',
  description:
    'An agent calls this at the interval that the answer gives. Work that is due is leased to the agent unless it is suspended. While more agents ask for work than the service can serve, an agent gets none and the time of its turn in nextContactSeconds. The lease ends when the agent reports nothing about the work for leaseSeconds.',
  role: 'machine',
  execution: { kind: 'Contact' },
  bodyLimit: 131_072,
  body: Contact,
  returns: ok(ContactAnswer),
  problems: [resourceBusy],
  async handle({ body, db, machine, services, request }) {
    const { clientId, secretHash } = machine
    const row = secretHash && (await recordContact(() => recordAgentContact(db, toReport(body, clientId, secretHash))))
    const quarantined = row || !secretHash ? undefined : await findQuarantinedAgent(db, { clientId, secretHash })
    if (quarantined) return answerInQuarantine(quarantined.confirmedFor, request.headers)
    if (!row || !secretHash) throw agentUnauthorized()
    const { keys, configuration, pressure, handOutTurns } = services
    // Before the hand-out: what has succeeded may be required by other work.
    const reports = await recordReports(db, clientId, body)
    const requester = toRequester(body, clientId, row)
    const lease = () => leaseUnlessLocked(db, requester)
    const mayLease = row.is_due && !isSuspended(body) && !reports.isLocked
    // Not in the turn: an agent whose turn is later would not ask again.
    if (mayLease) await recordContact(() => takeOffers(db, requester))
    const turn = mayLease
      ? await handOutTurns.run((offered) => claimTurn(db, clientId, offered), lease)
      : { result: { ...noWork, isLocked: reports.isLocked } }
    const { work, offers, nextWindowAt, isLocked } = turn.result ?? noWork
    const handedOut = body.canStartAtContact ? await addContent(db, keys, clientId, work) : { work }
    const upcoming = await exchangeUpcoming(db, clientId, body, row)
    const isOffered =
      body.canRotateCredential === true && isRotationDue(row.secret_issued_at, configuration.credentialRotationDays)
    const credential = isOffered ? await offerCredential(db, keys, { clientId, secretHash }) : undefined
    return {
      serverTimeUtc: new Date(),
      nextContactSeconds: isLocked
        ? secondsAfterLock()
        : Math.min(
            turn.secondsToTurn ?? Number.POSITIVE_INFINITY,
            secondsUntilNextContact(
              {
                interval: row.interval,
                nextWorkAt: earlierOf(row.next_work_at, nextWindowAt),
                isCallable: body.connected === true && !row.is_due,
              },
              pressure,
            ),
          ),
      settings: row.settings && { hash: row.settings_hash, values: row.settings },
      sections: row.sections,
      ...handedOut,
      ...upcoming,
      offers,
      ...(body.canStartAtContact && { beginWithinSeconds }),
      ...reports.answer,
      ...(credential !== undefined && { credential }),
    }
  },
})

const secondsInQuarantine = 300
const secondsAfterConfirmation = 5

/**
 * An agent in quarantine asks again now and then, and notices its confirmation. Nothing that it reports is stored. If it was
 * confirmed for a computer other than the one in its credential, it gets the credential with the id of that computer.
 */
function answerInQuarantine(confirmedFor: number | null, { authorization = '' }: IncomingHttpHeaders) {
  const nothing = { settings: null, sections: [], work: [], offers: [] }
  const answer = { serverTimeUtc: new Date(), ...nothing }
  if (confirmedFor === null) return { ...answer, nextContactSeconds: secondsInQuarantine, quarantined: true }
  const credential = authorization.replace(/^.*agent-\d+/, `agent-${confirmedFor}`)
  return { ...answer, nextContactSeconds: secondsAfterConfirmation, credential }
}

type ContactBody = Static<typeof Contact>

const noWork = { work: [], offers: [], nextWindowAt: null, isLocked: false }

function earlierOf(a: Date | null, b: Date | null): Date | null {
  return a && b ? new Date(Math.min(a.getTime(), b.getTime())) : (a ?? b)
}

/**
 * The contact is recorded already, so a lock on the work, for example by an activation, does not fail it: the agent
 * gets no work and comes back soon.
 */
async function leaseUnlessLocked(db: Database, requester: WorkRequester) {
  try {
    const leased = await leaseWorkTogether(db, requester)
    if (leased === 'Locked') return { ...noWork, isLocked: true }
    if (leased !== 'Alone') return { ...leased, isLocked: false }
    const alone = await db.transaction().execute((transaction) => leaseWork(transaction, requester))
    return { ...alone, isLocked: false }
  } catch (error) {
    if (!isLockTimeout(error) && !isSerializationConflict(error)) throw error
    return { ...noWork, isLocked: true }
  }
}

/** Random, because an activation may lock the work of many agents at once. */
const secondsAfterLock = () => Math.round(50 + 100 * Math.random()) / 10

function isSuspended({ suspension }: ContactBody): boolean {
  return suspension !== null && (suspension.untilUtc === null || suspension.untilUtc > new Date())
}

type RecordedResult = { workId: number; outcome: Exclude<ResultOutcome['outcome'], 'Locked'> }

const isRecorded = (receipt: ResultOutcome): receipt is RecordedResult => receipt.outcome !== 'Locked'

/** Records what the agent reports about its work. */
async function recordReports(db: Database, clientId: number, { results, inProgress }: ContactBody) {
  const receipts = await recordReportedResults(db, clientId, results ?? [], { waitsForLocks: false })
  const progress = inProgress ? await recordProgress(db, clientId, inProgress) : new Map()
  const withdrawn = [...progress].filter(([, outcome]) => outcome !== 'Leased').map(([workId]) => workId)
  return {
    /** An agent whose result is not recorded gets no work: it could get again what it has done. */
    isLocked: !receipts.every(isRecorded),
    answer: {
      ...(results && { results: receipts.filter(isRecorded) }),
      ...(inProgress && { withdrawn }),
    },
  }
}

function toRequester(
  { runId, environment, wants, emptyHanded, inProgress = [] }: ContactBody,
  clientId: number,
  row: AgentContactRow,
): WorkRequester {
  return {
    clientId,
    runId,
    isDuplicateProcess: row.is_duplicate_process,
    hasNoLeasedWork: emptyHanded === true,
    environment,
    requestedPackages: wants,
    itemsInProgress: inProgress.length,
  }
}

function toReport(body: ContactBody, clientId: number, secretHash: Buffer): AgentContactReport {
  return {
    client_id: clientId,
    secret_hash: secretHash.toString('hex'),
    run_id: body.runId,
    version: body.agentVersion,
    platform: body.platform,
    boot_at: body.bootTimeUtc,
    is_reboot_required: body.rebootRequired,
    reboot_required_source: body.rebootRequiredSource,
    suspension_mode: body.suspension?.mode ?? null,
    suspended_until: body.suspension?.untilUtc ?? null,
    logged_on_user: body.loggedOnUser,
    ip_address: body.ipAddress,
    settings_hash: body.settingsHash,
    sections: body.sections,
    has_no_leased_work: body.emptyHanded === true,
  }
}
