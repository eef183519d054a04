const computers = (count: number) => (count === 1 ? '1 computer' : `${count} computers`)
const waves = (count: number) => (count === 1 ? '1 wave' : `${count} waves`)

/** Whether the members of a group are kept converged. */
export const enConvergence = {
  title: 'Convergence',
  on: 'On: what is assigned becomes work by itself, ring by ring.',
  off: 'Off: what is assigned becomes work when somebody deploys it.',
  inheritedFrom: 'From',
  rings: 'Rings',
  ring: { percent: (size: number) => `${size} %`, group: 'a group', rest: 'the rest' },
  expected: 'Without a person',
  expectedText: (count: number) => `at most ${computers(count)} within a day; a larger wave waits after its first ring`,
  removals: 'Removals',
  removalsText: (count: number) => `from more than ${computers(count)} within a day need an approval`,
  openWaves: 'Open waves',
  wavesLink: (count: number) => `Show ${waves(count)}`,
  waiting: 'Changes wait',
  waits: {
    Comparing: 'The members are compared within two minutes.',
    Frozen: 'They begin when the freeze ends.',
    WaveNeedsPerson: 'A wave of this group is paused. Look at it, then resume it or cancel it.',
    Refused: 'The next wave was refused. Change the rings or the limits.',
  },
  openWave: 'Open the wave',
  change: 'Change',
  panelTitle: (group: string) => `Convergence of ${group}`,
  label: 'Apply',
  choice: 'Members',
  choices: {
    On: 'Keep converged',
    Off: 'Do not keep converged',
    Inherit: 'As in the groups above',
  },
  fields: {
    expectedComputers: 'Computers within a day without a person',
    expectedPercent: 'The same as a share of the members',
    maxRemovals: 'Computers within a day that lose software without an approval',
    maxRepairsPerDay: 'Repairs of a computer within a day',
  },
  repairsHint: 'Software that was removed or replaced by hand is installed again.',
  advanced: 'Advanced: maintenance windows, criteria',
  noLimit: 'No limit',
  windowsPerRing: 'The rings have different maintenance windows, which stay as they are.',
  replaceWindows: 'Set the same for all rings',
  effects: {
    On: 'New members, assignments and options become work within two minutes, ring by ring.',
    Off: 'Open waves of the group are cancelled. What is assigned waits for a deployment.',
    Inherit: 'The group has the setting of the groups above it. Its own waves are cancelled.',
  },
  isSet: 'The setting was changed.',
}
