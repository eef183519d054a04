import { expect, test } from 'vitest'
import { checkBootstrapSecret } from '../../src/features/principals/check-bootstrap-secret.ts'
import { openWorld } from '../world/open-world.ts'
import { administrator, spawnService } from '../world/service-process.ts'

const { db } = await openWorld()
const check = (clientSecret: string | undefined, mode: 'production' | 'development' = 'production') =>
  checkBootstrapSecret(db, { bootstrap: { clientId: 'first-admin-2026', clientSecret }, mode })

const guessable = [
  'short',
  'aaaaaaaaaaaaaaaaaaaaaaaa',
  'abababababababababab',
  'First-Admin-2026',
  'password1234',
  'P@ssw0rd!2026',
  'changemechangeme',
  '123456789012',
]

test.each(guessable)('the guessable secret %s is refused for the first administrator', async (secret) => {
  await expect(check(secret)).rejects.toThrow(/MUSTER_BOOTSTRAP_CLIENT_SECRET is weak: .*openssl rand/)
  expect(await check(secret, 'development')).toContain('is weak')
})

test('a secret that is only short is accepted with a warning, and a long one without', async () => {
  expect(await check('integration-test-secret')).toContain('fewer than 32 characters')
  expect(await check('bootstrap-secret-1')).toContain('fewer than 32 characters')
  expect(await check(administrator.clientSecret)).toBeUndefined()
  expect(await check(undefined)).toBeUndefined()
})

test('an installation that exists already starts with a weak secret in its settings, and warns', async () => {
  await db.updateTable('installation').set({ bootstrapped_at: new Date() }).execute()

  expect(await check('short')).toContain('npm run admin -- reset')
})

test('the first start of the service with a guessable secret fails with a sentence, and creates no administrator', {
  timeout: 60_000,
}, async () => {
  const service = await spawnService({ env: { MUSTER_BOOTSTRAP_CLIENT_SECRET: 'password1234' } })

  const { code } = await service.exited

  expect(code).toBe(78)
  expect(service.output()).toContain('Muster cannot start: MUSTER_BOOTSTRAP_CLIENT_SECRET is weak')
  expect(service.output()).not.toContain('password1234')
})
