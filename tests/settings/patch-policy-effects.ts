import type { Effects } from './effects-type.ts'

const model =
  'patch-policies/rules-model.test.ts: stored rulings say at every moment what the first rule that matches says'
const policies = 'patch-policies/patch-policies.test.ts: '
const rings = 'patch-policies/rings.test.ts: '
const restarts = 'patch-policies/policy-restarts.test.ts: '
const pauses = 'patch-policies/ring-pauses.test.ts: '
const rollbacks = 'patch-policies/rollbacks.test.ts: '
const ringsModel =
  'patch-policies/rings-model.test.ts: every computer is in exactly one ring, the first that it fits, and a released computer is in a ring that is open'

/** The settings of patch policies. */
export const patchPolicyEffects: Effects = {
  'createPatchPolicy, updatePatchPolicy': {
    'rules[].action, rules[].afterDays, rules[].severities[], rules[].types[], rules[].products[], rules[].vendors[], rules[].titles[], rules[].minCvssScore, rules[].minVrrScore, rules[].minAgeDays, rules[].maxAgeDays, rules[].exploited, rules[].unconfirmed':
      model,
    'rings[].groupId, rings[].percent': ringsModel,
    'rings[].afterDays, rings[].gate.minInstalledPercent': `${rings}nobody outside the open ring gets a patch; the next ring opens when the ring before has it and its days have passed`,
    'rings[].gate.maxFailedPercent': `${pauses}failures above the gate pause a patch: no further computer begins, and what waits is withdrawn`,
    'rings[].gate.minComputers': `${rings}a ring waits for as many results as its gate needs, and not for computers that are away`,
    'restart.windows[], restart.timeZone': `${restarts}a computer that needs a restart gets one request in the window of its policy, and none outside`,
    'restart.timeoutMinutes, restart.reminderMinutes, restart.userDeadline': `${restarts}the minutes and the deadline of a restart never reach beyond its window`,
    priority: `${policies}of the policies of a computer, the lowest priority decides first, then the nearest group; the next one decides what it leaves`,
  },
  setPatchSla: {
    'critical, important, moderate, low, unrated':
      'fleet/patch-compliance.test.ts: a changed SLA counts from the next count on, and without an SLA nothing is overdue',
  },
  assignPatchPolicy: {
    groupId: `${policies}the computers of groups below have the policy, and others do not`,
  },
}

/** For people. Explanations quote the names and the reasons. */
export const patchPolicyDescriptions: Effects = {
  'createPatchPolicy, updatePatchPolicy': {
    'name, description':
      'patch-policies/policy-operations.test.ts: a policy is created, found, changed and deleted; its name is unique and its rules have effects',
    'rings[].name': `${rings}nobody outside the open ring gets a patch; the next ring opens when the ring before has it and its days have passed`,
    'rules[].name': `${policies}a rule releases a patch some days after its release, and the next scan makes its installation due`,
  },
  pausePatchOfPolicy: {
    reason: `${pauses}a paused patch opens no ring, is paused and resumed once, and the patch of another policy goes on`,
  },
  stopPatchOfPolicy: {
    reason: `${pauses}a stopped patch is released to nobody, not even by an approval, and its waiting fix work is withdrawn`,
    rollBack: `${rollbacks}a stop with a rollback makes the fix package due on computers that have the patch, and on no others`,
  },
}
