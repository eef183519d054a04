import { closed, enumOf, Id, nullable, Type } from '../../../platform/schema.ts'
import { computer, count, data, list, name } from '../data-schemas.ts'
import { maxListedItems, numberOfRows, pathOf, source, textValue } from '../event-source.ts'
import { eventType } from '../event-type.ts'

const Patch = closed(
  {
    patchId: Id,
    key: name('KB5034441'),
    product: name('Windows 11'),
    severity: nullable(name('Critical')),
  },
  { title: 'PatchOfEvent' },
)

const patchesOfComputer = (title: string) =>
  data(title, {
    ...computer,
    count: count('How many patches', 4),
    patches: Type.Array(Patch, { maxItems: 50, description: 'Up to 50 of them, the most severe first' }),
    list: list('/api/computer/17/patch-status'),
  })

const approval = (title: string) => data(title, { ...Patch.properties, name: name('Security update for Windows 11') })

const patch = {
  patchId: 'patch_id',
  key: 'patches.key',
  product: 'patch_products.name',
  severity: 'patches.vendor_severity',
} as const

const scanned = {
  table: 'computer_patches',
  join: { computers: 'computer_id', patches: 'patch_id', patch_products: 'product_id' },
  groupBy: ['computer_id'],
  subject: pathOf('getComputer', 'computer_id'),
  computer: 'computer_id',
  data: {
    computerId: 'computer_id',
    computerName: 'computers.name',
    count: numberOfRows,
    patches: { list: patch, orderBy: ['patches.severity_rank desc', 'patches.key'], max: maxListedItems },
    list: pathOf('getComputerPatchStatus', 'computer_id'),
  },
} as const

const changedScan = (when: string) =>
  source({
    ...scanned,
    on: 'update',
    key: ['computer_id', 'patch_id', 'product_id'],
    when: `row.is_missing <> before.is_missing and ${when}`,
  })

const approvalSource = (when: string) =>
  source({
    table: 'patch_links',
    on: 'update',
    forEach: 'row',
    when,
    join: { patches: 'patch_id', patch_products: 'product_id' },
    subject: pathOf('getPatch', 'patch_id'),
    data: { ...patch, name: 'patches.name' },
  })

/** The rulings follow from the rules: their changes are no events. */
const policySource = (on: 'insert' | 'update' | 'delete') =>
  source({
    table: 'patch_policies',
    on,
    forEach: 'row',
    ...(on === 'update' && { whenChanged: ['name', 'priority', 'rules'] }),
    subject: pathOf('getPatchPolicy', 'id'),
    data: {
      policyId: 'id',
      policyName: 'name',
      state: textValue(on === 'insert' ? 'Created' : on === 'update' ? 'Changed' : 'Deleted'),
    },
  })

export const patchEvents = [
  eventType({
    type: 'muster.patch.missing',
    summary: 'A scan found patches that a computer lacks',
    role: 'computer.read',
    subject: 'The computer',
    data: patchesOfComputer('PatchMissing'),
    sources: [source({ ...scanned, on: 'insert', when: 'row.is_missing' }), changedScan('row.is_missing')],
  }),
  eventType({
    type: 'muster.patch.fixed',
    summary: 'A computer no longer lacks patches',
    role: 'computer.read',
    subject: 'The computer',
    data: patchesOfComputer('PatchFixed'),
    sources: [
      changedScan('not row.is_missing'),
      // A scan that no longer reports a missing patch also shows that it is fixed.
      source({ ...scanned, on: 'delete', when: 'row.is_missing' }),
    ],
  }),
  eventType({
    type: 'muster.patch.approved',
    summary: 'A patch was approved for a product',
    role: 'pm.read',
    subject: 'The patch',
    data: approval('PatchApproved'),
    sources: [approvalSource('before.approved_at is null and row.approved_at is not null')],
  }),
  eventType({
    type: 'muster.patch.approval-revoked',
    summary: 'The approval of a patch for a product was revoked',
    role: 'pm.read',
    subject: 'The patch',
    data: approval('PatchApprovalRevoked'),
    sources: [approvalSource('before.approved_at is not null and row.approved_at is null')],
  }),
  eventType({
    type: 'muster.patch.policy-changed',
    summary: 'A patch policy was created, changed or deleted',
    role: 'pm.read',
    subject: 'The patch policy',
    data: data('PatchPolicyChanged', {
      policyId: Id,
      policyName: name('Workstations'),
      state: enumOf(['Created', 'Changed', 'Deleted']),
    }),
    sources: (['insert', 'update', 'delete'] as const).map(policySource),
  }),
] as const
