import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { cancelPackageTrial } from '../../src/features/package-trials/api/cancel-package-trial.ts'
import { listPackageTrials } from '../../src/features/package-trials/api/list-package-trials.ts'
import { endExpiredTrials } from '../../src/features/package-trials/cancel-trial.ts'
import { purgeTrials } from '../../src/features/package-trials/jobs/purge-trials.ts'
import { getPackage } from '../../src/features/packages/api/get-package.ts'
import { setReadyToInstall } from '../../src/features/packages/api/set-ready-to-install.ts'
import type { PackageColumns } from '../channels/agent/agent-world.ts'
import { openTrialWorld, trialReport, trialStep } from './trial-world.ts'

const { administrator, agent, as, begin, db, given, install, read, readyPackage, runningTrial, state, waitingTrial } =
  await openTrialWorld()

const lastTrialOf = async ({ id }: { id: string }) =>
  (await administrator.call(getPackage, { params: { id } })).body.lastTrial

const deploymentsOf = ({ id }: { id: string }) =>
  db.selectFrom('deployments').select('computer_id').where('package_id', '=', id).execute()

test('a trial is work of its computer, and its result with log, detections and leftovers stands on the package', async () => {
  const { pack, computer, trialId, workId } = await runningTrial()
  expect(await read(trialId)).toMatchObject({ state: 'Running', steps: [], finishedAtUtc: null })

  await computer.report(workId, { trial: trialReport() } as never)

  expect(await read(trialId)).toMatchObject({
    ...{ state: 'Succeeded', packageId: pack.id, computerId: computer.id, errorText: null, isCurrentContent: true },
    steps: [
      { step: 'Install', exitCode: 0, output: 'Install is done.\n', detectedBefore: false, detectedAfter: true },
      { step: 'Uninstall', exitCode: 0, output: 'Uninstall is done.\n', detectedBefore: true, detectedAfter: false },
    ],
    ...{ leftovers: [{ kind: 'File', name: '/etc/greeting.conf' }], leftoverCount: 1, leftoversComplete: true },
  })
  expect(await lastTrialOf(pack)).toMatchObject({ trialId, state: 'Succeeded', computerId: computer.id })
})

test('a trial leaves neither a deployment nor an assignment behind, but a line in the history', async () => {
  const { pack, computer, workId } = await runningTrial()

  await computer.report(workId, { trial: trialReport() } as never)

  expect(await deploymentsOf(pack)).toEqual([])
  expect((await computer.contact()).body.work).toEqual([])
  expect(await state.events(computer)).toMatchObject([
    { result: 'Pending', classification: 'Request', install_mode: 'Trial' },
    { result: 'Running', classification: 'Report', install_mode: 'Trial' },
    { result: 'Success', classification: 'Report', install_mode: 'Trial' },
  ])
})

test('a trial that failed is not retried, says why, and leaves no failed deployment', async () => {
  const { pack, computer, trialId, workId } = await runningTrial()
  const failed = { ...trialStep('Install', false), exitCode: 1, errorText: 'The command exited with code 1.' }

  await computer.report(workId, {
    ...{ status: 'Failed', errorText: 'To install the package failed.' },
    trial: trialReport({ steps: [failed], leftovers: [], leftoverCount: 0 }),
  } as never)

  expect(await read(trialId)).toMatchObject({
    ...{ state: 'Failed', errorText: 'To install the package failed.' },
    steps: [{ step: 'Install', exitCode: 1, errorText: 'The command exited with code 1.' }],
  })
  expect(await lastTrialOf(pack)).toMatchObject({ state: 'Failed' })
  expect(await deploymentsOf(pack)).toEqual([])
  expect((await state.work(workId)).state).toBe('Failed')
})

test('an agent that does not know trials does nothing, and the trial says that it is too old', async () => {
  const { computer, trialId, workId } = await runningTrial()

  await computer.report(workId, {
    status: 'Failed',
    errorText: 'The agent failed to do the work: it does not support work of the kind Trial.',
  })

  expect(await read(trialId)).toMatchObject({ state: 'Failed', errorText: expect.stringMatching('too old'), steps: [] })
})

test.for([
  ['is assigned to the computer', 'PackageAssignedToComputer', 'assign'],
  ['is installed on the computer', 'PackageInstalledOnComputer', 'install'],
  ['has another version on the computer', 'PackageInstalledOnComputer', 'installOther'],
  ['has a version by another name on the computer', 'PackageInstalledOnComputer', 'installRenamed'],
  ['supersedes one on the computer', 'PackageInstalledOnComputer', 'installEarlier'],
  ['has another version that is assigned to the computer', 'PackageAssignedToComputer', 'assignOther'],
] as const)('a package that %s is refused, because a trial would remove it', async ([, problem, how]) => {
  const name = `tool ${how}`
  const supersedes = { [`earlier ${name}`]: false }
  const [pack, computer] = [await readyPackage({ package_name: name, supersedes }), await agent()]
  const others: Record<string, PackageColumns> = {
    installOther: { package_name: name.toUpperCase(), version: '0.9' },
    assignOther: { package_name: name.toUpperCase(), version: '0.9' },
    installRenamed: { package_name: `renamed ${name}`, line_name: name },
    installEarlier: { package_name: `earlier ${name}` },
  }
  const other = others[how] ? await readyPackage(others[how]) : pack
  if (how.startsWith('assign')) {
    const group = await given.group()
    await given.member(group, computer)
    await given.assignment(group, other, 'package')
  } else {
    await install(computer, other)
  }

  expect(await begin(pack, computer)).toMatchObject({ status: 409, problem })
  expect((await computer.contact()).body.work).toEqual([])
})

test.for([
  ['a fix of patches', 'PackageNotTriable', { kind: 'PatchFix' }],
  ['a package that runs before the operating system', 'PackageNotTriable', { is_pre_os: true }],
  ['a package that is not released', 'PackageNotReleased', { is_operational: false }],
  ['a package without an uninstall command', 'NoUninstallCommand', { manifest: '{"commands":{"install":{}}}' }],
] as const)('%s cannot be tried', async ([, problem, columns]) => {
  const [pack, computer] = [await readyPackage(columns), await agent()]

  expect(await begin(pack, computer)).toMatchObject({ status: 409, problem })
})

test('a computer without an agent of Muster is refused', async () => {
  const [pack, computer, other] = [await readyPackage(), await given.computer(), await agent()]
  await sql`update agents set kind = 'GLPI' where computer_id = ${other.id}`.execute(db)

  expect(await begin(pack, computer)).toMatchObject({ status: 409, problem: 'ComputerCannotTry' })
  expect(await begin(pack, other)).toMatchObject({ status: 409, problem: 'ComputerCannotTry' })
})

test('a package has one open trial on a computer', async () => {
  const { pack, computer } = await waitingTrial()

  expect(await begin(pack, computer)).toMatchObject({ status: 409, problem: 'PackageTrialPending' })
  expect((await begin(pack, await agent())).status).toBe(201)
})

test('a cancelled trial is not handed out, and the last result of the package stays', async () => {
  const { pack, computer, trialId } = await waitingTrial()

  const cancelled = await administrator.call(cancelPackageTrial, { params: { id: trialId } })

  expect(cancelled).toMatchObject({ status: 200, body: { state: 'Cancelled', cancelReason: 'RequestCancelled' } })
  expect((await computer.contact()).body.work).toEqual([])
  expect(await lastTrialOf(pack)).toBeNull()
  expect(await administrator.call(cancelPackageTrial, { params: { id: trialId } })).toMatchObject({
    status: 409,
    problem: 'PackageTrialEnded',
  })
})

test('a trial that is cancelled while it runs stays cancelled, and shows what the agent did nevertheless', async () => {
  const { pack, computer, trialId, workId } = await runningTrial()
  await administrator.call(cancelPackageTrial, { params: { id: trialId } })
  expect((await computer.progress(workId, 70)).body).toMatchObject({ cancelled: true })

  await computer.report(workId, { trial: trialReport() } as never)

  expect(await read(trialId)).toMatchObject({ state: 'Cancelled', steps: [{ step: 'Install' }, { step: 'Uninstall' }] })
  expect(await deploymentsOf(pack)).toEqual([])
})

test('a trial of a computer that is deleted ends, and keeps the name of the computer', async () => {
  const { computer, trialId } = await waitingTrial()
  const { hostname } = await read(trialId)

  await as('computer.write').call(deleteComputer, { params: { id: computer.id } })

  expect(await read(trialId)).toMatchObject({
    ...{ state: 'Cancelled', cancelReason: 'ComputerDeleted', computerId: null, hostname },
  })
})

test('a trial that no computer begins in its time is cancelled, and one that runs is not', async () => {
  const [waiting, running] = [await waitingTrial(), await runningTrial()]
  await sql`update package_trials set expires_at = now() - interval '1 second' where state = 'Open'`.execute(db)

  await endExpiredTrials(db)

  expect(await read(waiting.trialId)).toMatchObject({ state: 'Cancelled', cancelReason: 'TrialExpired' })
  expect(await read(running.trialId)).toMatchObject({ state: 'Running' })
  expect((await waiting.computer.contact()).body.work).toEqual([])
})

test('a trial says until when it waits for its computer', async () => {
  const [pack, computer] = [await readyPackage(), await agent()]

  const { startedAtUtc, expiresAtUtc } = (await begin(pack, computer, 30)).body

  expect(Date.parse(String(expiresAtUtc)) - Date.parse(String(startedAtUtc))).toBe(30 * 60_000)
})

test('a trial that waits says why', async () => {
  const { pack, computer, trialId } = await waitingTrial()
  await computer.contact({ suspension: { mode: 'Suspended', untilUtc: null } })
  await as('package.write').call(setReadyToInstall, { params: { id: pack.id }, body: { operational: false } })

  expect(await read(trialId)).toMatchObject({
    state: 'Waiting',
    blockers: [{ reason: 'AgentSuspended' }, { reason: 'NotReleased' }],
  })
})

test.for([
  ['waits', waitingTrial],
  ['runs', runningTrial],
] as const)('an activation that brings the package replaces a trial that %s', async ([, made]) => {
  const { pack, computer, trialId } = await made()
  const group = await given.group()
  await given.member(group, computer)
  await given.assignment(group, pack, 'package')

  await as('activation.execute').call(activateComputer, { params: { id: computer.id }, body: { software: true } })

  expect(await read(trialId)).toMatchObject({ state: 'Cancelled', cancelReason: 'NewRequest' })
  expect((await computer.contact()).body.work).toMatchObject([{ kind: 'Install' }])
})

test.for([
  ['another version', 'tried version', { package_name: 'tried version', version: '0.9' }],
  ['a package that conflicts with it', 'tried conflict', { conflicts: ['Tried Conflict'] }],
] as const)('a trial waits if the computer gets %s before it begins', async ([, package_name, columns]) => {
  const [pack, computer] = [await readyPackage({ package_name }), await agent()]
  const { trialId } = (await begin(pack, computer)).body
  const other = await readyPackage(columns)
  await install(computer, other)

  expect(await read(trialId)).toMatchObject({ state: 'Waiting', blockers: [{ reason: 'ConflictingPackage' }] })
  expect((await computer.contact()).body.work).toEqual([])
})

test('a package cannot be tried on a computer that does not meet its conditions', async () => {
  const onlyFor = { customFields: [{ name: 'Custom01', values: ['elsewhere'] }] }
  const pack = await readyPackage({ manifest: JSON.stringify({ onlyFor, commands: { uninstall: { argv: ['sh'] } } }) })

  expect(await begin(pack, await agent())).toMatchObject({ status: 409, problem: 'PackageNotApplicable' })
})

test('an activation of other packages does not end a trial', async () => {
  const { computer, trialId } = await waitingTrial()
  const [group, other] = [await given.group(), await readyPackage()]
  await given.member(group, computer)
  await given.assignment(group, other, 'package')

  await as('activation.execute').call(activateComputer, { params: { id: computer.id }, body: { software: true } })

  expect(await read(trialId)).toMatchObject({ state: 'Waiting' })
  expect((await computer.contact()).body.work.map(({ kind }) => kind)).toEqual(['Trial', 'Install'])
})

test('a trial that crashes its agent again and again fails, without a failed deployment', async () => {
  const { pack, computer, trialId, workId } = await runningTrial()
  await sql`update work set attempt = 10, leased_until = now() - interval '1 second' where id = ${workId}`.execute(db)

  await computer.contact()

  expect(await read(trialId)).toMatchObject({
    state: 'Failed',
    errorText: expect.stringMatching('handed out 10 times'),
  })
  expect(await deploymentsOf(pack)).toEqual([])
})

test('a result is marked once the package has other content', async () => {
  const { pack, computer, workId } = await runningTrial()
  await computer.report(workId, { trial: trialReport() } as never)

  await sql`update packages set content_hash = sha256('other') where id = ${pack.id}`.execute(db)

  expect(await lastTrialOf(pack)).toMatchObject({ state: 'Succeeded', isCurrentContent: false })
})

test('the trials of a package are listed, newest first', async () => {
  const first = await waitingTrial()
  const second = (await begin(first.pack, await agent())).body.trialId

  const { body } = await administrator.call(listPackageTrials, { params: { id: first.pack.id } })

  expect(body.items.map(({ trialId }) => trialId)).toEqual([second, first.trialId])
})

test('old trials are purged, except for the last result of a package', async () => {
  const first = await runningTrial()
  await first.computer.report(first.workId, { trial: trialReport() } as never)
  const { trialId } = (await begin(first.pack, first.computer)).body
  const [item] = (await first.computer.contact()).body.work
  await first.computer.report(item?.workId ?? 0, { status: 'Failed', errorText: 'No.' })
  await sql`update package_trials set finished_at = now() - interval '100 days' where package_id = ${first.pack.id}`.execute(
    db,
  )

  await purgeTrials(db, 90)

  const { body } = await administrator.call(listPackageTrials, { params: { id: first.pack.id } })
  expect(body.items.map((one) => one.trialId)).toEqual([trialId])
})
