import { existsSync } from 'node:fs'
import { readdir, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openInstallation } from './installation.ts'
import { until } from './world.ts'

/** Each test starts several processes, one after the other. */
const patient = { timeout: 60_000 }

type Installation = Awaited<ReturnType<typeof openInstallation>>

const startedVersions = ({ left }: Installation) => left('started')?.trim().split('\n') ?? []

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
    await service.stop()
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
  await service.stop()
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
    await service.stop()
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
    await service.stop()
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
  await service.stop()
})

test(
  'the previous version is killed as soon as it has staged the new one, which takes over all the same',
  patient,
  async () => {
    const installation = await openInstallation()
    const install = { shell: 'muster-agent self-update . && kill -KILL $(cat "$ROOT/agent.pid")' }
    const workId = await installation.giveUpdate('9.9.9', ':', { install })

    const service = installation.service()
    const result = await until(() => installation.server.resultOf(workId), 'the result', patient.timeout)

    expect(result).toMatchObject({ attempt: 1, status: 'Success' })
    expect(startedVersions(installation)).toEqual(['0.1.0', '9.9.9'])
    await service.stop()
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
  await service.stop()
})

test('an archive that is broken is refused before anything changes', patient, async () => {
  const installation = await openInstallation()
  const workId = await installation.giveUpdate('9.9.9', ':', { content: Buffer.from('no archive') })

  const service = installation.service()
  const result = await until(() => installation.server.resultOf(workId), 'the result', patient.timeout)

  expect(result).toMatchObject({ status: 'Failed', exitCode: 1 })
  expect(result.output).toContain('is not an archive of the agent')
  expect(startedVersions(installation)).toEqual(['0.1.0'])
  expect(existsSync(join(installation.versions, 'trial'))).toBe(false)
  await service.stop()
})

test('an update to the version that runs succeeds without a trial', patient, async () => {
  const installation = await openInstallation()
  const workId = await installation.giveUpdate('0.1.0')

  const service = installation.service()
  const result = await until(() => installation.server.resultOf(workId), 'the result', patient.timeout)

  expect(result).toMatchObject({ status: 'Success', installationState: 'Installed' })
  expect(result.output).toContain('Version 0.1.0 is in use already.')
  expect(startedVersions(installation)).toEqual(['0.1.0'])
  await service.stop()
})

/** A version that never contacts the server, and that ends when it is asked to. */
const waits = 'trap "echo asked > $ROOT/asked; exit 7" TERM; touch "$ROOT/waits"; while :; do sleep 0.05; done'

test(
  'a stop during a trial ends the new version in order, and the trial goes on at the next start',
  patient,
  async () => {
    const installation = await openInstallation()
    const { root, versions, left } = installation
    await installation.giveUpdate('9.9.9', waits)
    const service = installation.service()
    await until(() => left('waits') !== undefined, 'the trial', patient.timeout)

    await service.stop()

    expect(left('asked')).toBe('asked\n')
    expect(left('codes')).toBe('0\n7\n')
    expect((await readdir(versions)).filter((name) => /^(trial|reverted|current)$/.test(name))).toEqual(['trial'])
    await rm(join(root, 'waits'))
    const next = installation.service()
    await until(() => left('waits') !== undefined, 'the trial', patient.timeout)
    expect(startedVersions(installation)).toEqual(['0.1.0', '9.9.9', '9.9.9'])
    await next.stop()
  },
)

test('no update begins while another one is on trial, or without the launcher', patient, async () => {
  const installation = await openInstallation()
  const { root, versions, left } = installation
  await installation.giveUpdate('9.9.9', waits)
  const service = installation.service()
  await until(() => left('waits') !== undefined, 'the trial', patient.timeout)
  const onTrial = await readlink(join(versions, 'trial'))

  const second = await installation.command('self-update', join(root, '9.9.9.tar.gz')).catch((error) => error)
  const unwatched = await installation.agent('self-update', join(root, '9.9.9.tar.gz'))

  expect(second).toMatchObject({ code: 1, stderr: 'Another update is on trial.\n' })
  expect(unwatched.code).toBe(1)
  expect(unwatched.output).toContain('was not started by its service')
  expect(await readlink(join(versions, 'trial'))).toBe(onTrial)
  await service.stop()
})

test('after several updates, the last one that worked returns, and others are removed', patient, async () => {
  const installation = await openInstallation()
  const { server, versions } = installation
  server.nextContactSeconds = 0.1
  const service = installation.service()
  const update = async (version: string, whenRun?: string) => {
    const workId = await installation.giveUpdate(version, whenRun)
    return (await until(() => server.resultOf(workId), `the result of ${version}`, patient.timeout)).status
  }

  const statuses = [await update('2.0.0'), await update('3.0.0', 'kill -KILL $PPID $$'), await update('4.0.0')]

  expect(statuses).toEqual(['Success', 'Failed', 'Success'])
  expect(startedVersions(installation)).toEqual(['0.1.0', '2.0.0', '3.0.0', '3.0.0', '3.0.0', '2.0.0', '4.0.0'])
  const folders = (await readdir(versions, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name.split('-')[0]).sort()).toEqual(['2.0.0', '4.0.0'])
  // What a disk error may leave.
  await rm(join(versions, 'current/muster-agent'))
  expect(await installation.command('--version')).toBe('0.1.0')
  await service.stop()
})
