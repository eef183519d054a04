import { expect, test } from 'vitest'
import { openMemoryRelease } from '../../src/features/agents/wake/memory-release.ts'

const at = (seconds: number, connections: number) => Array.from({ length: seconds }, () => connections)
const rising = (to: number) => Array.from({ length: to / 500 }, (_, second) => 500 * (second + 1))

test.each([
  ['many agents have connected and no more come', [...rising(5_000), ...at(15, 5_000)], [5_000]],
  ['agents still connect', [...rising(20_000)], []],
  ['few have connected', at(60, 900), []],
  [
    'connections come and go at rest',
    [...rising(5_000), ...at(15, 5_000), ...at(60, 4_990), ...at(60, 5_010)],
    [5_000],
  ],
  [
    'all have come back after a restart of the network',
    [...rising(5_000), ...at(15, 5_000), ...at(5, 0), ...rising(5_000), ...at(15, 5_000)],
    [5_000, 5_000],
  ],
])('when %s, memory is given back as often as it helps', (_, seconds, expected) => {
  const released: number[] = []
  let current = 0
  const observe = openMemoryRelease(() => released.push(current))

  for (const connections of seconds) {
    current = connections
    observe(connections)
  }

  expect(released).toEqual(expected)
})
