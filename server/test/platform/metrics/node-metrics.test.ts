import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { openNodeMetrics } from '../../../src/platform/metrics/node-metrics.ts'

/** The metrics of a worker that has answered some requests. */
async function worker(requests: number) {
  const registry = new Registry()
  const registers = [registry]
  new Counter({ name: 'requests_total', help: 'Requests', registers }).inc(requests)
  const seconds = new Histogram({ name: 'seconds', help: 'Seconds', buckets: [1], registers })
  for (let count = 0; count < requests; count++) seconds.observe(0.5)
  new Gauge({ name: 'connections', help: 'Connections', registers }).set(4)
  return registry.getMetricsAsJSON()
}

test('what a worker has counted stays in the sum of its node when the worker is gone, and its connections do not', async () => {
  const node = openNodeMetrics()
  node.record(1, await worker(3))
  node.record(2, await worker(4))
  const before = await node.render()

  node.retire(1)
  const meanwhile = await node.render()
  node.record(3, await worker(1))
  node.retire(2)
  const after = await node.render()

  expect(before).toContain('requests_total 7\n')
  expect(before).toContain('connections 8\n')
  expect(meanwhile).toContain('requests_total 7\n')
  expect(meanwhile).toContain('connections 4\n')
  for (const sum of ['requests_total 8', 'seconds_count 8', 'seconds_bucket{le="1"} 8', 'connections 4'])
    expect(after).toContain(`${sum}\n`)
})

test('a worker that sends its metrics again is counted once', async () => {
  const node = openNodeMetrics()

  node.record(1, await worker(3))
  node.record(1, await worker(5))
  node.retire(1)
  node.retire(1)

  expect(await node.render()).toContain('requests_total 5\n')
})
