import { expect, test } from 'vitest'
import { refreshFleetStatistics } from '../../server/src/features/issues/fleet-statistics.ts'
import { listPmGroupPatches } from '../../server/src/features/patch-management/api/pm-groups/list-pm-group-patches.ts'
import { openPatchWorld } from '../../server/test/patch-management/patch-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openPatchWorld()
const { as, db, fleet, given, scannablePatch } = world
const { muster, musterOn } = await commandsIn(world)

const cve = 'CVE-2026-4711'
const openssl = await scannablePatch({ name: 'openssl 3.0.16', q_number: 'KB100', cves: [cve] })
const curl = await scannablePatch({ name: 'curl 8.9', q_number: 'KB200', cves: [cve] })
const twins = [await scannablePatch({ name: 'Update for Office' }), await scannablePatch({ name: 'Update for Office' })]
const { computers, group } = await fleet({ computers: 2 })
for (const computer of computers) await given.patchScan(computer, [openssl.missing, curl.missing])
await refreshFleetStatistics(db)

const approvedOf = async () => {
  const { out } = await muster('patches', 'list', '--approved', '-o', 'json')
  return (JSON.parse(out) as { patchName: string }[]).map(({ patchName }) => patchName).sort()
}

test('patches are approved and revoked by name, number, id and CVE, several at once', async () => {
  const tried = await muster('patches', 'approve', 'openssl 3.0.16', `#${curl.id}`, '--dry-run')
  const before = await approvedOf()
  const approved = await muster('patches', 'approve', 'openssl 3.0.16', `#${curl.id}`)
  const after = await approvedOf()
  const revoked = await muster('patches', 'revoke', 'KB100')
  const left = await approvedOf()
  const rest = await muster('patches', 'revoke', cve)
  const again = await muster('patches', 'revoke', cve)

  expect(tried.out).toMatch(/^openssl 3.0.16, curl 8.9: would be approved.\n2 computers lack them, and 0 get them.\n/)
  expect(tried.out).toMatch(/management group with them is assigned:\n {2}curl 8.9\n {2}openssl 3.0.16\n$/)
  expect(before).toEqual([])
  expect(approved).toMatchObject({ code: 0, out: expect.stringMatching(/^openssl 3.0.16, curl 8.9: approved.\n/) })
  expect(after).toEqual(['curl 8.9', 'openssl 3.0.16'])
  expect(revoked).toMatchObject({ code: 0, out: 'openssl 3.0.16: no longer approved.\n' })
  expect(left).toEqual(['curl 8.9'])
  expect(rest.out).toBe('curl 8.9: no longer approved.\n')
  expect(again.out).toBe('None of them is approved.\n')
})

test('an approval that reaches computers states their number, and puts patches into a group by its name', async () => {
  const pmGroup = await given.pmGroup({ name: 'Servers' })
  await given.pmAssignment(pmGroup, group)
  const words = ['patches', 'approve', cve, '--group', 'servers']

  const unconfirmed = await muster(...words)
  const asked: string[] = []
  const refused = await musterOn({ ask: async (question) => `${asked.push(question)}` }, ...words)
  const before = await approvedOf()
  const approved = await muster(...words, '--expect', '2')
  const { body } = await as('pm.read').call(listPmGroupPatches, { params: { id: pmGroup.id } })
  const revoked = await muster('patches', 'revoke', cve, '--expect', '2')

  expect(unconfirmed).toMatchObject({ code: 1, err: 'The approval affects 2 computers: repeat with --expect 2.\n' })
  expect(asked).toEqual(['The approval affects 2 computers. Type 2 to continue: '])
  expect(refused).toMatchObject({ code: 1, err: 'Nothing was changed.\n' })
  expect(before).toEqual([])
  expect(approved.out).toMatch(/: approved.\n2 computers lack them, and 2 get them.\n$/)
  expect(body.items.map(({ patchId }) => patchId).sort()).toEqual([openssl.id, curl.id].sort())
  expect(revoked.code).toBe(0)
})

test('a patch that is unknown or ambiguous is an error that names the candidates, and nothing is approved', async () => {
  const unknown = await muster('patches', 'approve', 'openssl 3.0.17', 'KB200')
  const ambiguous = await muster('patches', 'approve', 'Update for Office')
  const missing = await muster('patches', 'approve', '#999999')
  const nobody = await muster('patches', 'approve', 'KB200', '--group', 'Nobody')

  expect(unknown).toMatchObject({ code: 2, err: expect.stringMatching(/^No patch is named "openssl 3.0.17"/) })
  expect(ambiguous).toMatchObject({ code: 2, err: expect.stringContaining('ambiguous: 2 patches match') })
  for (const { id } of twins) expect(ambiguous.err).toContain(`#${id}`)
  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('PatchNotFound') })
  expect(nobody).toMatchObject({ code: 2, err: 'No patch management group is named "Nobody".\n' })
  expect(await approvedOf()).toEqual([])
})
