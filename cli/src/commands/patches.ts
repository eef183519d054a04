import type { components, operations } from '@muster/client'
import { command, dryRunOption, expectOption, type Parameter } from '../command.ts'
import { makeConfirmed } from '../confirm-change.ts'
import { findPatches, formatPatch, type NamedPatch } from '../names/patches.ts'
import { findPmGroup } from '../names/pm-groups.ts'
import { formatCount } from '../output/counts.ts'
import type { Column } from '../output/output.ts'
import { limited, parseLimit } from './lists.ts'

type Schemas = components['schemas']
type Patch = Schemas['FleetPatch']
type Query = NonNullable<operations['listFleetPatches']['parameters']['query']>

const severities: readonly NonNullable<Patch['severity']>[] = ['Critical', 'Important', 'Moderate', 'Low', 'Unrated']
const ages: Extract<Query['age'], readonly unknown[]> = ['UpTo7Days', 'UpTo30Days', 'UpTo90Days', 'Older', 'Unknown']

const columns: readonly Column<Patch>[] = [
  ['patch', ({ patchName, qNumber }) => patchName ?? qNumber],
  ['bulletin', ({ bulletinId }) => bulletinId],
  ['severity', ({ severity }) => severity],
  ['released', ({ releaseDate }) => releaseDate?.slice(0, 10)],
  ['missing', ({ missing }) => missing],
  ['installed', ({ installed }) => installed],
  ['approved', ({ approvedProductCount, productCount }) => `${approvedProductCount}/${productCount}`],
  ['cves', ({ cves }) => cves.join(' ')],
]

const list = command({
  name: 'patches list',
  isDefault: true,
  summary: 'List patches, and on how many computers they are missing',
  arguments: [['[words...]', 'Words in the name, title or CVE']],
  options: [
    ['--severity <severities...>', severities.join(', '), severities],
    ['--age <ages...>', `Since their release: ${ages.join(', ')}`, ages],
    ['--missing', 'Only patches that are missing somewhere'],
    ['--approved', 'Only approved patches'],
    ['--limit <count>', 'List at most this many'],
  ],
  examples: [
    ['muster patches --missing --severity Critical', 'What to install first'],
    ['muster patches CVE-2026-1234', 'The patches for a vulnerability'],
  ],
  operations: ['listFleetPatches'],
  async run({ client, names, options, output }) {
    const query = {
      top: 1_000,
      ...(names.length > 0 && { search: names.join(' ') }),
      ...(options.severity !== undefined && { severity: options.severity }),
      ...(options.age !== undefined && { age: options.age }),
      ...(options.missing === true && { missing: true }),
      ...(options.approved === true && { approved: true }),
    } as Query
    await output.rows(columns, limited(client.pages('/api/fleet/patches', { query }), parseLimit(options.limit)))
  },
})

const patchesArgument: Parameter = [
  '<patches...>',
  'Names or numbers such as KB5034441, or # and their ids; a CVE or a bulletin stands for all its patches',
]

const approve = command({
  name: 'patches approve',
  summary: 'Approve patches for all their product versions',
  description:
    'Computers get them after their next patch scan, if a patch management group with them is assigned to them.',
  arguments: [patchesArgument],
  options: [
    ['--group <name>', 'Also add them to this patch management group, by its name, or # and its id'],
    expectOption,
    dryRunOption,
  ],
  examples: [
    ['muster patches approve KB5034441 --dry-run', 'How many computers lack it, and how many get it'],
    ['muster patches approve CVE-2026-1234 --group "Windows updates"', 'All patches for a vulnerability'],
  ],
  operations: ['listFleetPatches', 'getPatch', 'listPmGroups', 'approvePatches'],
  async run(call) {
    const { client, names, options, output } = call
    const found = await findPatches(client, names)
    const group = options.group === undefined ? undefined : await findPmGroup(client, String(options.group))
    const body = { patchIds: found.map(({ patchId }) => patchId), ...(group && { pmGroupId: group.id }) }
    const { answer } = await makeConfirmed<Schemas['PatchApprovals']>(call, { what: 'The approval' }, (query) =>
      client.POST('/api/fleet/patches/approval', { params: { query }, body }),
    )
    const { reachedComputers, lackingComputers, otherCategory, withoutGroup, withoutGroupCount } = answer
    const [lack, get] = [lackingComputers === 1 ? 'lacks' : 'lack', reachedComputers === 1 ? 'gets' : 'get']
    output.result(answer, [
      describeEffect(found, options.dryRun ? 'would be approved' : 'approved'),
      `${formatCount(lackingComputers, 'computer')} ${lack} them, and ${reachedComputers} ${get} them.`,
      ...(otherCategory > 0
        ? [
            `${otherCategory} of them ${otherCategory === 1 ? 'is' : 'are'} not added to the group: it has the other category.`,
          ]
        : []),
      ...(withoutGroupCount > 0
        ? [
            'No computer gets these, because no patch management group with them is assigned:',
            ...withoutGroup.map(({ patchId, patchName }) => `  ${patchName ?? `#${patchId}`}`),
          ]
        : []),
    ])
  },
})

const revoke = command({
  name: 'patches revoke',
  summary: 'Revoke the approvals of patches for all their product versions',
  description:
    'Cancels work for them that no agent has started. What is installed stays, and so do patch management groups.',
  arguments: [patchesArgument],
  options: [expectOption, dryRunOption],
  examples: [['muster patches revoke KB5034441', 'Its installation stops']],
  operations: ['listFleetPatches', 'getPatch', 'listPatchProducts', 'revokePatches'],
  async run(call) {
    const { client, names, options, output } = call
    const found = await findPatches(client, names)
    const approvals: Schemas['PatchLink'][] = []
    for (const { patchId } of found)
      for await (const { productId, isApproved } of client.pages('/api/patches/{patchId}/products', {
        path: { patchId },
        query: { top: 1_000 },
      }))
        if (isApproved) approvals.push({ patchId, productId })
    if (approvals.length === 0) return output.result({ revoked: 0, removed: 0 }, 'None of them is approved.')
    const { answer } = await makeConfirmed<Schemas['PatchRevocations']>(call, { what: 'The revocation' }, (query) =>
      client.POST('/api/fleet/patches/revocation', { params: { query }, body: { approvals } }),
    )
    const revoked = found.filter(({ patchId }) => approvals.some((one) => one.patchId === patchId))
    output.result(
      answer,
      describeEffect(revoked, options.dryRun ? 'would no longer be approved' : 'no longer approved'),
    )
  },
})

const describeEffect = (found: readonly NamedPatch[], effect: string) =>
  `${found.map(formatPatch).join(', ')}: ${effect}.`

export const patches = [list, approve, revoke]
