import type { FastifyRequest } from 'fastify'
import { ensureBootGrant } from '../../features/os-deployment/boot-grants.ts'
import { findBootPlan } from '../../features/os-deployment/find-boot-plan.ts'
import type { Configuration } from '../../platform/configuration.ts'
import { publicOriginOf } from '../../platform/http/public-origin.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, Type, text } from '../../platform/schema.ts'
import { buildBootScript, diskScript } from './boot-script.ts'
import { issueBootToken } from './boot-token.ts'
import { clientAddress } from './client-address.ts'

export const getBootScript = operation({
  id: 'getBootScript',
  route: 'GET /boot/ipxe/:mac',
  summary: 'Get the iPXE script for a computer',
  description:
    'Every request gets a script. A computer that is unknown or not to be installed gets one that boots from its disk.',
  role: 'no token',
  rateLimit: ({ bootRateLimit }) => bootRateLimit,
  params: closed({ mac: text(255, '02-00-00-00-00-17', 'MAC address in any notation') }),
  returns: ok(Type.String({ examples: [diskScript] })),
  answerType: 'text/plain; charset=utf-8',
  async handle({ params, db, services, request }) {
    const { configuration, keys } = services
    const macKey = parseMacKey(params.mac)
    const found = macKey && (await findBootPlan(db, macKey))
    if (!found) return diskScript
    const server = findOrigin(configuration, request)
    if (!server) return diskScript
    const { imageId, skuId, ...plan } = found
    const clientId = plan.computer.id
    const grant = await ensureBootGrant(db, clientId, clientAddress(request))
    if (!grant || grant.hasReported) return diskScript
    const token = await issueBootToken(keys, { clientId, grantId: grant.id, imageId, skuId })
    return buildBootScript({ server, token, ...plan })
  },
})

/** The address of the service; undefined if the request does not show it. The computer must not be left waiting then. */
function findOrigin(configuration: Configuration, request: FastifyRequest): string | undefined {
  try {
    return publicOriginOf(configuration, request)
  } catch (error) {
    request.log.warn({ err: error }, 'A computer that is to be installed boots from its disk')
    return undefined
  }
}

/** The address in the form of the database. PXE clients prefix it with the type of the network. */
function parseMacKey(notation: string): string | undefined {
  return /^(?:01)?([\da-f]{12})$/.exec(notation.toLowerCase().replace(/[^\da-z]/g, ''))?.[1]
}
