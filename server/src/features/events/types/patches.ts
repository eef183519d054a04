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
    ...(on === 'update' && { whenChanged: ['name', 'priority', 'rules', 'rings', 'restart'] }),
    subject: pathOf('getPatchPolicy', 'id'),
    data: {
      policyId: 'id',
      policyName: 'name',
      state: textValue(on === 'insert' ? 'Created' : on === 'update' ? 'Changed' : 'Deleted'),
    },
  })

/** A patch of a policy for a product, as the policy releases it ring by ring. */
const progressSource = (when: string) =>
  source({
    table: 'patch_ring_progress',
    on: 'update',
    forEach: 'row',
    when,
    join: { patch_policies: 'policy_id', patches: 'patch_id', patch_products: 'product_id' },
    subject: pathOf('getPatchPolicy', 'policy_id'),
    data: {
      policyId: 'policy_id',
      policyName: 'patch_policies.name',
      ...patch,
      ring: 'ring',
      pause: 'pause',
      stoppedBy: 'stopped_by',
      rollsBack: 'rolls_back',
      reason: 'stop_reason',
    },
  })

const progress = (title: string) =>
  data(title, {
    policyId: Id,
    policyName: name('Workstations'),
    ...Patch.properties,
    ring: count('The last ring that is open; 0: none', 1),
    pause: nullable(
      Type.Unsafe<object>({
        type: 'object',
        additionalProperties: true,
        examples: [{ code: 'Failures', ring: 1, computers: 3, total: 40, limit: 2 }],
        description: 'Why it is paused; null if it is not',
      }),
    ),
    stoppedBy: nullable(name('client-5b1f0e2a9c')),
    rollsBack: Type.Boolean({
      examples: [false],
      description: 'Whether computers that have the stopped patch roll it back',
    }),
    reason: nullable(name('The vendor withdrew it', 'Why that principal stopped it')),
  })

const progressEvents = {
  'ring-opened': {
    summary: 'A patch policy with rings opened a ring for a patch',
    title: 'PatchRingOpened',
    when: 'row.ring > before.ring and row.completed_at is null',
  },
  'ring-paused': {
    summary: 'A patch of a patch policy was paused, by a person or because of failures',
    title: 'PatchRingPaused',
    when: 'before.paused_at is null and row.paused_at is not null',
  },
  'ring-resumed': {
    summary: 'A paused or stopped patch of a patch policy was resumed',
    title: 'PatchRingResumed',
    when: 'row.resumed_at is distinct from before.resumed_at',
  },
  stopped: {
    summary: 'A patch of a patch policy was stopped, or its rollback was requested',
    title: 'PatchStopped',
    when: 'before.stopped_at is null and row.stopped_at is not null or row.rolls_back and not before.rolls_back',
  },
} as const

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
  ...Object.entries(progressEvents).map(([action, { summary, title, when }]) =>
    eventType({
      type: `muster.patch.${action as keyof typeof progressEvents}`,
      summary,
      role: 'pm.read',
      subject: 'The patch policy',
      data: progress(title),
      sources: [progressSource(when)],
    }),
  ),
] as const
