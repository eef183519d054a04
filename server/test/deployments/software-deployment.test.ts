import { expect, test } from 'vitest'
import { listDistributionHistory } from '../../src/features/deployments/api/history/list-distribution-history.ts'
import { listSetupErrorLog } from '../../src/features/deployments/api/history/list-setup-error-log.ts'
import { listSoftwareDeployments } from '../../src/features/deployments/api/history/list-software-deployments.ts'
import { getPackageStatus } from '../../src/features/deployments/api/package-status/get-package-status.ts'
import { cancelSoftwareReinstall } from '../../src/features/deployments/api/requests/cancel-software-reinstall.ts'
import { requestSoftwareReinstall } from '../../src/features/deployments/api/requests/request-software-reinstall.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import type { AnyOperation } from '../../src/platform/operation.ts'
import { openWorld } from '../world/open-world.ts'
import { deploymentsIn } from './deployment-world.ts'

const { as, db, given } = await openWorld()
const world = deploymentsIn(db, given)
const reader = as('computer.read')

const deploymentsOf = async (computer: { id: number }, query = {}) =>
  (await reader.call(listSoftwareDeployments, { params: { id: computer.id }, query })).body

test('an assigned package without a report is pending, with the commands of its distribution options', async () => {
  const one = await given.package({ version: '2.1', revision: '7' })
  const { group, computer } = await world.assigned(one)
  await db
    .insertInto('distribution_options')
    .values({ group_id: group.id, dist_commands: 1 | 2 | 16 })
    .execute()

  expect(await deploymentsOf(computer)).toEqual([
    {
      softwareId: one.id,
      name: one.name,
      version: '2.1',
      revision: '7',
      status: 'Pending',
      installationState: 'None',
      desiredMode: 'Install, Update, Force',
      currentMode: '',
      installTime: null,
      errorText: null,
      notApplicable: null,
      setupErrorLogEntries: null,
    },
  ])
})

test('only a pending fix package shows what it waits for', async () => {
  const [fix, other] = [await given.package({ kind: 'PatchFix' }), await given.package()]
  const { group, computer } = await world.assigned(fix)
  await given.assignment(group, other, 'package')
  const product = await given.product()
  const patch = await given.patch({ products: [product] })
  const reasons = async () =>
    Object.fromEntries((await deploymentsOf(computer)).map(({ softwareId, errorText }) => [softwareId, errorText]))

  const unscanned = await reasons()
  await given.patchScan(computer, [{ key: patch.key, product: product.name, status: 'Missing' }])
  const unreleased = await reasons()
  const pmGroup = await given.pmGroup({ patches: [{ id: patch.id, productId: product.id }] })
  await given.pmAssignment(pmGroup, group, { isTest: true })
  const releasedSince = await reasons()
  await given.patchScan(computer, [{ key: patch.key, product: product.name, status: 'Missing' }])

  expect(unscanned).toEqual({ [fix.id]: expect.stringContaining('first patch scan'), [other.id]: null })
  expect(unreleased).toEqual({ [fix.id]: expect.stringContaining('approval'), [other.id]: null })
  expect(releasedSince).toEqual({ [fix.id]: expect.stringContaining('next patch scan'), [other.id]: null })
  expect(await reasons()).toEqual({ [fix.id]: null, [other.id]: null })
})

test('assigned, inherited, classed and otherwise installed packages are listed once each', async () => {
  const [direct, covered, inherited, installed, uninstalled, foreign] = await Promise.all(
    Array.from({ length: 6 }, () => given.package()),
  ).then((packages) => packages as [P, P, P, P, P, P])
  const above = await given.group()
  const group = await given.group({ parent: above })
  const computer = await given.computer()
  await given.member(group, computer)
  for (const one of [direct, covered]) await given.assignment(group, one, 'package')
  for (const one of [direct, inherited]) await given.assignment(above, one, 'package')
  await given.assignment(above, await given.softwareClass({ packages: [covered] }), 'softwareClass')
  await world.deployment(computer, direct, { result: 'Success', installation_state: 'Installed' })
  await world.deployment(computer, installed, { result: 'Success', installation_state: 'Installed', current_mode: 9 })
  await world.deployment(computer, uninstalled, { result: 'Success', installation_state: 'Uninstalled' })
  await world.assigned(foreign)

  const found = await deploymentsOf(computer)

  expect(found.map(({ softwareId }) => softwareId)).toEqual(
    [direct, covered, inherited, installed].map(({ id }) => id).sort(),
  )
  expect(found.find(({ softwareId }) => softwareId === installed.id)).toMatchObject({
    status: 'Success',
    installationState: 'Installed',
    desiredMode: '',
    currentMode: 'Install, Reinstall',
  })
})

type P = Awaited<ReturnType<typeof given.package>>

test('a pending reinstall is the desired mode until it is cancelled', async () => {
  const one = await given.package()
  const { computer } = await world.assigned(one)
  await world.deployment(computer, one, { result: 'Success', installation_state: 'Installed', current_mode: 1 })
  const params = { id: computer.id }
  const requested = await as('reinstall.execute').call(requestSoftwareReinstall, {
    params,
    body: { packageId: one.id },
  })

  const during = await deploymentsOf(computer)
  const { reinstallGroupId } = requested.body
  await as('reinstall.execute').call(cancelSoftwareReinstall, { params, query: { reinstallGroupId } })

  expect(during).toMatchObject([{ status: 'Pending', desiredMode: 'Reinstall, Force', currentMode: 'Install' }])
  expect(await deploymentsOf(computer)).toMatchObject([{ status: 'Success', desiredMode: 'Install' }])
})

test('a failed deployment shows its error and the ten newest setup errors of the computer', async () => {
  const [failed, fine] = [await given.package(), await given.package()]
  const { computer } = await world.assigned(failed, fine)
  await world.deployment(computer, failed, {
    result: 'Failed',
    failed_at: new Date(),
    error_text: 'It ended with 1603.',
  })
  await world.deployment(computer, fine, {
    result: 'Success',
    installation_state: 'Installed',
    installed_at: new Date(),
  })
  for (let number = 1; number <= 12; number++)
    await world.setupError(computer, number === 12 ? fine : failed, { output: `output ${number}`, exit_code: number })

  const found = await deploymentsOf(computer)

  expect(found.find(({ softwareId }) => softwareId === fine.id)).toMatchObject({
    status: 'Success',
    installTime: expect.any(String),
    errorText: null,
    setupErrorLogEntries: null,
  })
  const { setupErrorLogEntries, ...rest } = found.find(({ softwareId }) => softwareId === failed.id) ?? {}
  expect(rest).toMatchObject({ status: 'Failed', errorText: 'It ended with 1603.', installTime: null })
  expect(setupErrorLogEntries?.map(({ output }) => output)).toEqual(
    [12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((number) => `output ${number}`),
  )
  expect(setupErrorLogEntries?.[0]).toMatchObject({ softwareId: fine.id, softwareName: fine.name, exitCode: 12 })
})

test('pre-OS packages are listed only on request, and the list can be limited to one package', async () => {
  const [usual, early] = [await given.package(), await given.package({ is_pre_os: true })]
  const { computer } = await world.assigned(usual, early)
  const ids = async (query = {}) => (await deploymentsOf(computer, query)).map(({ softwareId }) => softwareId)

  expect(await ids()).toEqual([usual.id])
  expect(await ids({ includePreOsPackages: true })).toEqual([usual.id, early.id].sort())
  expect(await ids({ packageId: early.id, includePreOsPackages: true })).toEqual([early.id])
  expect(await ids({ packageId: early.id })).toEqual([])
})

test('the setup error log and the history of a computer are paged, newest first', async () => {
  const one = await given.package({ version: '3.0' })
  const [{ computer }, { computer: other }] = [await world.assigned(one), await world.assigned(one)]
  for (const each of [computer, other])
    for (const text of ['first', 'second', 'third']) {
      await world.setupError(each, one, { output: text })
      await world.event(each, one, { info: text, install_mode: 'Install', kb_number: 'KB1' })
    }
  const page = { params: { id: computer.id }, query: { skip: 1, top: 1 } }

  const log = (await reader.call(listSetupErrorLog, page)).body
  const history = (await reader.call(listDistributionHistory, page)).body

  expect({ ...log, items: log.items.map(({ output }) => output) }).toMatchObject({ totalCount: 3, items: ['second'] })
  expect(history).toMatchObject({ totalCount: 3, hasMore: true })
  expect(history.items).toEqual([
    {
      id: expect.any(Number),
      computerId: computer.id,
      hostname: computer.name,
      domain: computer.domain,
      packageName: one.name,
      version: '3.0',
      result: 'Success',
      classification: 'Report',
      logDateUtc: expect.any(String),
      kbNumber: 'KB1',
      installMode: 'Install',
      info: 'second',
    },
  ])
})

test('reading deployments of an unknown computer answers 404', async () => {
  for (const read of [listSoftwareDeployments, listSetupErrorLog, listDistributionHistory] as AnyOperation[])
    expect(await reader.call(read, { params: { id: 999_999 } })).toMatchObject({
      status: 404,
      problem: 'ComputerNotFound',
    })
})

test('after an uninstall, Success means that the package is gone; once it is wanted again, it is pending', async () => {
  const one = await given.package()
  const { group, computer } = await world.assigned(one)
  await world.deployment(computer, one, { result: 'Success', installation_state: 'Uninstalled' })
  const setMode = (command: 'Install' | 'Uninstall') =>
    as('group.write').call(setDistributionOptions, {
      params: { id: group.id },
      query: { packageId: one.id },
      body: { commands: [command] },
    })
  const answers = async () => {
    const [shown] = await deploymentsOf(computer)
    const { body } = await as('package.read').call(getPackageStatus, { params: { id: one.id } })
    return [shown?.status, body.success, body.pending, body.devices.items[0]?.status]
  }

  await setMode('Uninstall')
  expect(await answers()).toEqual(['Success', 1, 0, 'Success'])
  await setMode('Install')
  expect(await answers()).toEqual(['Pending', 0, 1, 'Pending'])
})
