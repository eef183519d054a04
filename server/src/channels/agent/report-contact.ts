import { nextContactSeconds } from '../../features/agents/next-contact.ts'
import { leaseWork } from '../../features/deployments/lease-work.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, enumOf, Instant, nullable, type Static, Type, text, Uuid } from '../../platform/schema.ts'
import { agentUnauthorized } from './authenticate-agent.ts'
import { type ContactRow, recordContact } from './record-agent-contact.ts'
import { RunId, Sha256, WorkOffer, WorkOrder } from './schemas.ts'

const Suspension = closed(
  {
    mode: enumOf(['Suspended', 'PresentationMode', 'MaintenanceMode']),
    untilUtc: nullable(Instant),
  },
  { title: 'AgentSuspension' },
)

const Contact = closed(
  {
    runId: RunId,
    agentVersion: text(50, '0.1.0'),
    platform: text(50, 'Linux'),
    environment: enumOf(['OperatingSystem', 'PreOs']),
    bootTimeUtc: Instant,
    rebootRequired: Type.Boolean({ examples: [false] }),
    rebootRequiredSource: nullable(text(255, 'linux-image')),
    suspension: nullable(Suspension),
    loggedOnUser: nullable(text(255, 'mia')),
    ipAddress: nullable(text(45, '10.1.2.3')),
    settingsHash: nullable(text(64, Sha256.examples[0])),
    sections: Type.Unsafe<Record<string, string>>({
      type: 'object',
      propertyNames: { type: 'string', pattern: '^[A-Za-z]{1,50}$' },
      additionalProperties: { type: 'string', pattern: Sha256.pattern },
      maxProperties: 50,
      examples: [{ system: Sha256.examples[0] }],
      description: 'The hash of each section of the inventory that the agent has',
    }),
    wants: Type.Array(Uuid, { maxItems: 200, description: 'Optional packages that a user asked for' }),
    emptyHanded: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [true],
        description:
          'The agent has nothing left of what this process was handed: work that it did not begin comes again',
      }),
    ),
  },
  { title: 'AgentContact' },
)

const Settings = closed(
  {
    hash: Sha256,
    values: Type.Unsafe<Record<string, string | number | boolean>>({
      type: 'object',
      additionalProperties: { type: ['string', 'number', 'boolean'] },
      examples: [{ contactIntervalMinutes: 60 }],
    }),
  },
  { title: 'AgentSettings' },
)

const ContactAnswer = closed(
  {
    serverTimeUtc: Instant,
    nextContactSeconds: Type.Number({ examples: [3480.5] }),
    settings: nullable({ ...Settings, description: 'Null when the agent has them' }),
    sections: Type.Array(text(50, 'system'), { description: 'Sections of the inventory that the agent is to send' }),
    work: Type.Array(WorkOrder, { description: 'In the order in which it is to be done' }),
    offers: Type.Array(WorkOffer),
  },
  { title: 'AgentContactAnswer' },
)

export const reportContact = operation({
  id: 'reportContact',
  route: 'POST /agent/v1/contact',
  summary: 'Say how the computer is, and learn what is to be done',
  description: 'Work is handed out while the agent is not suspended. It is the agent’s until its lease runs out.',
  role: 'machine',
  checksCredential: true,
  bodyLimit: 65_536,
  body: Contact,
  returns: ok(ContactAnswer),
  async handle({ body, db, machine, services }) {
    const { clientId, secretHash } = machine
    const row = secretHash && (await recordContact(db, said(body, clientId, secretHash)))
    if (!row) throw agentUnauthorized()
    const { work, offers } =
      row.is_due && !isSuspended(body)
        ? await db.transaction().execute((transaction) => leaseWork(transaction, takerOf(body, clientId, row)))
        : { work: [], offers: [] }
    return {
      serverTimeUtc: new Date(),
      nextContactSeconds: nextContactSeconds(row.interval, row.next_work_at, services.pressure),
      settings: row.settings && { hash: row.settings_hash, values: row.settings },
      sections: row.sections,
      work,
      offers,
    }
  },
})

type ContactBody = Static<typeof Contact>

function isSuspended({ suspension }: ContactBody): boolean {
  return suspension !== null && (suspension.untilUtc === null || suspension.untilUtc > new Date())
}

function takerOf({ runId, environment, wants, emptyHanded }: ContactBody, clientId: number, row: ContactRow) {
  return {
    clientId,
    runId,
    hasComeBack: row.has_come_back,
    isEmptyHanded: emptyHanded === true,
    environment,
    wants,
  }
}

function said(body: ContactBody, clientId: number, secretHash: Buffer) {
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
