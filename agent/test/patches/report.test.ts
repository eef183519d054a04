import { expect, onTestFinished, test, vi } from 'vitest'
import { run } from '../../src/commands/run.ts'
import { noInventory } from '../../src/inventory/source.ts'
import { noPatches } from '../../src/patches/source.ts'
import { linux } from '../../src/platform/linux/index.ts'
import type { PatchSource } from '../../src/platform/reports.ts'
import { stateFolder } from '../../src/state/state-folder.ts'
import { openWorld } from '../world.ts'

const key = 'openssl 3.0.22-1~deb12u2'
const patch = { patchId: 3, productId: 4, key, name: key, product: 'Debian GNU/Linux 12', files: [] }

const options = { once: true, preOs: false, rebootCommand: 'true' }

const once = (state: string, patches: PatchSource) =>
  run(stateFolder(linux, state), options, { inventory: noInventory, patches })

/** Finds the patch missing, and installed when it is known. */
const source: PatchSource = {
  unavailable: 'it has no apt',
  scan: async (known) => ({
    scannedUtc: '2026-03-14T09:26:53.000Z',
    patches: [{ key, product: patch.product, status: known.has(key) ? 'Installed' : 'Missing' }],
  }),
}

test.each([
  ['a refresh', { kind: 'Refresh' }],
  ['a patch scan', { package: { kind: 'PatchScan' } }],
  ['a fix', { package: { kind: 'PatchFix' } }],
  ['a fix that fails', { package: { kind: 'PatchFix' }, commands: { install: { shell: 'false' } } }],
] as const)('%s sends the patches before its result', async (_, given) => {
  const { server, state } = await openWorld()
  const workId = server.give(given)

  await once(state, source)

  expect(server.patchScans).toMatchObject([{ patches: [{ key, status: 'Missing' }] }])
  const paths = server.calls.map(({ path }) => path)
  expect(paths.indexOf('/agent/v1/patch-scan')).toBeLessThan(paths.indexOf(`/agent/v1/work/${workId}/result`))
})

test('a fix that fails shows the last lines of its output in its error', async () => {
  const { server, runOnce } = await openWorld()
  const shell = 'seq 1 20; echo; echo "NOT installed: openssl 3.0 (size mismatch, $SECRET)" >&2; exit 1'
  const given = {
    package: { kind: 'PatchFix' },
    commands: { install: { shell: `SECRET=s3cret-value; ${shell}` } },
  } as const
  const failed = server.give({ ...given, secrets: { Proxy: 's3cret-value' } })
  const silent = server.give({ package: { kind: 'PatchFix' }, commands: { install: { shell: 'exit 1' } } })

  await runOnce()

  const lines = server.resultOf(failed)?.errorText?.split('\n') ?? []
  expect(lines[0]).toBe('The command exited with code 1. The end of its output:')
  expect(lines.slice(1, 10)).toEqual(['12', '13', '14', '15', '16', '17', '18', '19', '20'])
  expect(lines[10]).toMatch(/^NOT installed: openssl 3\.0 \(size mismatch, (?!s3cret).+\)$/)
  expect(server.resultOf(silent)?.errorText).toBe('The command exited with code 1.')
})

test('other packages send no patch scan', async () => {
  const { server, state } = await openWorld()
  server.give()

  await once(state, source)

  expect(server.patchScans).toEqual([])
})

test('a scan knows the findings of the previous one', async () => {
  const { server, state } = await openWorld()
  for (let scans = 0; scans < 2; scans++) {
    server.give({ package: { kind: 'PatchScan' } })
    await once(state, source)
  }

  expect(server.patchScans.map(({ patches }) => patches[0]?.status)).toEqual(['Missing', 'Installed'])
})

test.each([
  ['of a computer without apt', { ...source, scan: async () => undefined }, 'no apt'],
  ['of an agent without inventory', noPatches, 'the inventory is switched off'],
  [
    'that breaks off',
    { ...source, scan: () => Promise.reject(new Error('apt-cache has failed')) },
    'apt-cache has failed',
  ],
])('a patch scan %s has failed, and says why', async (_, patches, reason) => {
  const { server, state } = await openWorld()
  const workId = server.give({ package: { kind: 'PatchScan' } })

  await once(state, patches)

  expect(server.resultOf(workId)).toMatchObject({ status: 'Failed', errorText: expect.stringContaining(reason) })
})

test('a patch scan that the server refuses has failed', async () => {
  const { server, state } = await openWorld()
  const workId = server.give({ package: { kind: 'PatchScan' } })
  server.interfere = ({ path }, answer) => {
    const isScan = path === '/agent/v1/patch-scan'
    if (isScan) answer.writeHead(503).end('{}')
    return isScan
  }

  await once(state, source)

  expect(server.resultOf(workId)).toMatchObject({ status: 'Failed', errorText: expect.stringContaining('503') })
})

test('a patch scan of which the server ignores a part succeeds, and the log says why', async () => {
  const { server, state } = await openWorld()
  const workId = server.give({ package: { kind: 'PatchScan' } })
  server.interfere = ({ path }, answer) => {
    const isScan = path === '/agent/v1/patch-scan'
    if (isScan) answer.writeHead(200).end('{"ignoredPatches":7,"message":"The quota is used up."}')
    return isScan
  }
  const log = vi.spyOn(console, 'log')
  onTestFinished(() => log.mockRestore())

  await once(state, source)

  expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
  expect(log.mock.calls.join('\n')).toContain('The server ignored 7 patches of the scan. The quota is used up.')
})

test('a fix succeeds even if the patches cannot be scanned afterwards', async () => {
  const { server, state } = await openWorld()
  const workId = server.give({ package: { kind: 'PatchFix' } })

  await once(state, { ...source, scan: () => Promise.reject(new Error('apt-cache has failed')) })

  expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
})

test('the commands of a fix package, and of no other, find the list of their patches', async () => {
  const { server, state } = await openWorld()
  const print = { shell: 'cat "$MUSTER_PATCHES"' }
  const files = { 'muster-patches.json': 'from the package' }
  const fix = server.give({ package: { kind: 'PatchFix' }, commands: { install: print }, patches: [patch], files })
  const other = server.give({ commands: { install: { shell: 'echo "<$MUSTER_PATCHES>"' } } })
  const again = server.give({ commands: { install: { shell: 'cat muster-patches.json' } }, files })

  await once(state, source)

  expect(JSON.parse(server.resultOf(fix)?.output ?? '')).toEqual([patch])
  expect(server.resultOf(other)?.output).toBe('<>\n')
  expect(server.resultOf(again)?.output).toBe('from the package')
})

test('the commands of a fix package find the files of a patch where the list says', async () => {
  const { server, state } = await openWorld()
  const path = 'muster-patches/3-4/0a1b2c3d/openssl.deb'
  const print = { shell: 'cat "$(dirname "$MUSTER_PATCHES")/$(grep -o muster-patches/[^\\"]*.deb "$MUSTER_PATCHES")"' }
  const fix = server.give({
    package: { kind: 'PatchFix' },
    commands: { install: print },
    files: { [path]: 'the new openssl' },
    patches: [{ ...patch, files: [path] }],
  })

  await once(state, source)

  expect(server.resultOf(fix)?.output).toBe('the new openssl')
})
