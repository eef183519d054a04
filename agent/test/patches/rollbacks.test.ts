import { expect, test, vi } from 'vitest'
import { run } from '../../src/commands/run.ts'
import { noInventory } from '../../src/inventory/source.ts'
import { linux } from '../../src/platform/linux/index.ts'
import type { PatchSource } from '../../src/platform/reports.ts'
import { stateFolder } from '../../src/state/state-folder.ts'
import { openWorld } from '../world.ts'

const options = { once: true, preOs: false, rebootCommand: 'true' }
const source: PatchSource = {
  unavailable: 'it has no apt',
  scan: async () => ({ scannedUtc: '2026-03-14T09:26:53.000Z', patches: [] }),
  rollBack: async () => ({ rebootRequired: false, outcomes: [] }),
}
const once = (state: string, patches: PatchSource = source) =>
  run(stateFolder(linux, state), options, { inventory: noInventory, patches })

const openssl = { patchId: 3, productId: 4, key: 'openssl 3.0.16' }
const curl = { patchId: 5, productId: 4, key: 'curl 8.0' }

/** A fix package whose command writes these outcomes, as roll-back-patches does. */
const fixThatAnswers = (outcomes: unknown, exit = 'true') => ({
  package: { kind: 'PatchFix' as const },
  commands: {
    install: {
      shell: `cat > "$(dirname "$MUSTER_ROLLBACKS")/muster-rollback-outcomes.json" <<'END'\n${JSON.stringify(outcomes)}\nEND\n${exit}`,
    },
  },
  rollbacks: [openssl, curl],
})

test('the scan after a fix says what has become of each patch that was to be rolled back, once', async () => {
  const { server, state } = await openWorld()
  const workId = server.give(
    fixThatAnswers([
      { key: curl.key, outcome: 'Refused', reason: 'The package is locked by apt-mark hold.' },
      { key: openssl.key, outcome: 'RolledBack', reason: 'Now installed: openssl 3.0.15.' },
      { key: 'never asked', outcome: 'RolledBack', reason: '' },
    ]),
  )

  await once(state)
  server.give({ kind: 'Refresh' })
  await once(state)

  const rollbacks = [
    { patchId: 3, productId: 4, outcome: 'RolledBack', reason: 'Now installed: openssl 3.0.15.' },
    { patchId: 5, productId: 4, outcome: 'Refused', reason: 'The package is locked by apt-mark hold.' },
  ]
  expect(server.patchScans.map((scan) => scan.rollbacks)).toEqual([rollbacks, undefined])
  const paths = server.calls.map(({ path }) => path)
  expect(paths.indexOf('/agent/v1/patch-scan')).toBeLessThan(paths.indexOf(`/agent/v1/work/${workId}/result`))
})

test('a patch without an outcome is tried again, and that of a fix that fails for another patch is reported', async () => {
  const { server, state } = await openWorld()
  server.give(fixThatAnswers([{ key: openssl.key, outcome: 'RolledBack', reason: 'It is gone.' }], 'exit 1'))

  await once(state)

  expect(server.patchScans[0]?.rollbacks).toEqual([
    { patchId: 3, productId: 4, outcome: 'RolledBack', reason: 'It is gone.' },
  ])
})

test.each([
  ['that does not roll back', source, /^The fix package of this computer does not roll patches back/],
  [
    'on a platform without rollbacks',
    { unavailable: '', scan: source.scan },
    /^On Linux, Muster cannot roll patches back\.$/,
  ],
])('a fix package %s is named as the reason', async (_, patches, reason) => {
  const { server, state } = await openWorld()
  server.give({ package: { kind: 'PatchFix' }, rollbacks: [openssl] })

  await once(state, patches)

  expect(server.patchScans[0]?.rollbacks).toEqual([
    { patchId: 3, productId: 4, outcome: 'Refused', reason: expect.stringMatching(reason) },
  ])
})

test('a fix package that fails before it has rolled anything back is tried again', async () => {
  const { server, state } = await openWorld()
  server.give({ package: { kind: 'PatchFix' }, commands: { install: { shell: 'exit 1' } }, rollbacks: [openssl] })

  await once(state)

  expect(server.patchScans).toHaveLength(1)
  expect(server.patchScans[0]).not.toHaveProperty('rollbacks')
})

test.each([
  ['no list', { key: openssl.key }],
  ['no outcome', [{ key: openssl.key, outcome: 'Deleted', reason: '' }]],
  ['no reason', [{ key: openssl.key, outcome: 'RolledBack', reason: null }]],
])('outcomes that are %s are ignored, and the package is named', async (_, outcomes) => {
  const { server, state } = await openWorld()
  server.give(fixThatAnswers(outcomes))

  await once(state)

  expect(server.patchScans[0]?.rollbacks).toMatchObject([{ outcome: 'Refused' }, { outcome: 'Refused' }])
})

test('files of the package are no answers, and long or strange reasons are made to fit', async () => {
  const { server, state } = await openWorld()
  const forged = JSON.stringify([{ key: openssl.key, outcome: 'RolledBack', reason: 'forged' }])
  server.give({
    package: { kind: 'PatchFix' },
    files: { 'muster-rollback-outcomes.json': forged, 'muster-rollbacks.json': forged },
    rollbacks: [openssl],
  })
  server.give(fixThatAnswers([{ key: curl.key, outcome: 'Refused', reason: `a\0b${'x'.repeat(5_000)}` }]))

  await once(state)

  const [first, second] = server.patchScans
  expect(first?.rollbacks).toMatchObject([{ outcome: 'Refused', reason: expect.stringContaining('does not roll') }])
  const [{ reason } = { reason: '' }] = second?.rollbacks ?? []
  expect(reason).toHaveLength(1_000)
  expect(reason).toMatch(/^a\uFFFDbx+$/)
})

test('what a scan could not report is reported by the next one', async () => {
  const { server, state } = await openWorld()
  server.give(fixThatAnswers([{ key: openssl.key, outcome: 'RolledBack', reason: 'It is gone.' }]))
  await once(state, { ...source, scan: () => Promise.reject(new Error('apt-cache has failed')) })
  const before = server.patchScans.length
  server.give({ kind: 'Refresh' })

  await once(state)

  expect(before).toBe(0)
  expect(server.patchScans[0]?.rollbacks).toMatchObject([{ outcome: 'RolledBack', reason: 'It is gone.' }])
  vi.restoreAllMocks()
})
