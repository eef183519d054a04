import { findBootPlan } from '../../features/os-deployment/find-boot-plan.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, Type, text } from '../../platform/schema.ts'
import { buildBootScript, diskScript } from './boot-script.ts'
import { issueBootToken } from './boot-token.ts'

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
    const { host, protocol } = request
    const macKey = parseMacKey(params.mac)
    const found = macKey && /^[\w.:[\]-]+$/.test(host) ? await findBootPlan(db, macKey) : undefined
    if (!found) return diskScript
    const { imageId, skuId, ...plan } = found
    const token = await issueBootToken(services.keys, { clientId: plan.computer.id, imageId, skuId })
    return buildBootScript({ server: `${protocol}://${host}`, token, ...plan })
  },
})

/** The address in the form of the database. PXE clients prefix it with the type of the network. */
function parseMacKey(notation: string): string | undefined {
  return /^(?:01)?([\da-f]{12})$/.exec(notation.toLowerCase().replace(/[^\da-z]/g, ''))?.[1]
}
