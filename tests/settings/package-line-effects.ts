import type { Effects } from './effects-type.ts'

const inUpgrade = 'package-lines/upgrade.test.ts: '

/** The settings of operations on package lines. */
export const packageLineEffects: Effects = {
  setPackageLine: {
    line: 'package-lines/package-lines.test.ts: a person joins packages of different names to one line, and each then takes the place of the other',
  },
  createPackageUpgrade: {
    'groupIds[]': `${inUpgrade}a group below another one is part of its rollout`,
    'rings[].name, rings[].count': `${inUpgrade}an upgrade replaces the assignment with its options, and only its first ring gets the version`,
    'rings[].percent': `${inUpgrade}without rings, a tenth of the computers comes first`,
    'rings[].groupId': `${inUpgrade}a computer that joins during the first ring waits for its ring, and an explanation says so`,
    'rings[].releaseMinutes, rings[].windows[], windows[], timeZone, criteria, emergency, deadlineUtc, userDeadline, catchUpDays, allowLastOfSite': `${inUpgrade}the rollouts of an upgrade have the settings of the request`,
  },
  deleteUnusedPackages: {
    'packageIds[]': 'package-lines/clean-up.test.ts: one package in use keeps all others',
    expectedPackages: 'package-lines/clean-up.test.ts: nothing is deleted unless as many packages as expected are',
  },
}
