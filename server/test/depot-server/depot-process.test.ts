import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { afterAll, expect, test } from 'vitest'
import { readDepotConfiguration } from '../../src/depot-server/depot-configuration.ts'
import { listSyncDepots } from '../../src/features/depots/api/synchronisation/list-sync-depots.ts'
import { triggerSyncJob } from '../../src/features/depots/api/synchronisation/trigger-sync-job.ts'
import { listen } from '../../src/platform/http/listeners.ts'
import { temporaryFolder, until } from '../database/embedded-postgres/muster.ts'
import { openDepotWorld } from '../depots/depot-world.ts'
import { spawnDepot } from './depot-process.ts'
import { givenStoredPackage, sha256Of } from './stored-packages.ts'

const { app, as, db, depot, store } = await openDepotWorld()
const certificates = await certificateFor('127.0.0.1')
const { configuration } = app.services
const listeners = await listen(app.http, { ...configuration, port: 0, tls: { ...certificates, port: 0 } })
afterAll(listeners.close)
const [master = '', secureMaster = ''] = listeners.addresses

async function certificateFor(ip: string) {
  const folder = await mkdtemp(join(tmpdir(), 'muster-depot-tls-'))
  afterAll(() => rm(folder, { recursive: true }))
  const files = { certificateFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
  const { cert, private: key } = await generate([{ name: 'commonName', value: ip }], {
    keySize: 2048,
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip }] },
    ],
  })
  await Promise.all([writeFile(files.certificateFile, cert), writeFile(files.keyFile, key)])
  return files
}

test('a depot synchronises at its start and on request, serves its files and stops on SIGTERM', async () => {
  const { id, credential, jobs } = await depot()
  await givenStoredPackage(db, store, { 'first.txt': 'first' })
  const process = spawnDepot({
    MUSTER_DEPOT_MASTER: master,
    MUSTER_DEPOT_CREDENTIAL: credential,
    MUSTER_DEPOT_DIR: await temporaryFolder(),
    MUSTER_DEPOT_HEARTBEAT_SECONDS: '1',
    MUSTER_PORT: '0',
  })
  const address = await until(() => /listening on (\S+)/.exec(process.output())?.[1])
  const file = (content: string) => fetch(`${address}/files/${sha256Of(content)}`)

  await until(async () => (await jobs())[0]?.status === 'Success' || undefined)
  const served = await file('first')
  const part = await fetch(`${address}/files/${sha256Of('first')}`, { headers: { range: 'bytes=2-' } })
  await givenStoredPackage(db, store, { 'second.txt': 'second' })
  await as('activation.execute').call(triggerSyncJob, { body: { depotClientIds: [id] } })
  await until(async () => ((await jobs()).length === 2 && (await jobs())[0]?.status === 'Success') || undefined)

  expect(await served.text()).toBe('first')
  expect([part.status, await part.text()]).toEqual([206, 'rst'])
  expect(await (await file('second')).text()).toBe('second')
  expect(await jobs()).toMatchObject([
    { trigger: 'Manual', status: 'Success', packages: 2, filesTransferred: 1, nextRunUtc: expect.any(String) },
    { trigger: 'Schedule', status: 'Success', packages: 1, filesTransferred: 1 },
  ])
  for (const path of ['files/..%2f..%2fpackages.json', `files/${sha256Of('unknown')}`, 'packages.json', 'files/'])
    expect((await fetch(`${address}/${path}`)).status).toBe(404)
  const { items } = (await as('computer.read').call(listSyncDepots)).body
  expect(items.find(({ clientId }) => clientId === id)).toMatchObject({ heartbeat: 'online', lastStatus: 'Success' })
  expect(await process.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(process.output()).not.toContain(credential)
})

test('a depot synchronises over HTTPS, but not with a master server whose certificate it does not trust', async () => {
  const [trusting, other] = [await depot(), await depot()]
  await givenStoredPackage(db, store, { 'secure.txt': 'secure' })
  const settings = { MUSTER_DEPOT_MASTER: secureMaster, MUSTER_DEPOT_HEARTBEAT_SECONDS: '1', MUSTER_PORT: '0' }
  const first = spawnDepot({
    ...settings,
    MUSTER_DEPOT_CREDENTIAL: trusting.credential,
    MUSTER_DEPOT_DIR: await temporaryFolder(),
    NODE_EXTRA_CA_CERTS: certificates.certificateFile,
  })
  const second = spawnDepot({
    ...settings,
    MUSTER_DEPOT_CREDENTIAL: other.credential,
    MUSTER_DEPOT_DIR: await temporaryFolder(),
  })

  const address = await until(() => /listening on (\S+)/.exec(first.output())?.[1])
  await until(async () => (await trusting.jobs())[0]?.status === 'Success' || undefined)
  await until(() => /self-signed certificate/i.exec(second.output())?.[0])

  expect(secureMaster).toMatch(/^https:/)
  expect(await (await fetch(`${address}/files/${sha256Of('secure')}`)).text()).toBe('secure')
  expect(await other.jobs()).toEqual([])
  expect(second.output()).not.toContain(other.credential)
})

test.each([
  [{ MUSTER_DEPOT_MASTER: '' }, 'MUSTER_DEPOT_MASTER'],
  [{ MUSTER_DEPOT_MASTER: 'ftp://master' }, 'MUSTER_DEPOT_MASTER'],
  [{ MUSTER_DEPOT_MASTER: 'http://master.example.org' }, 'MUSTER_DEPOT_MASTER'],
  [{ MUSTER_DEPOT_MASTER: 'http://127.0.0.1.example.org' }, 'MUSTER_DEPOT_MASTER'],
  [{ MUSTER_DEPOT_INSECURE: 'yes' }, 'MUSTER_DEPOT_INSECURE'],
  [{ MUSTER_DEPOT_CREDENTIAL: 'secret' }, 'MUSTER_DEPOT_CREDENTIAL'],
  [{ MUSTER_DEPOT_URL: 'depot01/files' }, 'MUSTER_DEPOT_URL'],
  [{ MUSTER_DEPOT_SYNC_MINUTES: '0' }, 'MUSTER_DEPOT_SYNC_MINUTES'],
])('a depot does not start with %j and names the wrong setting', async (setting, name) => {
  const process = spawnDepot({
    MUSTER_DEPOT_MASTER: master,
    MUSTER_DEPOT_CREDENTIAL: 'depot-1.x',
    MUSTER_PORT: '0',
    ...setting,
  })

  expect(await process.exited).toEqual({ code: 1, signal: null })
  expect(process.output()).toContain(`The depot cannot start: ${name} must be`)
})

test('a depot accepts plain http to its own machine, and to another one only with MUSTER_DEPOT_INSECURE', () => {
  const masterOf = (url: string, insecure = '') =>
    readDepotConfiguration({
      MUSTER_DEPOT_MASTER: url,
      MUSTER_DEPOT_CREDENTIAL: 'depot-1.x',
      MUSTER_DEPOT_INSECURE: insecure,
    }).master.href

  for (const own of ['http://localhost:5057/', 'http://127.0.0.1:5057/', 'http://[::1]:5057/'])
    expect(masterOf(own)).toBe(own)
  expect(() => masterOf('http://192.0.2.1/')).toThrow('plain http exposes the credential')
  expect(masterOf('http://192.0.2.1/', 'on')).toBe('http://192.0.2.1/')
})
