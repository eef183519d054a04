import type { FastifyReply, FastifyRequest } from 'fastify'
import { nextContactSeconds } from '../../features/agents/next-contact.ts'
import { sendJson, sendXml } from './answers.ts'
import type { Channel } from './context.ts'
import { contactOf } from './devices/admit-device.ts'
import type { ContactRow } from './devices/record-device-contact.ts'
import type { Sender } from './devices/sender.ts'
import type { Report } from './messages/read-report.ts'
import { fullInventoryNeeded } from './problems.ts'

const shortestSeconds = 5
/** An agent with work in hand comes back to tell of what is left, and what the work has changed. */
const secondsWithWork = 300

const ourTasks = ['inventory', 'deploy']

/** The first word of an agent in XML. One that can do more is asked to say it in JSON. */
export async function answerProlog(
  channel: Channel,
  sender: Sender,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isNative = request.headers['glpi-agent-id'] !== undefined
  const contact = await contactOf(channel, sender, { hasInventoryTask: true, onlyGreets: isNative })
  if (isNative && !contact.has_gap) return sendJson(request, reply, { status: 'pending' })
  return sendXml(request, reply, {
    RESPONSE: contact.is_asked ? 'SEND' : 'OTHER',
    PROLOG_FREQ: (secondsUntilNext(channel, contact) / 3600).toFixed(5),
  })
}

/** The first word of an agent in JSON. Where something is missing, it is sent back to XML, in which it sends everything. */
export async function answerContact(
  channel: Channel,
  sender: Sender,
  { tasks }: Report,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const contact = await contactOf(channel, sender, {
    hasInventoryTask: tasks?.includes('inventory') ?? true,
    onlyGreets: false,
  })
  if (contact.has_gap) throw fullInventoryNeeded()
  const wanted = [...(contact.is_asked ? ['inventory'] : []), ...(contact.has_due_work ? ['deploy'] : [])]
  const offered = Object.fromEntries(ourTasks.map((task) => [task, { server: 'glpi', version: '10.0.17' }]))
  return sendJson(request, reply, {
    status: 'ok',
    expiration: expirationOf(channel, contact),
    tasks: offered,
    disabled: [...new Set([...(tasks ?? []), ...ourTasks])].filter((task) => !wanted.includes(task)),
  })
}

function expirationOf(channel: Channel, contact: ContactRow): string {
  return `${Math.round(secondsUntilNext(channel, contact))}s`
}

function secondsUntilNext({ services }: Channel, contact: ContactRow): number {
  const seconds = nextContactSeconds(contact.interval, contact.next_work_at, services.pressure)
  const soonest = contact.has_due_work ? Math.min(seconds, secondsWithWork * (1 + Math.random())) : seconds
  return Math.max(shortestSeconds, soonest)
}
