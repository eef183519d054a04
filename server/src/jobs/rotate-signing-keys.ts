import type { FastifyBaseLogger } from 'fastify'
import type { SigningKeys } from '../platform/authentication/signing-keys.ts'

const hour = 3_600_000

/** Every node looks once an hour, which is also how it learns of a key that another one made. */
export function rotateSigningKeysHourly(keys: SigningKeys, logger: FastifyBaseLogger): () => void {
  const timer = setInterval(() => {
    keys.rotate().catch((error: unknown) => logger.error({ err: error }, 'The signing keys could not be rotated.'))
  }, hour)
  timer.unref()
  return () => clearInterval(timer)
}
