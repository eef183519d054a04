import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { manifestOf } from '../packages/package-world.ts'
import { startSlowReceiver } from '../webhooks/slow-receiver.ts'
import { startIdentityProvider } from '../world/identity-provider.ts'
import { acts } from './acts.ts'
import { machines } from './machines.ts'
import { type Change, changes, type Promised, promises, type Thing } from './promises.ts'
import { type Opened, openRevocationWorld } from './revocation-world.ts'
import { signIns } from './sign-ins.ts'
import { streams } from './streams.ts'

// Heartbeats and the checks of downloads: the test decides when they are due.
vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
afterAll(() => void vi.useRealTimers())

const provider = await startIdentityProvider({ pages: 'http://localhost' })
afterAll(() => provider.close())
const receiver = await startSlowReceiver()
const world = await openRevocationWorld({
  identityProviders: [provider.settings],
  webhookPrivateHosts: [receiver.host],
})

async function giveFolder(path: string): Promise<void> {
  await mkdir(join(world.store, path), { recursive: true })
  await writeFile(join(world.store, path, 'muster-package.json'), JSON.stringify(manifestOf({ name: path })))
}

type Tried = Change | 'deleted' | 'nothing'

const openings: Record<Thing, (upcoming: Tried) => Promise<Opened>> = {
  ...signIns(world, provider),
  ...streams(world),
  ...acts(world, receiver, giveFolder),
  ...machines(world),
}

const cells = Object.entries(promises).flatMap(([thing, row]) =>
  [...(Object.keys(changes) as Change[]), 'deleted' as const].map((change) => {
    const promised: Promised = row[change === 'deleted' ? 'revoked' : change]
    return { thing: thing as Thing, name: row.name, change, promised }
  }),
)

describe.each(Object.entries(promises).map(([thing, { name }]) => ({ thing: thing as Thing, name })))(
  '$name',
  ({ thing }) => {
    test('goes on if nothing changes', async () => {
      const opened = await openings[thing]('nothing')

      expect(await opened.continues()).toBe(true)
    })

    test.each(cells.filter((cell) => cell.thing === thing && !('none' in cell.promised)))(
      'keeps its promise if the right is $change',
      async ({ change, promised }) => {
        const opened = await openings[thing](change)
        await opened.change(change)

        expect(await opened.continues()).toBe('continues' in promised)
      },
    )
  },
)

const textOf = (promised: Promised) => {
  if ('ends' in promised) return promised.ends
  return 'continues' in promised ? `continues: ${promised.continues}` : `– (${promised.none})`
}

test('the security page shows the promises that are tested', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/security.md'), 'utf8')
  const [, section = ''] = page.split('## What ends when a right ends')
  const rows = (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\| *-/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

  const columns = Object.keys(changes) as Change[]
  expect(rows).toEqual([
    ['What is open', ...Object.values(changes)],
    ...Object.values(promises).map((row) => [row.name, ...columns.map((change) => textOf(row[change]))]),
  ])
})
