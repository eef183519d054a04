import { rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { afterAll, expect, test } from 'vitest'
import { listen } from '../../../src/platform/http/listeners.ts'
import { openTemporaryFolder } from '../../world/temporary-folder.ts'
import { openAgentWorld } from '../agent/agent-world.ts'
import { deviceIdOf, fromComputer, samples } from './fusion-world.ts'

const { app, enrolmentToken } = await openAgentWorld()
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
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${listeners.addresses[0]}${path}`,
      { method: body ? 'POST' : 'GET', agent: false, rejectUnauthorized: false, ...certificate },
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
  const config = `${path}?action=getConfig&machineid=${deviceIdOf('pinned')}&task[Deploy]=2.8`

  const first = await send(own, path, inventory)
  const again = await send(own, path, inventory)
  const without = await send(undefined, path, inventory)
  const wrong = await send(other, path, inventory)
  const unknown = await send(foreign, path, inventory)
  const asked = await send(undefined, config)

  expect([first, again, without, wrong, unknown].map(({ status }) => status)).toEqual([200, 200, 401, 401, 401])
  expect(JSON.parse(asked.text)).toMatchObject({ schedule: [] })
})

test('an agent without a certificate can connect with its secret alone', async () => {
  const answer = await send(undefined, `/agent/fusion/${secret}`, fromComputer(samples.prolog, 'plain'))

  expect(answer.status).toBe(200)
})
