import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countRequest } from '../../../platform/http/count-request.ts'
import { publicOriginOf } from '../../../platform/http/public-origin.ts'
import { addressKey } from '../../../platform/load/rate-limit.ts'
import { sendJson } from '../answers.ts'
import { type FusionContext, inTurnOf } from '../context.ts'
import { hashClientCertificate } from '../devices/certificate.ts'
import { hasOwnSecret } from '../devices/device-proof.ts'
import { toText } from '../normalisation/values.ts'
import { deviceUnknown } from '../problems.ts'
import { leaseJobs } from './get-jobs.ts'
import { type AddressedDevice, issueAddressToken, parseAddressToken } from './job-address.ts'
import type { FusionJobContext } from './job-context.ts'
import { requirePart, sendPart } from './send-part.ts'
import { type Callback, handleCallback } from './set-status.ts'
import { findDeviceWithWork, findWorkingDevice, type WorkingDevice } from './working-device.ts'

type Query = Callback & { action?: string | undefined; machineid: string }

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
    const addressed = requireAddressedDevice(context, request)
    await context.services.downloads.agents.begin(request, reply)
    const part = await inTurnOf(context, String(addressed.id), async () =>
      requirePart(context.db, await requireWorkingDevice(context, request, addressed), sha512),
    )
    return sendPart(context, part, reply)
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
  await countRequest(request, jobRateLimit.count([addressKey(request.ip)]))
  const { action, machineid } = readQuery(request)
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
  const addressed = requireAddressedDevice(jobs, request)
  const query = readQuery(request)
  const turn = <T>(work: () => Promise<T>) => inTurnOf(jobs, String(addressed.id), work)
  const device = await turn(() => requireWorkingDevice(jobs, request, addressed))
  if (query.machineid !== device.device_id) throw deviceUnknown()
  if (query.action === 'getJobs') {
    const { token } = request.params as { token: string }
    const files = `${publicOriginOf(jobs.services.configuration, request)}${filesAddress}${token}/`
    return (await leaseJobs(jobs, device, files)) ?? {}
  }
  if (query.action === 'setStatus') await turn(() => handleCallback(jobs, device, query))
  return {}
}

/** Of a parameter that is sent several times, the first counts. */
function readQuery({ query }: FastifyRequest): Query {
  const parameters = new Map(Object.entries(query as Record<string, string | string[]>))
  const find = (name: string) => [parameters.get(name) ?? []].flat()[0]
  return {
    action: find('action'),
    machineid: toText(find('machineid')) ?? '',
    uuid: find('uuid'),
    part: find('part'),
    currentStep: find('currentStep'),
    status: find('status'),
    msg: find('msg'),
    actionnum: find('actionnum'),
  }
}

/** The device that an address of this service belongs to. Whether the address is still valid, the database knows. */
function requireAddressedDevice({ services }: FusionContext, request: FastifyRequest): AddressedDevice {
  const { token } = request.params as { token: string }
  const addressed = parseAddressToken(services.keys, token)
  if (!addressed) throw deviceUnknown()
  return addressed
}

async function requireWorkingDevice(
  { db }: FusionContext,
  request: FastifyRequest,
  addressed: AddressedDevice,
): Promise<WorkingDevice> {
  const device = await findWorkingDevice(db, addressed)
  if (!device) throw deviceUnknown()
  const presented = hashClientCertificate(request)
  if (device.certificate_hash && !(presented && device.certificate_hash.equals(presented))) throw deviceUnknown()
  return device
}
