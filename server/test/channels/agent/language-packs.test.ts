import { expect, test } from 'vitest'
import { activateComputer } from '../../../src/features/deployments/api/activation/activate-computer.ts'
import { listSoftwareDeployments } from '../../../src/features/deployments/api/history/list-software-deployments.ts'
import { getPackageStatus } from '../../../src/features/deployments/api/package-status/get-package-status.ts'
import { openAgentWorld } from './agent-world.ts'

const { agent, as, db, given, readyPackage } = await openAgentWorld()

/** A computer that is a member of a group with a language pack, after an activation. */
async function activated(os_name: string) {
  const [computer, group] = [await agent(), await given.group()]
  await given.member(group, computer)
  await db.updateTable('computers').set({ os_name }).where('id', '=', computer.id).execute()
  const image = {
    file: 'packs/lp.cab',
    language: 'fr-FR"&x',
    os: 'Windows 11',
    osType: 'Workstation',
    architecture: 'x64',
  }
  const pack = await readyPackage({
    kind: 'LanguagePack',
    files: { 'packs/lp.cab': 'the language' },
    manifest: JSON.stringify({ kind: 'languagePack', image }),
  })
  await given.assignment(group, pack, 'languagePack')
  const activate = () =>
    as('activation.execute').call(activateComputer, { params: { id: computer.id }, body: { software: true } })
  await activate()
  const deployments = async () =>
    (await as('computer.read').call(listSoftwareDeployments, { params: { id: computer.id } })).body
  return { computer, pack, activate, deployments }
}

test('an assigned language pack becomes work on a computer that runs Windows', async () => {
  const { computer, pack, activate, deployments } = await activated('Windows 11')

  const [item] = (await computer.contact()).body.work
  const { body } = await computer.start(item?.workId ?? 0)
  await computer.report(item?.workId ?? 0, { installationState: 'Installed' })
  await activate()

  expect(item).toMatchObject({ kind: 'Install', package: { packageId: pack.id, kind: 'LanguagePack' } })
  expect(body.files).toMatchObject([{ path: 'packs/lp.cab' }])
  expect(body.commands).toMatchObject({
    install: {
      argv: ['dism.exe', '/Online', '/Add-Package', '/PackagePath:packs\\lp.cab', '/Quiet', '/NoRestart'],
      rebootCodes: [3010],
    },
    uninstall: { argv: expect.arrayContaining(['/Remove-Package']) },
    detect: { shell: expect.stringMatching(/"LanguagePack\.\*~fr-FR\.\.x~"$/) },
  })
  expect(await deployments()).toMatchObject([
    { softwareId: pack.id, status: 'Success', installationState: 'Installed' },
  ])
  expect((await computer.contact()).body.work).toEqual([])
  const status = await as('package.read').call(getPackageStatus, { params: { id: pack.id } })
  expect(status.body).toMatchObject({ total: 1, success: 1, pending: 0 })
})

test('a language pack is no work on a computer with another system', async () => {
  const { computer, pack, deployments } = await activated('Debian GNU/Linux')

  expect((await computer.contact()).body.work).toEqual([])
  expect(await deployments()).toMatchObject([
    {
      softwareId: pack.id,
      status: 'Success',
      notApplicable: 'It is for Windows 11; the computer runs Debian GNU/Linux.',
    },
  ])
})

test('a pending and a failed language pack are among the deployments of the computer', async () => {
  const { computer, pack, deployments } = await activated('Windows 11')
  const pending = await deployments()

  const [item] = (await computer.contact()).body.work
  await computer.report(item?.workId ?? 0, { status: 'Failed', errorText: 'The package could not be found.' })

  expect(pending).toMatchObject([{ softwareId: pack.id, status: 'Pending', desiredMode: 'Install' }])
  expect(await deployments()).toMatchObject([
    { softwareId: pack.id, status: 'Failed', desiredMode: 'Install', errorText: 'The package could not be found.' },
  ])
})
