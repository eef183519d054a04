import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { administrator, installedFolder } from '../../world/service-process.ts'
import { copyInitialised, temporaryFolder, until } from '../embedded-postgres/muster.ts'
import { type Environment, type RunningCommand, start, startBackup, startRestore, waitForSuccess } from './commands.ts'

// The credentials of the installation that is backed up. The other installation generates its own.
const { clientId, clientSecret } = administrator

async function startService(environment: Environment): Promise<RunningCommand & { address: string }> {
  const service = start('main', [], { MUSTER_PORT: '0', MUSTER_LOG_LEVEL: 'silent', ...environment })
  const address = await until(() => {
    if (service.child.exitCode !== null) throw new Error(`The service ended: ${service.output()}`)
    return /listening on (http:\S+)/.exec(service.output())?.[1]
  }, 60_000)
  return { ...service, address }
}

async function stopService({ child, ended }: RunningCommand): Promise<void> {
  child.kill('SIGTERM')
  await ended
}

async function requestStatus(address: string): Promise<number> {
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

test('principals can sign in at a service that was restored from a backup elsewhere', async () => {
  const folder = await temporaryFolder()
  // The path is too long for a socket, so the socket is created elsewhere.
  const first = { MUSTER_DATA_DIR: join(folder, 'first'.repeat(25)) }
  await promisify(execFile)('cp', ['-a', await installedFolder(), first.MUSTER_DATA_DIR])
  const second = { MUSTER_DATA_DIR: await copyInitialised(join(folder, 'second')) }
  const file = join(folder, 'muster.backup')

  const running = await startService(first)
  await waitForSuccess(startBackup(file, first))
  const whileRunning = await requestStatus(running.address)
  await stopService(running)
  await waitForSuccess(startRestore(file, second))
  const restored = await startService(second)

  expect(whileRunning).toBe(200)
  expect(await requestStatus(restored.address)).toBe(200)
})

test('a running service accepts the restored secrets after a restore, without a restart', async () => {
  const folder = await temporaryFolder()
  const second = { MUSTER_DATA_DIR: await copyInitialised(join(folder, 'second')) }
  const file = join(folder, 'muster.backup')
  await waitForSuccess(startBackup(file, { MUSTER_DATA_DIR: await installedFolder() }))

  const running = await startService(second)
  const before = await requestStatus(running.address)
  const unforced = await startRestore(file, second).ended
  await waitForSuccess(startRestore(file, second, ['--force']))

  expect(before).toBe(401)
  expect(unforced.output).toContain('--force')
  await until(async () => (await requestStatus(running.address)) === 200 || undefined, 5_000)
})

test('a backup of a data directory without a database fails and creates no database', async () => {
  const folder = await temporaryFolder()

  const { code, output } = await startBackup(join(folder, 'x'), { MUSTER_DATA_DIR: join(folder, 'typo') }).ended

  expect(code).toBe(1)
  expect(output).toContain('There is no database in')
})
