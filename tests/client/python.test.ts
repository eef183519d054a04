import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openProxy } from '../../server/test/agent-installation/target-system.ts'
import { repository } from '../../server/test/world/service-process.ts'
import { openClientWorld } from './client-world.ts'

const { address, credentials, given } = await openClientWorld()
const folder = join(repository, 'examples/python')

/** Runs lines of Python, in which `muster` is the client of the guide. */
async function python(lines: string, service = address, secret = credentials.clientSecret) {
  const env = {
    PATH: process.env.PATH,
    PYTHONPATH: folder,
    PYTHONDONTWRITEBYTECODE: '1',
    MUSTER_URL: service,
    MUSTER_CLIENT_ID: credentials.clientId,
    MUSTER_CLIENT_SECRET: secret,
  }
  const program = `from muster import Muster, MusterProblem\nmuster = Muster()\n${lines}`
  return (await promisify(execFile)('python3', ['-c', program], { env })).stdout
}

test('the Python client of the guide reads a list page by page', async () => {
  for (const name of ['pc-1', 'pc-2', 'pc-3']) await given.computer({ name })

  const printed = await python('for one in muster.pages("/api/computer", top=1): print(one["hostname"])')

  expect(printed).toBe('pc-1\npc-2\npc-3\n')
})

test('the Python client repeats what a busy service refuses', async () => {
  let requests = 0
  const busy = await openProxy(address, (path) =>
    path.startsWith('/api/tags') && ++requests === 1 ? { status: 503 } : undefined,
  )

  const printed = await python('print(muster.get("/api/tags")["totalCount"])', busy)

  expect([printed, requests]).toEqual([expect.stringMatching(/^\d+\n$/), 2])
})

test('a problem has its code in Python', async () => {
  const lines =
    'try: muster.get("/api/computer/999999")\nexcept MusterProblem as problem: print(problem.status, problem.code)'

  expect(await python(lines)).toBe('404 ComputerNotFound\n')
  await expect(python('muster.get("/api/tags")', address, 'wrong')).rejects.toThrow('invalid_client')
})

test('the report of the guide runs', async () => {
  const printed = await python('import low_disk_report; low_disk_report.main()')

  expect(printed).toBe('computer,domain,last seen,detail\r\n')
})

test('the Python client sends its secret neither in the clear to another host nor behind a redirect', async () => {
  const received: string[] = []
  const elsewhere = await openProxy(address, (path) => {
    received.push(path)
    return undefined
  })
  const redirecting = createServer((request, response) =>
    response.writeHead(302, { location: `${elsewhere}${request.url}` }).end(),
  )
  await once(redirecting.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void redirecting.close())
  const { port } = redirecting.address() as AddressInfo

  await expect(python('muster.get("/api/tags")', 'http://muster.example.org')).rejects.toThrow('is not encrypted')
  await expect(python('muster.get("/api/tags")', 'http://127.0.0.1.example.org')).rejects.toThrow('is not encrypted')
  await expect(python('muster.get("/api/tags")', `http://127.0.0.1:${port}`)).rejects.toThrow('MusterProblem')
  expect(received).toEqual([])
})
