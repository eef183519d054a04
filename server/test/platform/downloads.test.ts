import { PassThrough } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { type DownloadLimits, openDownloads } from '../../src/platform/load/downloads.ts'
import { machineOf, networkOf } from '../../src/platform/load/networks.ts'

afterEach(() => vi.useRealTimers())

/** Downloads of clients that end when the test decides. `begun` has their addresses in the order of their begin. */
function downloads(limits: DownloadLimits, shareOf = networkOf) {
  const opened = openDownloads(limits, shareOf)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const request = (ip: string) => {
    const raw = new PassThrough()
    const begin = opened.begin({ ip, headers: {} }, { raw })
    return begin.then(
      () => {
        begun.push(ip)
        ends.push(() => raw.destroy())
        return 'begun'
      },
      (error: { kind?: { code: string } } & Error) => error.kind?.code ?? error.message,
    )
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const endFirst = () => {
    ends.shift()?.()
    return settle()
  }
  return { opened, begun, request, settle, endFirst }
}

test('free places go to the networks in turn, however many requests one of them has', async () => {
  const { begun, request, settle, endFirst } = downloads({ max: 2, maxPerNetwork: 0 })
  for (let n = 1; n <= 5; n++) void request(`10.0.0.${n}`)
  for (let n = 1; n <= 2; n++) void request(`10.0.1.${n}`)
  void request('10.0.2.1')
  await settle()

  for (let n = 0; n < 6; n++) await endFirst()

  expect(begun).toEqual([
    ...['10.0.0.1', '10.0.0.2'],
    ...['10.0.0.3', '10.0.1.1', '10.0.2.1', '10.0.0.4', '10.0.1.2', '10.0.0.5'],
  ])
})

test('one network never has more downloads than its limit', async () => {
  const { begun, opened, request, settle, endFirst } = downloads({ max: 10, maxPerNetwork: 2 })
  for (let n = 1; n <= 4; n++) void request(`10.0.0.${n}`)
  await settle()

  const before = [...begun]
  await endFirst()

  expect(before).toEqual(['10.0.0.1', '10.0.0.2'])
  expect(begun).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.3'])
  expect(opened.state()).toEqual({ running: 2, waiting: 1 })
})

test('one machine never has more downloads of installers than its limit, whatever address of its network it uses', async () => {
  const { begun, request, settle } = downloads({ max: 10, maxPerNetwork: 1 }, machineOf)
  for (const address of ['10.0.0.1', '10.0.0.1', '10.0.0.2', '2001:db8::1', '2001:db8::2']) void request(address)
  await settle()

  expect(begun).toEqual(['10.0.0.1', '10.0.0.2', '2001:db8::1'])
})

test('a request that waits for ten seconds is refused and can be repeated', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { opened, request, settle, endFirst } = downloads({ max: 1, maxPerNetwork: 0 })
  await request('10.0.0.1')
  const refused = request('10.0.0.2')
  await settle()

  vi.advanceTimersByTime(10_000)
  const outcome = await refused
  await endFirst()

  expect(outcome).not.toBe('begun')
  expect(opened.state()).toEqual({ running: 0, waiting: 0 })
  expect(await request('10.0.0.2')).toBe('begun')
})

test('without a limit, no download waits', async () => {
  const { begun, request } = downloads({ max: 0, maxPerNetwork: 1 })

  await Promise.all(Array.from({ length: 300 }, () => request('10.0.0.1')))

  expect(begun).toHaveLength(300)
})

test.each([
  ['10.1.2.3', '10.1.2', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2', '2001:db8:1:2'],
  ['2001:db8::5', '2001:db8:0:0', '2001:db8:0:0'],
  ['2001:DB8:0001::', '2001:db8:1:0', '2001:db8:1:0'],
  ['::1', '0:0:0:0', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0', 'fe80:0:0:0'],
])('the address %s belongs to the network %s and counts as the machine %s', (address, network, machine) => {
  expect(networkOf(address)).toBe(network)
  expect(machineOf(address)).toBe(machine)
})
