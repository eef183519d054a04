import type { AnyOperation } from '../../../platform/operation.ts'
import { createPackageUpgrade } from './create-package-upgrade.ts'
import { deleteUnusedPackages } from './delete-unused-packages.ts'
import { getPackageLine } from './get-package-line.ts'
import { getPackageUpgrade } from './get-package-upgrade.ts'
import { getUpgradeProposal } from './get-upgrade-proposal.ts'
import { listPackageLines } from './list-package-lines.ts'
import { listPackageUpgrades } from './list-package-upgrades.ts'
import { listUnusedPackages } from './list-unused-packages.ts'
import { rollBackPackageUpgrade } from './roll-back-package-upgrade.ts'
import { setPackageLine } from './set-package-line.ts'

export const packageLinesApi: readonly AnyOperation[] = [
  listPackageLines,
  listUnusedPackages,
  deleteUnusedPackages,
  getPackageLine,
  setPackageLine,
  getUpgradeProposal,
  createPackageUpgrade,
  listPackageUpgrades,
  getPackageUpgrade,
  rollBackPackageUpgrade,
]
