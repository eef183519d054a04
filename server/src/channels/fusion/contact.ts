import type { FastifyReply, FastifyRequest } from 'fastify'
import { secondsUntilNextContact } from '../../features/agents/next-contact.ts'
import { sendJson, sendXml } from './answers.ts'
import { type FusionContext, inTurnOf } from './context.ts'
import { admitDevice } from './devices/admit-device.ts'
import type { DeviceContactRow } from './devices/record-device-contact.ts'
import { keyOfSender, type Sender } from './devices/sender.ts'
import { findSenderRefusal } from './jobs/refusals.ts'
import { refuseDueWork } from './jobs/refuse-due-work.ts'
import type { AgentReport } from './messages/read-report.ts'
import { fullInventoryNeeded } from './problems.ts'

const minSeconds = 5
/** An agent with work comes back earlier, for the rest of the work and to report what the work has changed. */
const maxSecondsWithWork = 300

const supportedTasks = ['inventory', 'deploy']

/**
 * Answers the first message of an agent in XML. A GLPI agent is asked to continue in JSON once its computer is known: an
 * inventory in XML is always a full one, even if the one before was refused.
 */
export async function answerProlog(
  context: FusionContext,
  sender: Sender,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const speaksJson = sender.agentIdHash !== null
  // A GLPI agent without any task to do sends this after its contact in JSON, and does nothing with the answer.
  if (sender.kind === 'GLPI' && !speaksJson) return sendXml(request, reply, { RESPONSE: 'OTHER' })
  const contact = await recordContact(context, sender, { hasInventoryTask: true, canRepeat: speaksJson })
  if (speaksJson && contact.is_bound && !contact.has_gap) return sendJson(request, reply, { status: 'pending' })
  return sendXml(request, reply, {
    RESPONSE: contact.is_asked ? 'SEND' : 'OTHER',
    PROLOG_FREQ: (secondsUntilNext(context, contact) / 3600).toFixed(5),
  })
}

/**
 * Answers the first message of an agent in JSON. When an inventory got lost, the agent is sent back to XML, in which it
 * sends a full inventory.
 */
export async function answerContact(
  context: FusionContext,
  sender: Sender,
  { tasks }: AgentReport,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const contact = await recordContact(context, sender, {
    hasInventoryTask: tasks?.includes('inventory') ?? true,
    canRepeat: false,
  })
  if (contact.has_gap) throw fullInventoryNeeded()
  const wanted = [...(contact.is_asked ? ['inventory'] : []), ...(contact.has_due_work ? ['deploy'] : [])]
  const offered = Object.fromEntries(supportedTasks.map((task) => [task, { server: 'glpi', version: '10.0.17' }]))
  return sendJson(request, reply, {
    status: 'ok',
    expiration: formatExpiration(context, contact),
    tasks: offered,
    disabled: [...new Set([...(tasks ?? []), ...supportedTasks])].filter((task) => !wanted.includes(task)),
  })
}

/** Records the contact. If the device cannot get jobs, its due work fails with the reason. */
async function recordContact(
  context: FusionContext,
  sender: Sender,
  tasks: { hasInventoryTask: boolean; canRepeat: boolean },
): Promise<DeviceContactRow> {
  return inTurnOf(context, keyOfSender(sender), async () => {
    const contact = await admitDevice(context, sender, tasks)
    const refusal = contact.has_due_work ? findSenderRefusal(sender) : undefined
    if (refusal === undefined) return contact
    await refuseDueWork(context.db, contact.id, refusal)
    return { ...contact, has_due_work: false }
  })
}

function formatExpiration(context: FusionContext, contact: DeviceContactRow): string {
  return `${Math.round(secondsUntilNext(context, contact))}s`
}

function secondsUntilNext({ services }: FusionContext, contact: DeviceContactRow): number {
  const seconds = secondsUntilNextContact(
    { interval: contact.interval, nextWorkAt: contact.next_work_at, isCallable: false },
    services.pressure,
  )
  const limited = contact.has_due_work ? Math.min(seconds, maxSecondsWithWork * (1 + Math.random())) : seconds
  return Math.max(minSeconds, limited)
}
