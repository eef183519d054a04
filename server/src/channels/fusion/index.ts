import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { Problem } from '../../platform/problem.ts'
import type { Services } from '../../platform/services.ts'
import { sendJson, sendXml } from './answers.ts'
import { answerContact, answerProlog } from './contact.ts'
import type { Channel } from './context.ts'
import { agentOf } from './devices/agent-kinds.ts'
import { certificateHashOf } from './devices/certificate.ts'
import { type Entrance, entranceOf } from './devices/presented-token.ts'
import type { Sender } from './devices/sender.ts'
import { storeInventory } from './inventory/store-inventory.ts'
import { addDeployRoutes, answerTask } from './jobs/routes.ts'
import type { Report } from './messages/read-report.ts'
import { openReportReader, ReaderBusy } from './messages/report-reader.ts'
import { Unreadable } from './messages/unreadable-error.ts'
import { busy, notLetIn, notOffered, unreadableMessage } from './problems.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for messages of agents that were there before us. */
    entrance: Entrance
  }
}

/** Inventories of 3,000 packages that are not packed have 1.4 MB. */
const mostBytes = 4 * 1024 * 1024

/** Where the agents of FusionInventory, GLPI and OCS report: the secret stands in the path, or before the host. */
const addresses = ['/agent/fusion/:secret', '/agent/fusion/:secret/', '/agent/fusion', '/agent/fusion/']

/** Mounts the surface that the agents of FusionInventory, GLPI and OCS know. */
export function mountFusionChannel(app: FastifyInstance, parts: { db: Database; services: Services }): void {
  const channel: Channel = { ...parts, reader: openReportReader() }
  app.addHook('onClose', () => channel.reader.close())
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    // Whatever they say it is: only the bytes themselves tell.
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, take) => take(null, body))
    scope.setErrorHandler((error, request, reply) => answerProblem(error, request, reply))
    for (const url of addresses)
      scope.route({
        method: 'POST',
        url,
        bodyLimit: mostBytes,
        config: { hasSecretPath: true },
        onRequest: async (request) => enter(channel, request),
        handler: (request, reply) => takeMessage(channel, request, reply),
      })
    for (const url of addresses)
      scope.route({
        method: 'GET',
        url,
        config: { hasSecretPath: true },
        onRequest: async (request) => enter(channel, request),
        handler: (request, reply) => answerTask(channel, request, reply),
      })
    addDeployRoutes(scope, channel)
    done()
  })
}

/** Before the body is read: who may not come in, need not be listened to. */
async function enter({ db, services }: Channel, request: FastifyRequest): Promise<void> {
  const entrance = await entranceOf(db, services.keys, request)
  if (!entrance) throw notLetIn().withHeaders({ 'www-authenticate': 'Basic realm="muster-agent"' })
  request.entrance = entrance
}

async function takeMessage(channel: Channel, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const report = await read(channel, request.body)
  const sender = senderOf(request, report)
  if (report.action === 'prolog') return answerProlog(channel, sender, request, reply)
  if (report.action === 'contact') return answerContact(channel, sender, report, request, reply)
  if (!report.inventory) throw notOffered()
  await storeInventory(channel, sender, report, report.inventory)
  return report.format === 'xml'
    ? sendXml(request, reply, { RESPONSE: 'no_account_update' })
    : sendJson(request, reply, { status: 'ok' })
}

async function read({ reader }: Channel, body: unknown): Promise<Report> {
  if (!Buffer.isBuffer(body) || body.length === 0) throw unreadableMessage({ detail: 'The message is empty' })
  try {
    return await reader.read(body)
  } catch (error) {
    if (error instanceof Unreadable) throw unreadableMessage({ detail: error.message })
    if (error instanceof ReaderBusy) throw busy().withHeaders({ 'retry-after': '10' })
    throw error
  }
}

function senderOf(request: FastifyRequest, { deviceId, program }: Report): Sender {
  return {
    entrance: request.entrance,
    deviceId,
    ...agentOf(program ?? request.headers['user-agent'] ?? ''),
    certificateHash: certificateHashOf(request),
    address: request.ip,
  }
}

/** Agents that speak JSON show the message of a failure in their log. */
function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(error instanceof Problem)) throw error
  reply.code(error.kind.status).headers(error.headers)
  return sendJson(request, reply, { status: 'error', code: error.kind.code, message: error.message })
}
