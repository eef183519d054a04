import { expect, test } from 'vitest'
import { designateAgentPackage } from '../../src/features/agent-installation/api/designate-agent-package.ts'
import { listAgentPackages } from '../../src/features/agent-installation/api/list-agent-packages.ts'
import { withdrawAgentPackage } from '../../src/features/agent-installation/api/withdraw-agent-package.ts'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { createEnrolmentToken } from '../../src/features/enrolment/api/create-enrolment-token.ts'
import { getPackage } from '../../src/features/packages/api/get-package.ts'
import { setReadyToInstall } from '../../src/features/packages/api/set-ready-to-install.ts'
import { manifestOf, openPackageWorld } from '../packages/package-world.ts'
import { sha256Of } from './target-system.ts'

const { app, as, folder, imported } = await openPackageWorld()
const origin = await app.http.listen({ host: '127.0.0.1', port: 0 })
const administrator = as('admin.manage')

/** Imports and releases a package with the name of the agent, which takes `package.write` and no more. */
async function importReleased(version: string, content: string, files: object = {}): Promise<string> {
  await folder(`agent-${version}`, {
    'muster-package.json': manifestOf({ name: 'muster-agent', version }),
    'muster-agent-linux-x64.tar.gz': content,
    ...files,
  })
  const { packageId } = await imported(`agent-${version}`, true)
  const request = { params: { id: packageId ?? '' }, body: { operational: true } }
  expect((await as('package.write').call(setReadyToInstall, request)).status).toBe(200)
  return packageId ?? ''
}

const designate = (packageId: string, contentHash?: string) =>
  administrator.call(designateAgentPackage, {
    params: { platform: 'Linux' },
    body: { packageId, ...(contentHash !== undefined && { contentHash }) },
  })

const scriptOf = async () => (await fetch(`${origin}/install/linux.sh`)).text()
const fileOf = async (content: string) =>
  (await fetch(`${origin}/install/files/${sha256Of(Buffer.from(content))}`)).status
const linux = async () => {
  const { body } = await as('package.read').call(listAgentPackages)
  return body.find(({ platform }) => platform === 'Linux')
}

test('a released package with the name of the agent is an ordinary package until an administrator designates it', async () => {
  await administrator.call(withdrawAgentPackage, { params: { platform: 'Linux' } })
  const id = await importReleased('1.0', 'first')
  const before = [(await fetch(`${origin}/install/linux.sh`)).status, await fileOf('first')]
  const body = { expiresAtUtc: '2099-01-01T00:00:00.000Z' }
  const { commands } = (await administrator.call(createEnrolmentToken, { body })).body

  const designated = await designate(id)

  expect(before).toEqual([404, 404])
  expect(commands?.linux).not.toContain('/install/linux.sh')
  expect(designated.body).toMatchObject({ state: 'Served', package: { id, version: '1.0', signature: null } })
  expect(await scriptOf()).toContain(sha256Of(Buffer.from('first')))
})

test('a principal that may import and release packages cannot replace the agent for new computers, neither by a later version nor by other content', async () => {
  const id = await importReleased('2.0', 'designated')
  await designate(id)

  await importReleased('2.1', 'malicious')
  const afterVersion = [await fileOf('malicious'), await fileOf('designated')]
  const overwritten = await importReleased('2.0', 'malicious')

  expect(afterVersion).toEqual([404, 200])
  expect(overwritten).toBe(id)
  expect([await fileOf('malicious'), await fileOf('designated')]).toEqual([404, 404])
  expect(await linux()).toMatchObject({ state: 'ContentChanged', package: { id } })
})

test('an administrator designates only what they have seen', async () => {
  const id = await importReleased('3.0', 'seen')
  const { contentHash } = (await as('package.read').call(getPackage, { params: { id } })).body
  await importReleased('3.0', 'changed since')

  const refused = await designate(id, contentHash ?? '')

  expect(refused).toMatchObject({ status: 409, problem: 'AgentPackageChanged' })
})

test('a package that is withdrawn, or no longer released, is not served', async () => {
  const id = await importReleased('4.0', 'fourth')
  await designate(id)
  const release = (operational: boolean) =>
    as('package.write').call(setReadyToInstall, { params: { id }, body: { operational } })

  await release(false)
  const unreleased = [await fileOf('fourth'), (await linux())?.state]
  await release(true)
  const released = await fileOf('fourth')
  const withdrawn = await administrator.call(withdrawAgentPackage, { params: { platform: 'Linux' } })

  expect(unreleased).toEqual([404, 'NotReleased'])
  expect([released, withdrawn.status, await fileOf('fourth')]).toEqual([200, 204, 404])
  expect(await linux()).toMatchObject({ state: 'NotDesignated', package: null })
  const again = await administrator.call(withdrawAgentPackage, { params: { platform: 'Linux' } })
  expect(again).toMatchObject({ status: 404, problem: 'AgentPackageNotDesignated' })
})

test('only a package of the agent with something to install can be designated for a platform', async () => {
  const id = await importReleased('5.0', 'fifth')
  await folder('other', { 'muster-package.json': manifestOf({ name: 'other' }), 'muster-agent-linux-x64.tar.gz': 'x' })
  const { packageId: other = '' } = await imported('other', true)

  const forWindows = await administrator.call(designateAgentPackage, {
    params: { platform: 'Windows' },
    body: { packageId: id },
  })

  expect(await designate(other ?? '')).toMatchObject({ status: 409, problem: 'NotAnAgentPackage' })
  expect(forWindows).toMatchObject({ status: 409, problem: 'NotAnAgentPackage' })
  expect((await linux())?.candidates.map(({ id }) => id)).toContain(id)
})

test('a designation is audited with the package and the principal', async () => {
  const id = await importReleased('6.0', 'sixth')

  const { body } = await designate(id)

  const { items } = (
    await administrator.call(listAuditEntries, { query: { operation: 'designateAgentPackage', top: 1000 } })
  ).body
  const entry = items.find(({ request }) => (request as { body?: { packageId?: string } }).body?.packageId === id)
  expect(entry).toMatchObject({ target: '/api/agent-packages/Linux', principalName: body.designatedBy, status: 200 })
})
