import { expect, test } from 'vitest'
import { getInstallation } from '../../../src/channels/pxe/get-installation.ts'
import { reportInstallation } from '../../../src/channels/pxe/report-installation.ts'
import { updateComputer } from '../../../src/features/computers/api/update-computer.ts'
import { listSoftwareDeployments } from '../../../src/features/deployments/api/history/list-software-deployments.ts'
import { setComputerVariable } from '../../../src/features/variables/api/computers/set-computer-variable.ts'
import { createGroupCollectionEntry } from '../../../src/features/variables/api/groups/create-group-collection-entry.ts'
import { openBootWorld, pathsIn, tokenIn } from './boot-world.ts'

const { as, db, firmware, given, installation, storeFiles } = await openBootWorld()

const documentOf = (token: string) => firmware.call(getInstallation, { params: { token } })

async function languagePack(group: { id: string }, language: string) {
  const pack = await given.languagePack({ language })
  await storeFiles(pack, { 'lp.cab': `the language ${language}` })
  await given.assignment(group, pack, 'languagePack')
  return pack
}

test('an installer gets domain, OU, static address, mask and gateway of its computer', async () => {
  const { computer, os, script } = await installation({ name: 'pc-static' })
  const network = { ipAddress: '192.0.2.17', subnetMask: '255.255.255.0', standardGateway: '192.0.2.1' }
  await as('computer.write').call(updateComputer, {
    params: { id: computer.id },
    body: { domain: 'corp.example.org', isDomain: true, ou: 'OU=Clients', ...network },
  })
  const text = await script()
  const address = /muster\.installation=(\S+)/.exec(text)?.[1]

  const { status, body } = await documentOf(tokenIn(text))

  expect(address).toBe(`http://localhost:80/boot/installation/${tokenIn(text)}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    computer: { id: computer.id, name: 'pc-static', domain: 'corp.example.org', isDomain: true, ou: 'OU=Clients' },
    network,
    operatingSystem: { name: os.name, url: expect.stringMatching(/\/os\/images\/install\.img$/), index: 1 },
    languagePacks: [],
  })
})

test('the network of a computer with DHCP is null, and so is the operating system of a mere boot image', async () => {
  const { script } = await installation({ withOs: false })

  expect((await documentOf(tokenIn(await script()))).body).toMatchObject({ network: null, operatingSystem: null })
})

test('an installer gets the variables and collections of its computer, but no secrets and nothing of others', async () => {
  const { computer, group, os, script } = await installation()
  const [fromOs, secret] = [await given.variable(), await given.variable({ is_secret: true })]
  await db
    .insertInto('package_variables')
    .values({ package_id: os.id, variable_id: fromOs.id, value: 'of the operating system' })
    .execute()
  const collection = await given.variable({ kind: 'Collection' })
  await given.variable({ parent: collection, designation: 'Host' })
  await given.variable({ parent: collection, designation: 'Key', is_secret: true })
  const values = { Host: 'print01', Key: 'a secret key' }
  await as('group.write').call(createGroupCollectionEntry, {
    params: { id: group.id, varId: collection.id },
    body: { values },
  })
  await as('computer.write').call(setComputerVariable, {
    params: { id: computer.id, varId: secret.id },
    body: { value: 'another secret' },
  })
  const other = await installation()

  const { body } = await documentOf(tokenIn(await script()))
  const { body: ofOther } = await documentOf(tokenIn(await other.script()))

  expect(body.variables[fromOs.dotted_name]).toBe('of the operating system')
  expect(body.collections).toEqual({ [collection.dotted_name]: [{ Host: 'print01' }] })
  expect(JSON.stringify(body)).not.toContain('secret')
  expect(ofOther).toMatchObject({ computer: { id: other.computer.id }, collections: {} })
  expect(ofOther.variables).not.toHaveProperty([fromOs.dotted_name])
})

test('the document is gone when the installer has reported, and a forged token never gets it', async () => {
  const { script } = await installation()
  const token = tokenIn(await script())
  const before = await documentOf(token)

  await firmware.call(reportInstallation, { params: { token }, body: { status: 'Failed' } })

  expect(before.status).toBe(200)
  expect(await documentOf(token)).toMatchObject({ status: 404, problem: 'InstallationNotPending' })
  expect(await documentOf(`${token.slice(0, -4)}AAAA`)).toMatchObject({ status: 401, problem: 'BootTokenInvalid' })
})

test('language packs are handed to the installer, with their files', async () => {
  const { group, script } = await installation()
  const pack = await languagePack(group, 'fr-FR')
  const notReady = await given.languagePack()
  await given.assignment(group, notReady, 'languagePack')
  const foreign = await languagePack(await given.group(), 'it-IT')
  const token = tokenIn(await script())

  const { body } = await documentOf(token)
  const file = async (url: string) =>
    (await firmware.send({ method: 'GET', url: pathsIn(url)[0] ?? '' })) as { status: number; raw: unknown }

  expect(body.languagePacks).toEqual([
    { packageId: pack.id, name: pack.name, language: 'fr-FR', url: expect.stringContaining(`/languages/${pack.id}/`) },
  ])
  const url = body.languagePacks[0]?.url ?? ''
  expect(await file(url)).toMatchObject({ status: 200 })
  expect(await file(url.replace(pack.id, foreign.id))).toMatchObject({ status: 404 })
  expect(await file(url.replace(pack.id, 'x'))).toMatchObject({ status: 404 })
})

test('language packs count as installed if the installer reports them, and only those', async () => {
  const { computer, group, script } = await installation()
  const [reported, other] = [await languagePack(group, 'fr-FR'), await languagePack(group, 'it-IT')]
  const foreign = await languagePack(await given.group(), 'pl-PL')
  const token = tokenIn(await script())

  await firmware.call(reportInstallation, {
    params: { token },
    body: { status: 'Success', languagePacks: [reported.id, foreign.id] },
  })

  const { body } = await as('computer.read').call(listSoftwareDeployments, { params: { id: computer.id } })
  const ids = [reported, other, foreign].map(({ id }) => id)
  expect(body.filter(({ softwareId }) => ids.includes(softwareId))).toMatchObject([
    { softwareId: reported.id, status: 'Success', installationState: 'Installed' },
  ])
})
