import { expect, test } from 'vitest'
import { findBatchFault } from '../../../src/channels/fusion/jobs/batch-files.ts'
import { activateComputer } from '../../../src/features/deployments/api/activation/activate-computer.ts'
import { listSoftwareDeployments } from '../../../src/features/deployments/api/history/list-software-deployments.ts'
import { openFusionWorld } from './fusion-world.ts'
import { workingAgent } from './working-agent.ts'

const world = await openFusionWorld()
const { as, db, given, readyPackage, state, work } = world

const install = { argv: ['setup.exe'] }
const manifest = (more: object = {}) => JSON.stringify({ commands: { install }, ...more })
const unsafe = 'setup.exe "%MUSTER_VAR_SITE%"'

/** Packages that were imported before imports refused them. */
test.each([
  ['a line for cmd', { manifest: JSON.stringify({ commands: { install: { shell: unsafe } } }) }, 'command to install'],
  [
    'a batch file',
    { manifest: manifest(), files: { 'bin/a.CMD': unsafe } },
    'The file bin/a.CMD of the package mentions',
  ],
  [
    'a property of an MSI file',
    { manifest: manifest({ msi: { file: 'x.msi', properties: { SITE: '%MUSTER_VAR_SITE%' } } }) },
    'only the agent of Muster can set it',
  ],
])('work on Windows that would paste a value into %s fails with a reason', async (what, columns, reason) => {
  const agent = await workingAgent(world, what.replaceAll(' ', '-'))
  await db.updateTable('computers').set({ platform: 'Windows' }).where('id', '=', agent.id).execute()
  const wanted = await readyPackage({ operating_systems: ['Windows'], ...columns })
  const group = await given.group()
  await given.member(group, agent)
  await given.assignment(group, wanted, 'package')
  const workId = await work(agent, wanted)

  expect(await agent.jobs()).toEqual({})

  expect(await state.work(workId)).toMatchObject({ state: 'Failed' })
  const { body } = await as('computer.read').call(listSoftwareDeployments, { params: agent })
  expect(body).toMatchObject([{ status: 'Failed', errorText: expect.stringContaining(reason) }])
  expect(body).toMatchObject([{ errorText: expect.stringContaining('MUSTER_VAR_SITE') }])
})

test('a batch file that cannot be read is refused as well', async () => {
  const { packageStore } = world.app.services.configuration
  const files = [{ path: 'a.cmd', size: 1, sha256: '0'.repeat(64) }]

  expect(await findBatchFault(packageStore, { files })).toContain('a.cmd of the package is missing')
})

test('a package for another system is not applicable, and no job', async () => {
  const [agent, group] = [await workingAgent(world, 'other-system'), await given.group()]
  const wanted = await readyPackage({ operating_systems: ['Windows 11'] })
  await given.member(group, agent)
  await given.assignment(group, wanted, 'package')

  await as('activation.execute').call(activateComputer, { params: agent, body: { software: true } })

  expect(await agent.jobs()).toEqual({})
  const shown = await as('computer.read').call(listSoftwareDeployments, { params: agent })
  expect(shown.body).toMatchObject([
    { status: 'Success', notApplicable: expect.stringMatching(/^It is for Windows 11; the computer runs Debian/) },
  ])
})
