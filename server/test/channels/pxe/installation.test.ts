import { expect, test } from 'vitest'
import { getInstallation } from '../../../src/channels/pxe/get-installation.ts'
import { reportInstallation } from '../../../src/channels/pxe/report-installation.ts'
import { updateComputer } from '../../../src/features/computers/api/update-computer.ts'
import { activateComputer } from '../../../src/features/deployments/api/activation/activate-computer.ts'
import { deactivateComputer } from '../../../src/features/deployments/api/activation/deactivate-computer.ts'
import { listSoftwareDeployments } from '../../../src/features/deployments/api/history/list-software-deployments.ts'
import { getPackageStatus } from '../../../src/features/deployments/api/package-status/get-package-status.ts'
import { getTask } from '../../../src/features/deployments/api/tasks/get-task.ts'
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

async function preOsPackage(group: { id: string }) {
  const pack = await given.package({ is_pre_os: true })
  await storeFiles(pack, { 'run.sh': 'true' })
  await given.assignment(group, pack, 'package')
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

test('an installer gets only language packs for the system that it installs', async () => {
  const { group, os, script } = await installation()
  const image = { file: 'images\\install.img', os: 'Windows 11', architecture: 'x64' }
  await db
    .updateTable('packages')
    .set({ manifest: JSON.stringify({ image }) })
    .where('id', '=', os.id)
    .execute()
  const fitting = await languagePack(group, 'fr-FR')
  for (const other of [{ os: 'Windows 10' }, { architecture: 'arm64' }]) {
    const pack = await languagePack(group, 'it-IT')
    const changed = JSON.stringify({ image: { ...image, file: 'lp.cab', language: 'it-IT', ...other } })
    await db.updateTable('packages').set({ manifest: changed }).where('id', '=', pack.id).execute()
  }

  const { body } = await documentOf(tokenIn(await script()))

  expect(body.languagePacks.map(({ packageId }) => packageId)).toEqual([fitting.id])
})

test('an installer runs the packages that come before the operating system, and its report closes them', async () => {
  const { computer, group, os, image, script } = await installation()
  const [layout, update, left] = [await preOsPackage(group), await preOsPackage(group), await preOsPackage(group)]
  const params = { id: computer.id }
  await as('activation.execute').call(deactivateComputer, { params })
  const activated = await as('activation.execute').call(activateComputer, { params, body: { pxe: true } })
  const token = tokenIn(await script())

  const { body } = await documentOf(token)
  const urls = body.preOsPackages.flatMap(({ files }) => files.map(({ url }) => pathsIn(url)[0] ?? ''))
  const [file] = (await Promise.all(urls.map((url) => firmware.send({ method: 'GET', url })))) as { status: number }[]
  await firmware.call(reportInstallation, {
    params: { token },
    body: {
      status: 'Success',
      preOsPackages: [
        { packageId: layout.id, status: 'Success' },
        { packageId: update.id, status: 'Failed', message: 'No such device.' },
      ],
    },
  })

  expect(body.preOsPackages.map(({ packageId }) => packageId).toSorted()).toEqual(
    [layout.id, update.id, left.id].toSorted(),
  )
  expect(file?.status).toBe(200)
  const task = await as('computer.read').call(getTask, { params: { trackingId: activated.body.trackingId ?? '' } })
  expect(task.body.status).not.toBe(1)
  const states = new Map(task.body.actions.items.map((item) => [item.packageId, item.state]))
  expect([os, layout, update, left].map(({ id }) => states.get(id))).toEqual([
    'Success',
    'Success',
    'Failed',
    'Cancelled',
  ])
  const { body: all } = await as('computer.read').call(listSoftwareDeployments, {
    params,
    query: { includePreOsPackages: true },
  })
  const shown = (pack: { id: string }) => all.find(({ softwareId }) => softwareId === pack.id)
  expect([shown(layout), shown(update), shown(left)]).toMatchObject([
    { status: 'Success' },
    { status: 'Failed', errorText: 'No such device.' },
    { status: 'Pending' },
  ])
  const status = await as('package.read').call(getPackageStatus, { params: { id: image.packageId } })
  expect(status.body).toMatchObject({ total: 1, success: 1, pending: 0 })
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
  const shown = body.filter(({ softwareId }) => ids.includes(softwareId))
  expect(shown.find(({ softwareId }) => softwareId === reported.id)).toMatchObject({
    status: 'Success',
    installationState: 'Installed',
  })
  expect(shown.find(({ softwareId }) => softwareId === other.id)).toMatchObject({ status: 'Pending' })
  expect(shown).toHaveLength(2)
})
