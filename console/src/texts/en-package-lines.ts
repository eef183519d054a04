const number = (value: number) => value.toLocaleString('en')
const plural = (count: number, one: string, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`

/** The texts about versions of packages: their lines, upgrades, rollbacks and the clean-up. */
export const enPackageLines = {
  title: 'Versions',
  intro: 'Packages with the same name for the same platform are versions of one line.',
  search: 'Name of a package',
  noLines: 'No software has been imported yet.',
  platforms: { Windows: 'Windows', Linux: 'Linux', Any: 'Any platform' },
  columns: {
    line: 'Line',
    version: 'Version',
    state: 'State',
    groups: 'Groups',
    installed: 'Installed',
    pending: 'Pending',
    size: 'Size',
    upgrade: 'Proposal',
  },
  states: { InUse: 'In use', Superseded: 'Superseded', Unused: 'Unused' },
  thisVersion: 'this version',
  inClasses: (count: number) => `in ${plural(count, 'software class', 'software classes')}`,
  hint: 'All packages with the same name and platform, the newest version first.',
  proposed: (version: string, count: number) => `${version} for ${plural(count, 'group')} with an older version`,
  proposal: (version: string, count: number) =>
    `${plural(count, 'group')} ${count === 1 ? 'has' : 'have'} an older version. Version ${version} is released: bring it to ${count === 1 ? 'it' : 'them'} ring by ring.`,
  upgrade: {
    open: 'Upgrade groups',
    title: (name: string) => `Bring ${name} to groups with an older version`,
    label: 'Start the upgrade',
    groups: 'Groups',
    from: (version: string, computers: number) => `from ${version}, ${plural(computers, 'computer')}`,
    none: 'No group has an older version.',
    obstacles: {
      SpecialGroup: 'Reinstall, EOL and Restore groups keep what they have',
      CoveredBySoftwareClass: 'gets this version through a software class',
      RolloutRunning: 'a rollout of an older version has not finished its rings',
    },
    describes: (groups: number, computers: number) =>
      `${plural(groups, 'group')} with ${plural(computers, 'computer')} ${groups === 1 ? 'gets' : 'get'} this version in place of the older one. Ring one comes first; the next ring opens when the results are good.`,
    rollout: (computers: number) => plural(computers, 'computer'),
    done: 'The upgrade has begun.',
  },
  line: {
    open: 'Change line',
    title: (name: string) => `Line of ${name}`,
    field: 'Name of the line',
    hint: 'Packages of one line are versions of each other. If a vendor has renamed its software, give both names one line. Empty: the name in the manifest.',
    joins: (name: string, count: number) =>
      `It is one of ${plural(count, 'version')} of ${name}. Computers are not affected.`,
  },
  upgrades: 'Upgrades',
  upgradesHint: 'A rollback brings the previous version to the computers that an upgrade has reached.',
  upgradeStates: {
    Running: 'Running',
    Paused: 'Paused',
    Completed: 'All rings done',
    Cancelled: 'Cancelled',
    RollingBack: 'Being rolled back',
    RolledBack: 'Rolled back',
  },
  upgradeColumns: {
    version: 'To version',
    state: 'State',
    groups: 'Groups',
    started: 'Started',
    rollouts: 'Rollouts',
    action: 'Action',
  },
  by: (name: string) => `by ${name}`,
  rollBack: {
    open: 'Roll back',
    title: (name: string) => `Roll ${name} back`,
    label: 'Roll back',
    describes: (back: number, withdrawn: number) =>
      `${plural(back, 'computer')} ${back === 1 ? 'gets' : 'get'} the previous version again: the new one is uninstalled, if it can be, and the previous one installed.` +
      (withdrawn > 0 ? ` On ${plural(withdrawn, 'computer')}, pending work is withdrawn.` : ''),
    backTo: (version: string) => `back to ${version}`,
    obstacles: {
      GroupDeleted: 'the group was deleted',
      PackageDeleted: 'the previous version was deleted',
      NoContent: 'the files of the previous version are missing or have changed',
      NotReleased: 'the previous version is not released',
      NoExactVersion: 'the previous version comes from a repository, without an exact version',
      AssignmentChanged: 'the group no longer has the new version',
    },
    done: 'The rollback has begun.',
  },
  cleanUp: {
    open: 'Clean up',
    title: 'Delete versions that nothing refers to',
    label: 'Delete',
    none: 'Something refers to every version.',
    newest: 'newest version',
    frees: (size: string) => `frees ${size}`,
    describes: (count: number, size: string) =>
      `${plural(count, 'package')} will be deleted, which frees ${size} within hours. This cannot be undone.`,
    done: (count: number) => `${plural(count, 'package')} ${count === 1 ? 'was' : 'were'} deleted.`,
  },
}
