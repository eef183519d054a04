import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { modelRuns } from '../world/model-runs.ts'
import { administrator, startServiceProcess } from '../world/service-process.ts'
import { surfaces } from './fuzz/documents.ts'
import { prepareTarget } from './fuzz/prepare.ts'
import { openRandom } from './fuzz/random.ts'
import { openRecentRequests } from './fuzz/recent-requests.ts'
import { listArrayPaths, repeatItems } from './fuzz/repeated-items.ts'
import { runFuzz, sendAndCheck } from './fuzz/run-fuzz.ts'
import { openSender } from './fuzz/send.ts'

// The short version of `npm run bench -- fuzz`, with other requests in each run.
const requests = modelRuns(600)
const seed = randomInt(2 ** 31)

test('hostile requests to all surfaces, and requests that name something twice, are answered as declared', async () => {
  const env = { MUSTER_ENROLMENT_RATE_LIMIT: '0', MUSTER_LOG_LEVEL: 'warn' }
  const service = await startServiceProcess({ env })
  const packageStore = join(service.dataDirectory, 'packages')
  const target = await prepareTarget({ address: service.address, packageStore, administrator })
  const violations: string[] = []
  const sender = openSender(service.address, 4)
  const arrays = target.operations.flatMap((operation) =>
    listArrayPaths(operation).map((path) => ({ operation, path })),
  )

  // These have nothing but what they need, and name objects that exist: nearly all would be valid otherwise.
  for (const [index, { operation, path }] of arrays.entries()) {
    const random = openRandom(seed, requests + index)
    const request = repeatItems(random, operation, { path, isPlain: true }, target.harvest, target.callers)
    const { sentence } = await sendAndCheck(sender, request)
    if (sentence) violations.push(`${operation.id}, ${request.body}: ${sentence}`)
  }
  sender.close()
  const { bySurface } = await runFuzz(target, {
    seed,
    requests,
    surfaces,
    connections: 8,
    recent: openRecentRequests(),
    onViolation({ number, request: { method, path }, sentence }) {
      violations.push(`--seed ${seed} --only ${number}: ${method} ${path}: ${sentence}`)
    },
  })

  expect(violations, service.output()).toEqual([])
  expect(Object.keys(bySurface)).toEqual([...surfaces])
  // The others have few requests, and a hostile one may revoke their credential.
  for (const surface of ['api', 'agent']) expect(bySurface[surface]?.statuses['2xx']).toBeGreaterThan(0)
  expect(arrays.length).toBeGreaterThan(60)
}, 120_000)
