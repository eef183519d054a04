import { rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import { sql } from 'kysely'
import { generate } from 'selfsigned'
import { afterAll, expect, test } from 'vitest'
import { listen } from '../../../src/platform/http/listeners.ts'
import { openTemporaryFolder } from '../../world/temporary-folder.ts'
import { openAgentWorld } from '../agent/agent-world.ts'
import { computerOfDevice, deviceIdOf, fromComputer, samples, takeOverRefused } from './fusion-world.ts'

const { app, db, enrolmentToken, readyPackage, work } = await openAgentWorld()
const folder = await openTemporaryFolder()
afterAll(() => rm(folder, { recursive: true }))
const server = await createKeyPair('127.0.0.1')
const [own, other, foreign] = [await createKeyPair('pc-1'), await createKeyPair('pc-2'), await createKeyPair('pc-3')]
const files = await writeFiles({
  'cert.pem': server.cert,
  'key.pem': server.key,
  'clients.pem': `${own.cert}\n${other.cert}`,
})
const { configuration } = app.services
const listeners = await listen(app.http, {
  ...configuration,
  plainHttp: false,
  tls: {
    certificateFile: files['cert.pem'] ?? '',
    keyFile: files['key.pem'] ?? '',
    clientAuthorityFile: files['clients.pem'] ?? '',
    port: 0,
  },
})
afterAll(listeners.close)
const { token: secret } = await enrolmentToken()

type KeyPair = { cert: string; key: string }
type JobFile = { mirrors: string[]; multiparts: string[] }

async function createKeyPair(name: string): Promise<KeyPair> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keySize: 2048,
    extensions: [{ name: 'basicConstraints', cA: true }],
  })
  return { cert, key }
}

async function writeFiles(contents: Record<string, string>): Promise<Record<string, string>> {
  const paths = Object.entries(contents).map(([name, content]) => [name, join(folder, name), content] as const)
  await Promise.all(paths.map(([, path, content]) => writeFile(path, content)))
  return Object.fromEntries(paths.map(([name, path]) => [name, path]))
}

/** Sends a message, or asks for work without a body, with or without a certificate. */
function send(
  certificate: KeyPair | undefined,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${listeners.addresses[0]}${path}`,
      { method: body ? 'POST' : 'GET', headers, agent: false, rejectUnauthorized: false, ...certificate },
      (answer) => {
        let text = ''
        answer.setEncoding('latin1').on('data', (chunk: string) => {
          text += chunk
        })
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })
}

test('an agent that has connected with a certificate cannot connect without it any more', async () => {
  const path = `/agent/fusion/${secret}`
  const inventory = fromComputer(samples.fusionInventory, 'pinned')

  const first = await send(own, path, inventory)
  const again = await send(own, path, inventory)
  const without = await send(undefined, path, inventory)
  const wrong = await send(other, path, inventory)
  const unknown = await send(foreign, path, inventory)

  expect([first, again, without, wrong, unknown].map(({ status }) => status)).toEqual([
    200,
    200,
    takeOverRefused,
    takeOverRefused,
    takeOverRefused,
  ])
})

test('with a shared secret, jobs and their files are only for the certificate of their agent', async () => {
  const name = 'certified'
  const path = `/agent/fusion/${secret}`
  await send(own, path, fromComputer(samples.fusionInventory, name))
  await work(await computerOfDevice(db, deviceIdOf(name)), await readyPackage({ files: { 'install.sh': 'true' } }))
  const machine = `machineid=${deviceIdOf(name)}`
  const remoteFor = async (certificate: KeyPair | undefined) => {
    const { text } = await send(certificate, `${path}?action=getConfig&${machine}`)
    return JSON.parse(text).schedule[0]?.remote
  }

  const remotes = [await remoteFor(undefined), await remoteFor(other), await remoteFor(own)]
  const { pathname } = new URL(remotes[2])
  const asked = `${pathname}?action=getJobs&${machine}`
  const jobs = [await send(undefined, asked), await send(other, asked), await send(own, asked)]
  const [file] = Object.values<JobFile>(JSON.parse(jobs[2]?.text ?? '').associatedFiles)
  const [part = ''] = file?.multiparts ?? []
  const partPath = `${new URL(file?.mirrors[0] ?? '').pathname}${part[0]}/${part.slice(0, 2)}/${part}`
  const parts = [await send(undefined, partPath), await send(other, partPath), await send(own, partPath)]

  expect(remotes).toEqual([undefined, undefined, expect.any(String)])
  expect(jobs.map(({ status }) => status)).toEqual([401, 401, 200])
  expect(parts.map(({ status }) => status)).toEqual([401, 401, 200])
})

test('a certificate is added only to an agent that proves itself with a secret of its own', async () => {
  const glpi = { 'glpi-agent-id': 'b7a1c1f0-e087-11f1-91be-a7280202bb80' }
  const path = `/agent/fusion/${secret}`
  const [shared, native] = ['shared', 'native'].map((name) => fromComputer(samples.fusionInventory, name))
  await send(undefined, path, shared)
  await send(undefined, path, native, glpi)

  const foreign = [await send(other, path, shared), await send(other, path, native)]
  const added = await send(own, path, native, glpi)
  const without = await send(undefined, path, native, glpi)
  const still = await send(undefined, path, shared)

  expect(foreign.map(({ status }) => status)).toEqual([takeOverRefused, takeOverRefused])
  expect([added, without, still].map(({ status }) => status)).toEqual([200, takeOverRefused, 200])
})

test('an agent with a certificate may change its address', async () => {
  const { token: another } = await enrolmentToken()
  const inventory = fromComputer(samples.fusionInventory, 'moving')
  await send(own, `/agent/fusion/${secret}`, inventory)

  const moved = await send(own, `/agent/fusion/${another}`, inventory)

  expect(moved.status).toBe(200)
})

test('an agent without a certificate can connect with its secret alone', async () => {
  const answer = await send(undefined, `/agent/fusion/${secret}`, fromComputer(samples.prolog, 'plain'))

  expect(answer.status).toBe(200)
})

test('a device that was known before agent ids were stored gets no certificate from the sender of the first agent id', async () => {
  const victim = { 'glpi-agent-id': '0d6fbe7c-e087-11f1-91be-a7280202bb80' }
  const intruder = { 'glpi-agent-id': 'e5a1c1f0-e087-11f1-91be-a7280202bb80' }
  const path = `/agent/fusion/${secret}`
  const inventory = fromComputer(samples.fusionInventory, 'legacy')
  const known = async () => {
    await send(undefined, path, inventory, victim)
    // What the migration leaves of a device from before.
    await db
      .updateTable('fusion_devices')
      .set({ agent_id_hash: null, adopts_agent_id: true })
      .where('device_id', '=', deviceIdOf('legacy'))
      .where('computer_id', 'is not', null)
      .execute()
  }
  await known()

  const inOneStep = await send(other, path, inventory, intruder)
  const legitimate = await send(undefined, path, inventory, victim)
  await known()
  const adopted = await send(undefined, path, inventory, intruder)
  const inTwoSteps = await send(other, path, inventory, intruder)

  expect([inOneStep, inTwoSteps].map(({ status }) => status)).toEqual([takeOverRefused, takeOverRefused])
  expect([legitimate, adopted].map(({ status }) => status)).toEqual([200, 200])
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from fusion_devices
    where device_id = ${deviceIdOf('legacy')} and computer_id is not null and certificate_hash is not null`.execute(db)
  expect(rows).toEqual([{ count: 0 }])
})

test('a device with a token of its own that was known before agent ids were stored adds its certificate in a second step', async () => {
  const glpi = { 'glpi-agent-id': '1f6fbe7c-e087-11f1-91be-a7280202bb80' }
  const { token } = await enrolmentToken({ maxUses: 1 })
  const path = `/agent/fusion/${token}`
  const inventory = fromComputer(samples.fusionInventory, 'own-token')
  await send(undefined, path, inventory)
  await sql`update fusion_devices set adopts_agent_id = true where device_id = ${deviceIdOf('own-token')}`.execute(db)
  const hasCertificate = async () =>
    (
      await sql<{ has: boolean }>`select certificate_hash is not null as has from fusion_devices
      where device_id = ${deviceIdOf('own-token')}`.execute(db)
    ).rows

  const first = await send(own, path, fromComputer(samples.prolog, 'own-token'), glpi)
  const afterFirst = await hasCertificate()
  const second = await send(own, path, inventory, glpi)

  expect([first.status, second.status]).toEqual([200, 200])
  expect([afterFirst, await hasCertificate()]).toEqual([[{ has: false }], [{ has: true }]])
})
