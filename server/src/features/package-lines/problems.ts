import { problem } from '../../platform/problem.ts'

export const notInLine = problem(
  'NotInLine',
  409,
  'The package belongs to no package line. Only software that runs in the operating system has versions.',
)

export const noOlderVersion = problem(
  'NoOlderVersion',
  409,
  'The group has no older version of the package assigned directly. Read the proposal again.',
)

export const groupNotUpgradable = problem(
  'GroupNotUpgradable',
  409,
  'The group is a Reinstall, EOL or Restore group, or already gets the new version through a software class.',
)

export const rolloutRunning = problem(
  'RolloutRunning',
  409,
  'A rollout of an older version has not finished its rings in this group. Wait for it, cancel it or roll it back first.',
)

export const upgradeNotFound = problem(
  'UpgradeNotFound',
  404,
  'No upgrade has this id. Upgrades are deleted with their rollouts, some time after these have ended.',
)

export const upgradeRolledBack = problem('UpgradeRolledBack', 409, 'The upgrade was rolled back before.')

export const upgradeExpired = problem(
  'UpgradeExpired',
  409,
  'The rollouts of the upgrade were deleted with old tasks, so it is not known any more which computers it has reached.',
)

export const rollBackImpossible = problem(
  'RollBackImpossible',
  409,
  'No group of the upgrade can go back to the version that it had. The extra properties list the reason of each group.',
)

export const packageInUse = problem(
  'PackageInUse',
  409,
  'Something refers to one of the packages. Nothing was deleted. Read the list of unused packages again.',
)
