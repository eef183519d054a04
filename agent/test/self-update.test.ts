import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openInstallation } from './installation.ts'
import { until } from './world.ts'

/** Each test starts several processes, one after the other. */
const patient = { timeout: 60_000 }

type Installation = Awaited<ReturnType<typeof openInstallation>>

const startedVersions = ({ left }: Installation) => left('started')?.trim().split('\n') ?? []

async function stop({ root }: Installation, service: { kill(): Promise<void> }): Promise<void> {
  await writeFile(join(root, 'stop'), '')
  await service.kill()
}

test(
  'a new version takes over after its first contact, and then reports the success of the update',
  patient,
  async () => {
    const installation = await openInstallation()
    const { server, command, versions } = installation
    const workId = await installation.giveUpdate('9.9.9')
    const onTrialAtContact: boolean[] = []
    server.interfere = ({ path }) => {
      if (path.endsWith('/contact')) onTrialAtContact.push(existsSync(join(versions, 'trial')))
      return false
    }

    const service = installation.service()
    const result = await until(() => server.resultOf(workId), 'the result', patient.timeout)

    expect(result).toMatchObject({ attempt: 1, status: 'Success', installationState: 'Installed' })
    expect(startedVersions(installation)).toEqual(['0.1.0', '9.9.9'])
    expect(await command('--version')).toBe('9.9.9')
    // The one of the previous version, the one of the trial, and the one after it.
    expect(onTrialAtContact.slice(0, 2)).toEqual([false, true])
    expect(existsSync(join(versions, 'trial'))).toBe(false)
    await stop(installation, service)
  },
)

test('the previous version returns if the new one ends at once, and reports the failure', patient, async () => {
  const installation = await openInstallation()
  const workId = await installation.giveUpdate('9.9.9', 'exit 3')

  const service = installation.service()
  const result = await until(() => installation.server.resultOf(workId), 'the result', patient.timeout)

  expect(result).toMatchObject({ attempt: 1, status: 'Failed', installationState: 'NotInstalled' })
  expect(result.errorText).toContain('Version 9.9.9 of the agent did not contact the server')
  expect(startedVersions(installation)).toEqual(['0.1.0', '9.9.9', '0.1.0'])
  expect(await installation.command('--version')).toBe('0.1.0')
  await stop(installation, service)
})

test(
  'the previous version returns if the new one runs but does not contact the server in its time',
  patient,
  async () => {
    const installation = await openInstallation()
    installation.environment.MUSTER_AGENT_TRIAL_SECONDS = '1'
    const workId = await installation.giveUpdate('9.9.9', 'echo $$ > "$ROOT/silent"; exec sleep 1000')

    const service = installation.service()
    const result = await until(() => installation.server.resultOf(workId), 'the result', patient.timeout)

    expect(result).toMatchObject({ attempt: 1, status: 'Failed', installationState: 'NotInstalled' })
    expect(startedVersions(installation)).toEqual(['0.1.0', '9.9.9', '0.1.0'])
    expect(existsSync(`/proc/${installation.left('silent')?.trim()}`)).toBe(false)
    await stop(installation, service)
  },
)

test(
  'the previous version returns after three starts of the new one, although each time everything is killed',
  patient,
  async () => {
    const installation = await openInstallation()
    // Kills the launcher and itself, like a crash of the computer.
    const workId = await installation.giveUpdate('9.9.9', 'kill -KILL $PPID $$')

    const service = installation.service()
    const result = await until(() => installation.server.resultOf(workId), 'the result', patient.timeout)

    expect(result).toMatchObject({ attempt: 1, status: 'Failed' })
    expect(startedVersions(installation)).toEqual(['0.1.0', '9.9.9', '9.9.9', '9.9.9', '0.1.0'])
    await stop(installation, service)
  },
)

test('a new version that does not run on this computer is refused before anything changes', patient, async () => {
  const installation = await openInstallation()
  const workId = await installation.giveUpdate('not a version')

  const service = installation.service()
  const result = await until(() => installation.server.resultOf(workId), 'the result', patient.timeout)

  expect(result).toMatchObject({ status: 'Failed', exitCode: 1 })
  expect(result.output).toContain('does not say which version it is')
  expect(startedVersions(installation)).toEqual(['0.1.0'])
  expect(existsSync(join(installation.versions, 'trial'))).toBe(false)
  await stop(installation, service)
})

test(
  'the previous version is killed as soon as it has staged the new one, which takes over all the same',
  patient,
  async () => {
    const installation = await openInstallation()
    const workId = await installation.giveUpdate('9.9.9')
    const service = installation.service()
    await until(() => existsSync(join(installation.versions, 'trial')))

    process.kill(Number(installation.left('agent.pid')), 'SIGKILL')
    const result = await until(() => installation.server.resultOf(workId), 'the result', patient.timeout)

    expect(result).toMatchObject({ attempt: 1, status: 'Success' })
    expect(startedVersions(installation)).toEqual(['0.1.0', '9.9.9'])
    await stop(installation, service)
  },
)

test('an update that is killed while it unpacks the new version is done again', patient, async () => {
  const installation = await openInstallation()
  const killOnce = 'test -e "$ROOT/killed" || { touch "$ROOT/killed"; kill -KILL $(cat "$ROOT/agent.pid") $PPID $$; }'
  await installation.installFakeTool('tar', `${killOnce}; exec /usr/bin/tar "$@"`)
  const workId = await installation.giveUpdate('9.9.9')

  const service = installation.service()
  const result = await until(() => installation.server.resultOf(workId), 'the result', patient.timeout)

  expect(result).toMatchObject({ attempt: 1, status: 'Success' })
  expect(startedVersions(installation)).toEqual(['0.1.0', '0.1.0', '9.9.9'])
  await stop(installation, service)
})
