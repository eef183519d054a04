import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendJson } from '../answers.ts'
import type { Channel } from '../context.ts'
import { certificateHashOf } from '../devices/certificate.ts'
import { deviceToken, readDeviceToken } from '../devices/device-token.ts'
import { deviceUnknown } from '../problems.ts'
import { jobsFor } from './get-jobs.ts'
import type { Deploying } from './job-context.ts'
import { openJobLog } from './job-log.ts'
import { sendPart } from './send-part.ts'
import { type Callback, takeCallback } from './set-status.ts'
import { deviceWithWork, type WorkingDevice, workingDevice } from './working-device.ts'

type Query = Callback & { action?: string; machineid?: string }

/** The addresses that are handed out for work; each device has its own. */
const deployAddress = '/agent/fusion/deploy/'
const filesAddress = '/agent/fusion/files/'

/** How long an agent may use what it was told, in seconds. */
const validity = 600

/** Mounts what agents ask to do their work. */
export function addDeployRoutes(scope: FastifyInstance, channel: Channel): void {
  const log = openJobLog(channel.db, (error) => scope.log.error({ err: error }, 'The words of a job were not written.'))
  const deploying: Deploying = { ...channel, log, openJobs: new Map() }
  scope.addHook('onClose', () => log.close())
  const config = { hasSecretPath: true }
  scope.get(`${deployAddress}:token`, { config }, async (request, reply) =>
    sendJson(request, reply, await deploy(deploying, request)),
  )
  scope.get(`${filesAddress}:token/:first/:second/:sha512`, { config }, async (request, reply) => {
    const { sha512 } = request.params as { sha512: string }
    return sendPart(channel, await deviceOf(channel, request), sha512, reply)
  })
}

/** What an agent asks at its own address: where it gets its work. */
export async function answerTask(
  channel: Channel,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { action, machineid = '' } = request.query as Query
  if (action !== 'getConfig') return sendJson(request, reply, {})
  const { tokenId, isOpen } = request.entrance
  const certificateHash = certificateHashOf(request)?.toString('hex') ?? null
  const id = await deviceWithWork(channel.db, { deviceId: machineid, tokenId, isOpen, certificateHash })
  if (id === undefined) return sendJson(request, reply, { configValidityPeriod: validity, schedule: [] })
  const remote = `${originOf(request)}${deployAddress}${deviceToken(channel.services.keys, id)}`
  return sendJson(request, reply, { configValidityPeriod: validity, schedule: [{ task: 'Deploy', remote }] })
}

async function deploy(deploying: Deploying, request: FastifyRequest): Promise<object> {
  const device = await deviceOf(deploying, request)
  const query = request.query as Query
  if (query.action === 'getJobs') {
    const { token } = request.params as { token: string }
    return (await jobsFor(deploying, device, `${originOf(request)}${filesAddress}${token}/`)) ?? {}
  }
  if (query.action === 'setStatus') await takeCallback(deploying, device, query)
  return {}
}

async function deviceOf({ db, services }: Channel, request: FastifyRequest): Promise<WorkingDevice> {
  const { token } = request.params as { token: string }
  const { machineid } = request.query as Query
  const id = readDeviceToken(services.keys, token)
  const device = id === undefined ? undefined : await workingDevice(db, id)
  if (!device || (machineid !== undefined && machineid !== device.device_id)) throw deviceUnknown()
  const shown = certificateHashOf(request)
  if (device.certificate_hash && !(shown && device.certificate_hash.equals(shown))) throw deviceUnknown()
  return device
}

function originOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}`
}
