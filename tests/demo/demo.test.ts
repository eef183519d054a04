import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../simulator/demo/api.ts'
import { readDemoOptions } from '../../simulator/demo/options.ts'
import { findConsole } from '../../simulator/demo/welcome.ts'
import { startProgram } from '../simulator/start-program.ts'

const main = join(import.meta.dirname, '../../simulator/demo/main.ts')

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-test-'))
  await chmod(folder, 0o711)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function startDemo(args: string[]) {
  const { process: child, output, exited } = startProgram(main, args, 'SIGTERM')
  const ready = () =>
    until(
      async () => {
        if (child.exitCode !== null) throw new Error(output())
        return /#link=/.test(output()) ? output() : undefined
      },
      'the demo to become ready',
      120_000,
    )
  return { ready, exited, interrupt: () => child.kill('SIGINT') }
}

/** Sends the request of the curl command that the demo prints. */
async function runPrintedCurl(output: string): Promise<{ totalCount: number }> {
  const [, token = ''] = /^TOKEN=(\S+)$/m.exec(output) ?? []
  const [, url = ''] = /^curl .*'(http\S+)'$/m.exec(output) ?? []
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  return (await answer.json()) as { totalCount: number }
}

/** Sends what the page of the printed link sends. */
async function followPrintedLink(output: string): Promise<{ principal: { roles: string[] } }> {
  const [, origin, token] = /^ {2}(http:\/\/[^/]+)\/admin\/sign-in#link=(\S+)$/m.exec(output) ?? []
  const answer = await fetch(`${origin}/admin/session/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  return (await answer.json()) as { principal: { roles: string[] } }
}

test('the demo prints a working curl command, a link that signs in and what to try, stops on Ctrl-C and continues with the same computers at the next start', async () => {
  const folder = join(await newFolder(), 'demo')

  const first = startDemo(['--data', folder, '--port', '0', '--computers', '30'])
  const output = await first.ready()
  const overview = await runPrintedCurl(output)
  const signedIn = await followPrintedLink(output)
  first.interrupt()
  const firstEnd = await first.exited
  const second = startDemo(['--data', folder, '--port', '0'])
  const outputLater = await second.ready()
  const overviewLater = await runPrintedCurl(outputLater)
  second.interrupt()

  expect(overview.totalCount).toBeGreaterThan(0)
  expect(signedIn.principal.roles.length).toBeGreaterThan(10)
  expect(output.match(/^ {5}http:\S+\/(packages|rollouts)\/[\w-]{36}$/gm)).toHaveLength(3)
  expect(output).toMatch(/^ {2}4\. Drop an installer.*:\n {5}http:\S+\/packages$/m)
  expect(overviewLater.totalCount).toBeGreaterThan(0)
  expect([firstEnd, await second.exited]).toEqual([0, 0])
  expect(outputLater).toContain('30 computers reconnect')
}, 180_000)

test.for([
  ['shows the address of the console if it is built', 200, 'text/html; charset=utf-8', '/'],
  ['shows no address of the console if it is not built', 503, 'application/problem+json', undefined],
] as const)('the welcome text %s', async ([, status, type, path]) => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/' ? status : 404, { 'content-type': type }).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  expect(await findConsole(address)).toBe(path && address + path)
})

test('the demo refuses a folder that contains something other than a demo', async () => {
  const folder = await newFolder()
  await writeFile(join(folder, 'precious.txt'), 'mine')

  const refused = startDemo(['--data', folder, '--port', '0'])

  await expect(refused.ready()).rejects.toThrow('contains something other than a demo')
  expect(await refused.exited).toBe(1)
})

test('the demo refuses invalid options with a message that names them', () => {
  expect(() => readDemoOptions(['--computers', '5'], {})).toThrow(
    '--computers must be a whole number from 30 to 100000',
  )
  expect(() => readDemoOptions(['--colour'], {})).toThrow('--colour')
  expect(readDemoOptions(['--help'], {})).toBeUndefined()
  expect(readDemoOptions([], { MUSTER_DATA_DIR: '/somewhere', MUSTER_PORT: '7' })).toMatchObject({
    folder: '/somewhere',
    port: 7,
  })
})
