import type { Database } from '../../database/connect.ts'
import { isLockTimeout, isSerializationConflict } from '../../database/errors.ts'
import { isRotationDue, offerCredential } from '../../features/agents/agent-credentials.ts'
import { secondsUntilNextContact } from '../../features/agents/next-contact.ts'
import { isQuarantined } from '../../features/enrolment/quarantine.ts'
import { leaseWork, type WorkRequester } from '../../features/hand-out/lease-work.ts'
import { resourceBusy } from '../../platform/general-problems.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, enumOf, Instant, nullable, type Static, sha256, Type, text, Uuid } from '../../platform/schema.ts'
import { agentUnauthorized } from './authenticate-agent.ts'
import { type AgentContactReport, type AgentContactRow, recordAgentContact } from './record-agent-contact.ts'
import { RunId, WorkOffer, WorkOrder } from './schemas.ts'

const Suspension = closed(
  {
    mode: enumOf(['Suspended', 'PresentationMode', 'MaintenanceMode'], { description: 'Why the agent is suspended' }),
    untilUtc: nullable({ ...Instant, description: 'End of the suspension; null when it is open-ended' }),
  },
  { title: 'AgentSuspension', description: 'While the agent is suspended it gets no work; null when it is not' },
)

const sectionHash = sha256('Hash of the section')

const Contact = closed(
  {
    runId: RunId,
    agentVersion: text(50, '0.1.0', 'Version of the agent'),
    platform: text(50, 'Linux', 'Platform of the computer'),
    environment: enumOf(['OperatingSystem', 'PreOs'], {
      description:
        'PreOs when the agent runs before an operating system is installed; it then gets only pre-OS packages',
    }),
    bootTimeUtc: { ...Instant, description: 'When the computer last started' },
    rebootRequired: Type.Boolean({ examples: [false], description: 'The operating system needs a reboot' }),
    rebootRequiredSource: nullable(text(255, 'linux-image', 'What requires the reboot')),
    suspension: nullable(Suspension),
    loggedOnUser: nullable(text(255, 'mia', 'User who is signed in')),
    ipAddress: nullable(text(45, '10.1.2.3', 'Address of the computer; null keeps the stored one')),
    settingsHash: nullable(text(64, sectionHash.examples[0], 'Hash of the settings that the agent runs with')),
    sections: Type.Unsafe<Record<string, string>>({
      type: 'object',
      propertyNames: { type: 'string', pattern: '^[A-Za-z]{1,50}$' },
      additionalProperties: { type: 'string', pattern: sectionHash.pattern },
      maxProperties: 50,
      examples: [{ system: sectionHash.examples[0] }],
      description: 'Hash of each inventory section that the agent has collected',
    }),
    wants: Type.Array(Uuid, { maxItems: 200, description: 'Optional packages that the user has requested' }),
    emptyHanded: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [true],
        description:
          'This process has none of the work that was handed to it. Work that it has not started is handed out again.',
      }),
    ),
    canRotateCredential: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [true],
        description: 'The agent replaces its credential when the answer offers another one',
      }),
    ),
  },
  { title: 'AgentContact' },
)

const Settings = closed(
  {
    hash: sha256('Hash of the settings; the agent reports it at its next contacts'),
    values: Type.Unsafe<Record<string, string | number | boolean>>({
      type: 'object',
      additionalProperties: { type: ['string', 'number', 'boolean'] },
      examples: [{ contactIntervalMinutes: 60 }],
      description: 'The settings of the effective agent template',
    }),
  },
  { title: 'AgentSettings', description: 'The settings to run with; null when the agent already has them' },
)

const ContactAnswer = closed(
  {
    serverTimeUtc: { ...Instant, description: 'Time of the server' },
    nextContactSeconds: Type.Number({ examples: [3480.5], description: 'Seconds until the next contact' }),
    settings: nullable(Settings),
    sections: Type.Array(text(50, 'system'), { description: 'Inventory sections that the agent must send' }),
    work: Type.Array(WorkOrder, { description: 'Work items that are leased to the agent, in the order to do them' }),
    offers: Type.Array(WorkOffer, { description: 'Optional packages that the user may request' }),
    credential: Type.Optional(
      Type.String({
        examples: ['agent-17.the-next-secret'],
        description:
          'The credential to use from now on. The agent stores it before it uses it; the current one ends when it does.',
      }),
    ),
    quarantined: Type.Optional(
      Type.Boolean({
        examples: [true],
        description: 'Set while the agent is in quarantine: it gets nothing until a person confirms it',
      }),
    ),
  },
  { title: 'AgentContactAnswer' },
)

export const reportContact = operation({
  id: 'reportContact',
  route: 'POST /agent/v1/contact',
  summary: 'Report the state of the computer and get work',
  description:
    'An agent calls this at the interval that the answer gives. Work that is due is leased to the agent unless it is suspended. The lease ends when the agent reports nothing about the work for leaseSeconds.',
  role: 'machine',
  checksCredential: true,
  bodyLimit: 65_536,
  body: Contact,
  returns: ok(ContactAnswer),
  problems: [resourceBusy],
  async handle({ body, db, machine, services }) {
    const { clientId, secretHash } = machine
    const row = secretHash && (await recordAgentContact(db, toReport(body, clientId, secretHash)))
    if (!row && secretHash && (await isQuarantined(db, { clientId, secretHash }))) return answerInQuarantine()
    if (!row || !secretHash) throw agentUnauthorized()
    if (!row.is_recorded) throw resourceBusy().withHeaders({ 'retry-after': '2' })
    const { work, offers, isLocked } =
      row.is_due && !isSuspended(body) ? await leaseUnlessLocked(db, toRequester(body, clientId, row)) : noWork
    const { keys, configuration, pressure } = services
    const isOffered =
      body.canRotateCredential === true && isRotationDue(row.secret_issued_at, configuration.credentialRotationDays)
    const credential = isOffered ? await offerCredential(db, keys, { clientId, secretHash }) : undefined
    return {
      serverTimeUtc: new Date(),
      nextContactSeconds: isLocked
        ? secondsAfterLock()
        : secondsUntilNextContact(row.interval, row.next_work_at, pressure),
      settings: row.settings && { hash: row.settings_hash, values: row.settings },
      sections: row.sections,
      work,
      offers,
      ...(credential !== undefined && { credential }),
    }
  },
})

const secondsInQuarantine = 300

/** An agent in quarantine asks again now and then, and notices its confirmation. Nothing that it reports is stored. */
function answerInQuarantine() {
  const nothing = { settings: null, sections: [], work: [], offers: [] }
  return { serverTimeUtc: new Date(), nextContactSeconds: secondsInQuarantine, ...nothing, quarantined: true }
}

type ContactBody = Static<typeof Contact>

const noWork = { work: [], offers: [], isLocked: false }

/**
 * The contact is recorded already, so that a lock on the work, for example by an activation, does not fail it: the agent
 * gets no work and comes back soon.
 */
async function leaseUnlessLocked(db: Database, requester: WorkRequester) {
  try {
    const leased = await db.transaction().execute((transaction) => leaseWork(transaction, requester))
    return { ...leased, isLocked: false }
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

function toRequester({ runId, environment, wants, emptyHanded }: ContactBody, clientId: number, row: AgentContactRow) {
  return {
    clientId,
    runId,
    hasComeBack: row.has_come_back,
    isEmptyHanded: emptyHanded === true,
    environment,
    requestedPackages: wants,
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
    is_empty_handed: body.emptyHanded === true,
  }
}
