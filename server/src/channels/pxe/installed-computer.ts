import type { FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { isUncontestedGrant } from '../../features/os-deployment/boot-grants.ts'
import type { Services } from '../../platform/services.ts'
import { verifyBootToken } from './boot-token.ts'
import { clientAddress } from './client-address.ts'

/**
 * The computer on which an installer runs, by the token of its boot script. Null when the token proves nothing: its
 * installation has ended, another address got a boot script as well, the request comes from elsewhere, or a person or the
 * UUID must confirm everything about installations.
 */
export async function findInstalledComputer(
  db: Database,
  { keys, configuration }: Services,
  request: FastifyRequest,
  token: string,
): Promise<number | null> {
  const { clientId, grantId } = await verifyBootToken(keys, token)
  // Anybody who knows the MAC address may have fetched the script before the computer did.
  if (configuration.bootConfirmation === 'always') return null
  const address = configuration.bootBinding === 'address' ? clientAddress(request) : null
  return (await isUncontestedGrant(db, grantId, address)) ? clientId : null
}
