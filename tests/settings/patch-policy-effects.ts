import type { Effects } from './effects-type.ts'

const model =
  'patch-policies/rules-model.test.ts: stored rulings say at every moment what the first rule that matches says'
const policies = 'patch-policies/patch-policies.test.ts: '

/** The settings of patch policies. */
export const patchPolicyEffects: Effects = {
  'createPatchPolicy, updatePatchPolicy': {
    'rules[].action, rules[].afterDays, rules[].severities[], rules[].types[], rules[].products[], rules[].vendors[], rules[].titles[], rules[].minCvssScore, rules[].minVrrScore, rules[].minAgeDays, rules[].maxAgeDays, rules[].exploited, rules[].unconfirmed':
      model,
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

/** For people. Explanations quote the names. */
export const patchPolicyDescriptions: Effects = {
  'createPatchPolicy, updatePatchPolicy': {
    'name, description':
      'patch-policies/policy-operations.test.ts: a policy is created, found, changed and deleted; its name is unique and its rules have effects',
    'rules[].name': `${policies}a rule releases a patch some days after its release, and the next scan makes its installation due`,
  },
}
