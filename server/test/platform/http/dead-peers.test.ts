import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { deadPeerSeconds } from '../../../src/features/agents/wake/upkeep.ts'
import { beatSeconds } from '../../../src/features/agents/wake/wake-connections.ts'
import { parseDeadPeers } from '../../../src/platform/http/dead-peers.ts'

const head =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode                     \n'
const line = (peer: string, state: string, sent: string, repetitions: string) =>
  `   0: 0100007F:13C1 ${peer} ${state} ${sent}:00000000 01:00000014 ${repetitions}     0        0 1579 1 0000000000000000\n`

test('only connections whose bytes were repeated and never acknowledged are dead', () => {
  const table = [
    head,
    line('0200007F:A797', '01', '00000001', '00000006'),
    line('0300007F:A797', '01', '00000001', '00000002'),
    line('0400007F:A797', '01', '00000000', '00000000'),
    line('0500007F:A797', '06', '00000001', '00000009'),
    line('0000000000000000FFFF00000700007F:0050', '01', '00000001', '0000000A'),
    line('B80D0120000000000000000001000000:0050', '01', '00000001', '0000000A'),
  ].join('')

  expect(parseDeadPeers(table)).toEqual(['127.0.0.2 42903', '127.0.0.7 80', '2001:db8::1 80'])
})

/** Who is not root may have a network of its own if it seems to be root. */
const ownNetwork = ['-n', '-rn'].find(
  (option) => spawnSync('unshare', [option, 'ip', 'link', 'set', 'lo', 'up']).status === 0,
)

test.runIf(ownNetwork)(
  'a network that silently drops packets is noticed within a minute, heartbeat included',
  async () => {
    const program = join(import.meta.dirname, 'silent-cut.ts')

    const { stdout } = await promisify(execFile)('unshare', [ownNetwork ?? '', process.execPath, program])

    const { before, isFound, secondsAfterWrite } = JSON.parse(stdout)
    expect({ before, isFound }).toEqual({ before: false, isFound: true })
    expect(beatSeconds + secondsAfterWrite + deadPeerSeconds).toBeLessThan(60)
  },
)
