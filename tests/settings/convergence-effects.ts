import type { Effects } from './effects-type.ts'

const inGroups = 'convergence/converged-groups.test.ts: '
const inLimits = 'convergence/wave-limits.test.ts: '
const inDrift = 'convergence/drift.test.ts: '

/** The settings of groups that are kept converged. */
export const convergenceEffects: Effects = {
  setGroupConvergence: {
    state: `${inGroups}reaches groups below, except those that are switched off`,
    'rings[].name, rings[].count, rings[].percent': `${inLimits}passes the rings of the setting: the second opens after the results of the first`,
    'rings[].groupId': `${inLimits}begins with the members of the group that its first ring names`,
    'rings[].releaseMinutes': `${inLimits}releases a ring as gradually as the setting says`,
    'rings[].windows[], windows[], timeZone': `${inLimits}waits for the maintenance windows of the setting`,
    criteria: `${inLimits}pauses only if more computers fail than the criteria of the setting allow`,
    expectedComputers: `${inLimits}stays in its first ring until a person resumes it`,
    expectedPercent: `${inLimits}is measured by the share of the members if the setting gives one`,
    maxRemovals: `${inLimits}from more computers than the setting allows needs the approval of a second principal`,
    maxRepairsPerDay: `${inDrift}is repaired only so often within a day`,
  },
}
