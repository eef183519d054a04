import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { tooManyRequests } from '../../../platform/general-problems.ts'
import { publicOriginOf } from '../../../platform/http/public-origin.ts'
import { addressKey } from '../../../platform/load/rate-limit.ts'
import { sendJson } from '../answers.ts'
import type { FusionContext } from '../context.ts'
import { hashClientCertificate } from '../devices/certificate.ts'
import { hasOwnSecret } from '../devices/device-proof.ts'
import { deviceUnknown } from '../problems.ts'
import { leaseJobs } from './get-jobs.ts'
import { type AddressedDevice, issueAddressToken, parseAddressToken } from './job-address.ts'
import type { FusionJobContext } from './job-context.ts'
import { sendPart } from './send-part.ts'
import { type Callback, handleCallback } from './set-status.ts'
import { findDeviceWithWork, findWorkingDevice, type WorkingDevice } from './working-device.ts'

type Query = Callback & { action?: string; machineid?: string }

/** Addresses for jobs and their files. A token makes them specific to one device. */
const deployAddress = '/agent/fusion/deploy/'
const filesAddress = '/agent/fusion/files/'

/** How long an agent may use the configuration that it got. */
const configValiditySeconds = 600

/** Adds the routes that agents call to do their jobs. */
export function addDeployRoutes(scope: FastifyInstance, context: FusionContext): void {
  const jobs: FusionJobContext = { ...context, openJobs: new Map() }
  const config = { hasSecretPath: true }
  scope.get(`${deployAddress}:token`, { config }, async (request, reply) =>
    sendJson(request, reply, await answerDeploy(jobs, request)),
  )
  scope.get(`${filesAddress}:token/:first/:second/:sha512`, { config }, async (request, reply) => {
    const { sha512 } = request.params as { sha512: string }
    return sendPart(context, await requireWorkingDevice(context, request), sha512, reply)
  })
}

/**
 * Answers an agent that asks where to get its jobs. The answer for an unknown device, and for a device to which the
 * presented secret does not belong, is the one for a device without jobs.
 */
export async function answerTask(
  context: FusionContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { keys, jobRateLimit } = context.services
  const { exceeded, headers } = await jobRateLimit.count([addressKey(request.ip)])
  if (exceeded) throw tooManyRequests().withHeaders(headers)
  const { action, machineid = '' } = request.query as Query
  if (action !== 'getConfig') return sendJson(request, reply, {})
  const device = await findOwnDeviceWithWork(context, request, machineid)
  const origin = publicOriginOf(context.services.configuration, request)
  const remote = device && `${origin}${deployAddress}${issueAddressToken(keys, device)}`
  return sendJson(request, reply, {
    configValidityPeriod: configValiditySeconds,
    schedule: remote === undefined ? [] : [{ task: 'Deploy', remote }],
  })
}

async function findOwnDeviceWithWork(
  { db }: FusionContext,
  request: FastifyRequest,
  deviceId: string,
): Promise<AddressedDevice | undefined> {
  const { enrolmentToken: token } = request
  const certificateHash = hashClientCertificate(request)
  // A token of several devices shows nobody which of them it is.
  if (!hasOwnSecret({ token, certificateHash })) return undefined
  return findDeviceWithWork(db, {
    deviceId,
    certificateHash: certificateHash?.toString('hex') ?? null,
    ownTokenId: token.isForOneDevice ? token.tokenId : null,
  })
}

async function answerDeploy(jobs: FusionJobContext, request: FastifyRequest): Promise<object> {
  const device = await requireWorkingDevice(jobs, request)
  const query = request.query as Query
  if (query.machineid !== device.device_id) throw deviceUnknown()
  if (query.action === 'getJobs') {
    const { token } = request.params as { token: string }
    const files = `${publicOriginOf(jobs.services.configuration, request)}${filesAddress}${token}/`
    return (await leaseJobs(jobs, device, files)) ?? {}
  }
  if (query.action === 'setStatus') await handleCallback(jobs, device, query)
  return {}
}

async function requireWorkingDevice({ db, services }: FusionContext, request: FastifyRequest): Promise<WorkingDevice> {
  const { token } = request.params as { token: string }
  const addressed = parseAddressToken(services.keys, token)
  const device = addressed && (await findWorkingDevice(db, addressed))
  if (!device) throw deviceUnknown()
  const presented = hashClientCertificate(request)
  if (device.certificate_hash && !(presented && device.certificate_hash.equals(presented))) throw deviceUnknown()
  return device
}
