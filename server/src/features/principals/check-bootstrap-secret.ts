import type { Database } from '../../database/connect.ts'
import type { Configuration } from '../../platform/configuration.ts'
import { ConfigurationError } from '../../platform/configuration-error.ts'
import { findSecretWeakness } from './secret-strength.ts'

const advice =
  'Use a random one, for example the output of "openssl rand -base64 32", or leave it unset to have one generated.'

/**
 * Refuses a guessable secret for the first administrator. Returns a warning if the secret is accepted but weak: in
 * development mode, if it is only short, or if the principal exists already. Then the variable has no effect any more, and
 * refusing to start would protect nobody.
 */
export async function checkBootstrapSecret(
  db: Database,
  { bootstrap, mode }: Pick<Configuration, 'bootstrap' | 'mode'>,
): Promise<string | undefined> {
  const { clientId, clientSecret } = bootstrap
  const weakness = clientSecret === undefined ? undefined : findSecretWeakness(clientSecret, clientId)
  if (!weakness) return undefined
  const { reason, isGuessable } = weakness
  const { bootstrapped_at } = await db.selectFrom('installation').select('bootstrapped_at').executeTakeFirstOrThrow()
  const message = `MUSTER_BOOTSTRAP_CLIENT_SECRET is weak: ${reason}.`
  if (bootstrapped_at)
    return `${message} If the first administrator still uses it, replace it in the console or with "npm run admin -- reset".`
  if (isGuessable && mode === 'production') throw new ConfigurationError(`${message} ${advice}`)
  return `${message} ${advice}`
}
