import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder, until } from '../../server/test/database/embedded-postgres/muster.ts'
import { type Json, startMuster } from '../../server/test/world/start-muster.ts'
import { enrolAgent } from './agents.ts'
import { assignTemplate, deploymentOf, waitFor } from './deployments.ts'

test('a real agent installs what a package requires, uninstalls what it supersedes, and gets nothing that is not for its computer', async () => {
  const muster = await startMuster()
  const groupId = await muster.group('Office')
  await assignTemplate(muster, groupId, { contactIntervalMinutes: 0.01 })
  const log = join(await temporaryFolder(), 'log')
  const importPackage = async (name: string, relations: Json = {}) => {
    const run = (step: string) => ({ shell: `echo ${step} ${name} >> ${log}` })
    const commands = { install: run('install'), uninstall: run('uninstall') }
    const manifest = { name, version: '1.0', operatingSystems: ['Linux'], kind: 'software', commands, ...relations }
    await muster.write(`${name}/muster-package.json`, JSON.stringify(manifest))
    return muster.importFolder(name)
  }
  const assign = (packageId: string) => muster.post(`/api/group/${groupId}/packages`, { packageId })
  const activate = () => muster.post(`/api/group/${groupId}/activation`, { software: true })
  const old = await importPackage('old-editor')
  await assign(old)
  const token = await muster.enrolmentToken(groupId)
  const agent = await enrolAgent({ server: muster.service.address, token, name: 'alpha' })
  const computer = agent.clientId
  await activate()
  const running = agent.run()
  await waitFor(() => deploymentOf(muster, computer, old), { installationState: 'Installed' })
  await until(async () => ((await muster.get(`/api/computer/${computer}`)).inventoryDate !== null ? true : undefined))

  await importPackage('library')
  await importPackage('runtime', { requires: ['library'] })
  const editor = await importPackage('editor', {
    requires: ['runtime'],
    supersedes: [{ name: 'old-editor', uninstallFirst: true }],
    onlyFor: { minMemoryMb: 1 },
  })
  const large = await importPackage('large', { onlyFor: { minFreeDiskGb: 1_000_000 } })
  for (const id of [editor, large]) await assign(id)
  await activate()
  await waitFor(() => deploymentOf(muster, computer, editor), { status: 'Success', installationState: 'Installed' })

  const lines = (await readFile(log, 'utf8')).trim().split('\n')
  expect(lines.toSorted()).toEqual(
    ['install editor', 'install library', 'install old-editor', 'install runtime', 'uninstall old-editor'].toSorted(),
  )
  const isInOrder = (...steps: string[]) => {
    const places = steps.map((step) => lines.indexOf(step))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  }
  isInOrder('install library', 'install runtime', 'install editor')
  isInOrder('install old-editor', 'uninstall old-editor', 'install editor')
  expect(await deploymentOf(muster, computer, large)).toMatchObject({
    ...{ status: 'Success', installationState: 'None', errorText: null },
    notApplicable: expect.stringContaining('It needs 1000000 GB of free space'),
  })
  expect(await muster.get(`/api/packages/${large}/status`)).toMatchObject({ total: 1, notApplicable: 1, failed: 0 })
  expect(await running.kill('SIGTERM')).toEqual({ code: 0, signal: null })
}, 120_000)
