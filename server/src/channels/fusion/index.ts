import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MountParts } from '../../platform/mount.ts'
import { Problem } from '../../platform/problem.ts'
import { sendJson, sendXml } from './answers.ts'
import { answerContact, answerProlog } from './contact.ts'
import { type FusionContext, inTurnOf } from './context.ts'
import { parseAgentProgram } from './devices/agent-programs.ts'
import { hashClientCertificate } from './devices/certificate.ts'
import { findPresentedToken } from './devices/presented-token.ts'
import { keyOfSender, type PresentedToken, type Sender } from './devices/sender.ts'
import { storeInventory } from './inventory/store-inventory.ts'
import { addDeployRoutes, answerTask } from './jobs/routes.ts'
import type { AgentReport } from './messages/read-report.ts'
import { ReaderBusy } from './messages/reading-queue.ts'
import { openReportReader } from './messages/report-reader.ts'
import { UnreadableError } from './messages/unreadable-error.ts'
import { busy, deviceNotAdmitted, notOffered, unreadableMessage } from './problems.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for requests to this channel. */
    enrolmentToken: PresentedToken
  }
}

/** An inventory of 3,000 packages has 1.4 MB when it is not compressed. */
const maxBodyBytes = 4 * 1024 * 1024

/** Where FusionInventory, GLPI and OCS agents report. The secret is in the path, or in the user part of the URL. */
const addresses = ['/agent/fusion/:secret', '/agent/fusion/:secret/', '/agent/fusion', '/agent/fusion/']

/** Mounts the addresses that FusionInventory, GLPI and OCS agents call. */
export function mountFusionChannel(
  app: FastifyInstance,
  { lanes, services }: Pick<MountParts, 'lanes' | 'services'>,
): void {
  const context: FusionContext = { db: lanes.machines.db, services, reader: openReportReader() }
  app.addHook('onClose', () => context.reader.close())
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    // Agents send wrong content types: only the bytes show what a message is.
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, take) => take(null, body))
    scope.setErrorHandler((error, request, reply) => answerProblem(error, request, reply))
    for (const url of addresses)
      scope.route({
        method: 'POST',
        url,
        bodyLimit: maxBodyBytes,
        config: { hasSecretPath: true },
        onRequest: async (request) => {
          await authenticate(context, request)
          // A token that has ended must not cost the reading of messages, unless known devices still use it.
          if (!request.enrolmentToken.mayReport) throw deviceNotAdmitted()
        },
        handler: (request, reply) => handleMessage(context, request, reply),
      })
    for (const url of addresses)
      scope.route({
        method: 'GET',
        url,
        config: { hasSecretPath: true },
        onRequest: async (request) => authenticate(context, request),
        handler: (request, reply) => answerTask(context, request, reply),
      })
    addDeployRoutes(scope, context)
    done()
  })
}

/** Runs before the body is read so that nobody can send large bodies without a valid secret. */
async function authenticate({ db, services }: FusionContext, request: FastifyRequest): Promise<void> {
  const token = await findPresentedToken(db, services.keys, request)
  if (!token) throw deviceNotAdmitted().withHeaders({ 'www-authenticate': 'Basic realm="muster-agent"' })
  request.enrolmentToken = token
}

async function handleMessage(
  context: FusionContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const report = await readBody(context, request)
  const sender = toSender(context, request, report)
  if (report.action === 'prolog') return answerProlog(context, sender, request, reply)
  if (report.action === 'contact') return answerContact(context, sender, report, request, reply)
  const { inventory } = report
  if (!inventory) throw notOffered()
  await inTurnOf(context, keyOfSender(sender), () => storeInventory(context, sender, report, inventory))
  return report.format === 'xml'
    ? sendXml(request, reply, { RESPONSE: 'no_account_update' })
    : sendJson(request, reply, { status: 'ok' })
}

async function readBody({ reader }: FusionContext, { body, enrolmentToken }: FastifyRequest): Promise<AgentReport> {
  if (!Buffer.isBuffer(body) || body.length === 0) throw unreadableMessage({ detail: 'The message is empty' })
  try {
    return await reader.read(body, enrolmentToken.tokenId)
  } catch (error) {
    if (error instanceof UnreadableError) throw unreadableMessage({ detail: error.message })
    if (error instanceof ReaderBusy) throw busy().withHeaders({ 'retry-after': '10' })
    throw error
  }
}

function toSender({ services }: FusionContext, request: FastifyRequest, { deviceId, program }: AgentReport): Sender {
  const { 'glpi-agent-id': agentId } = request.headers
  return {
    token: request.enrolmentToken,
    deviceId,
    agentIdHash: typeof agentId === 'string' ? services.keys.hashSecret(`fusion agent ${agentId.toLowerCase()}`) : null,
    ...parseAgentProgram(program ?? request.headers['user-agent'] ?? ''),
    certificateHash: hashClientCertificate(request),
    address: request.ip,
    request,
  }
}

/** Agents that speak JSON write the message of a failed request to their log. */
function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(error instanceof Problem)) throw error
  const { kind, message, details, headers } = error
  reply.code(kind.status).headers(headers)
  const reason = typeof details.detail === 'string' ? ` ${details.detail}.` : ''
  return sendJson(request, reply, { status: 'error', code: kind.code, message: `${message}${reason}` })
}
