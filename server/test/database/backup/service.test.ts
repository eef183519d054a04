import { join } from 'node:path'
import { expect, test } from 'vitest'
import { administrator, installedFolder } from '../../world/service-process.ts'
import { temporaryFolder, until } from '../embedded-postgres/muster.ts'
import { type Environment, type RunningCommand, start, startBackup, startRestore, succeeded } from './commands.ts'

// Those of the installation that is backed up; the other one makes its own.
const { clientId, clientSecret } = administrator
const credentials = { MUSTER_BOOTSTRAP_CLIENT_ID: clientId, MUSTER_BOOTSTRAP_CLIENT_SECRET: clientSecret }

async function startService(environment: Environment): Promise<RunningCommand & { address: string }> {
  const service = start('main.ts', [], { MUSTER_PORT: '0', MUSTER_LOG_LEVEL: 'silent', ...environment })
  const address = await until(() => {
    if (service.child.exitCode !== null) throw new Error(`The service ended: ${service.output()}`)
    return /listening on (http:\S+)/.exec(service.output())?.[1]
  }, 25_000)
  return { ...service, address }
}

async function stopService({ child, ended }: RunningCommand): Promise<void> {
  child.kill('SIGTERM')
  await ended
}

async function statusWithSecret(address: string): Promise<number> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  const answer = await fetch(`${address}/api/auth/token`, { method: 'POST', body })
  if (!answer.ok) return answer.status
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const principals = await fetch(`${address}/api/admin/local-principals`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return principals.status
}

test('who could sign in before can sign in at a service that was restored elsewhere', { timeout: 60_000 }, async () => {
  const folder = await temporaryFolder()
  // Too long for a socket, which then lies elsewhere.
  const first = { MUSTER_DATA_DIR: join(folder, 'first'.repeat(25)), ...credentials }
  const second = { MUSTER_DATA_DIR: join(folder, 'second') }
  const file = join(folder, 'muster.backup')

  const running = await startService(first)
  await succeeded(startBackup(file, first))
  const whileRunning = await statusWithSecret(running.address)
  await stopService(running)
  await succeeded(startRestore(file, second))
  const restored = await startService(second)

  expect(whileRunning).toBe(200)
  expect(await statusWithSecret(restored.address)).toBe(200)
})

test('a running service can be restored, and then knows the restored secrets without a restart', {
  timeout: 60_000,
}, async () => {
  const folder = await temporaryFolder()
  const second = { MUSTER_DATA_DIR: join(folder, 'second') }
  const file = join(folder, 'muster.backup')
  await succeeded(startBackup(file, { MUSTER_DATA_DIR: await installedFolder() }))

  const running = await startService(second)
  const before = await statusWithSecret(running.address)
  const unforced = await startRestore(file, second).ended
  await succeeded(startRestore(file, second, ['--force']))

  expect(before).toBe(401)
  expect(unforced.told).toContain('--force')
  await until(async () => (await statusWithSecret(running.address)) === 200 || undefined, 5_000)
})

test('where no database was ever made there is nothing to back up, and none is made', async () => {
  const folder = await temporaryFolder()

  const { code, told } = await startBackup(join(folder, 'x'), { MUSTER_DATA_DIR: join(folder, 'typo') }).ended

  expect(code).toBe(1)
  expect(told).toContain('There is no database in')
})
