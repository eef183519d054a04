import type { Effects } from './effects-type.ts'

const inRings = 'rollouts/rings.test.ts: '
const inPauses = 'rollouts/pauses.test.ts: '
const inWindows = 'rollouts/windows.test.ts: '
const inApi = 'rollouts/rollout-api.test.ts: '

const changedRings = `${inApi}windows and release of rings that wait can be changed, those of others not; If-Match notices changes by others only`
const threeRings = `${inRings}a rollout goes through three rings: each opens when the one before it succeeded and soaked`
const shared = `${inPauses}a cause that computers share pauses a rollout: the same %s`
const silence = `${inPauses}agents that fall silent after the installation pause a rollout, and one that is heard again does not count`
const restarts = `${inPauses}computers that do not come back from a restart, or restart again and again, pause a rollout`
const away = `${inRings}a ring does not wait for computers that were not seen since their release for longer than the criteria allow`
const fitting = `${inWindows}in a window, work is handed out whose time limit fits; other work waits for the next one`
const zones = `${inWindows}windows follow the time zone of the computer, unless the rollout gives one`
const ignoring = `${inWindows}an emergency ignores windows, and so does every rollout after its deadline, which also ends gradual release`

const ofRollout =
  'rollouts/user-deadline.test.ts: the deadline of a rollout takes the place of that of the assignment, and a change counts at the next hand-out'

/** The settings of rollouts. */
export const rolloutEffects: Effects = {
  createRollout: {
    'groupId, rings[].name, rings[].count, rings[].percent, criteria': threeRings,
    packageId: `${inRings}one package of a group is rolled out without the others`,
    'rings[].groupId': `${inRings}rings of member groups take the members, others the lowest positions, and every computer says why`,
    'rings[].releaseMinutes': `${inRings}a gradual release spreads the computers of a ring over its time`,
    'rings[].windows[], timeZone': zones,
    'windows[]': fitting,
    'emergency, deadlineUtc': ignoring,
    userDeadline: ofRollout,
    catchUpDays: `${inRings}a dry run changes nothing and predicts the computers, work items and downloads of each ring`,
    allowLastOfSite: `${inApi}a ring with every protected computer of a site is refused, unless it is allowed or they are in different rings`,
  },
  updateRollout: {
    'name, criteria': `${inPauses}a computer whose work failed for good keeps a ring from going on until the criteria are changed`,
    'rings[].ring, rings[].windows[], rings[].releaseMinutes': changedRings,
    userDeadline: ofRollout,
  },
  MaintenanceWindow: {
    'days[], start': `${inWindows}opens an hour earlier in UTC in summer`,
    durationMinutes: fitting,
  },
  RolloutCriteriaRequest: {
    minSuccessPercent: `${inPauses}a computer whose work failed for good keeps a ring from going on until the criteria are changed`,
    soakMinutes: threeRings,
    'minResults, awayHours': away,
    maxFailurePercent: `${inPauses}more failures than the criteria allow pause a rollout from the first attempt on, and a resume forgives them`,
    sharedCauseComputers: shared,
    'silentComputers, silentAfterMinutes': silence,
    'bootFailures, bootTimeoutMinutes': restarts,
  },
  setComputerTags: {
    'tagIds[]': `${inApi}a ring with every protected computer of a site is refused, unless it is allowed or they are in different rings`,
  },
}
