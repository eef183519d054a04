import type { Database } from '../../database/connect.ts'
import { findOsDeployment, type OsDeploymentCondition } from '../assignments/os-deployment-readiness.ts'
import { computerNotFound } from '../computers/computers.ts'
import type { ExplainedBlocker, Explanation } from './api/schemas.ts'
import { explainPackage } from './explain-package.ts'
import { newBlocker } from './explained-blockers.ts'
import { listNotices } from './notices.ts'
import { formatVerdict } from './verdict-messages.ts'

const conditions: Record<OsDeploymentCondition, ExplainedBlocker> = {
  OsImageSku: newBlocker('NoOsImageSku', 'No edition of an operating system is assigned to the computer.'),
  PxeBootImage: newBlocker('NoPxeBootImage', 'No PXE boot image is assigned to the computer.'),
  OsImageReadyToInstall: newBlocker('NotReleased', 'The operating system image is not Ready to Install.'),
  PxeBootImageReadyToInstall: newBlocker('NotReleased', 'The PXE boot image is not Ready to Install.'),
  OsImageForArchitecture: newBlocker('NotApplicable', 'The operating system image is for another architecture.'),
  PxeBootImageForArchitecture: newBlocker('NotApplicable', 'The PXE boot image is for another architecture.'),
  PxeSupport: newBlocker('NoPxeSupport', 'The computer does not support PXE.'),
  MacAddress: newBlocker('NoMacAddress', 'The MAC address of the computer is not known.'),
}

/** Why the operating system that is assigned to a computer is or is not installed. */
export async function explainOperatingSystem(db: Database, computerId: number): Promise<Explanation> {
  const found = await findOsDeployment(db, computerId)
  if (!found) throw computerNotFound({ clientId: computerId })
  const missing = found.missing.map((condition) => conditions[condition])
  const packageId = found.skuId === null ? undefined : await findPackageOfSku(db, found.skuId)
  if (!packageId) return withoutEdition(db, computerId, missing)
  const explanation = await explainPackage(db, computerId, packageId)
  const { id, name, version } = explanation.subject
  const isDone = explanation.verdict === 'Installed' || explanation.verdict === 'Failed'
  // What is missing says better why it is not applicable.
  const others = explanation.blockers.filter(
    ({ reason }) => reason !== 'NotApplicable' && !missing.some((blocker) => blocker.reason === reason),
  )
  return {
    ...explanation,
    subject: { kind: 'OperatingSystem', id, name, version },
    blockers: isDone ? [] : [...missing, ...others],
  }
}

async function findPackageOfSku(db: Database, skuId: number): Promise<string | undefined> {
  const found = await db.selectFrom('os_image_skus').select('package_id').where('id', '=', skuId).executeTakeFirst()
  return found?.package_id
}

async function withoutEdition(db: Database, computerId: number, blockers: ExplainedBlocker[]): Promise<Explanation> {
  return {
    subject: { kind: 'OperatingSystem', id: null, name: 'Operating system', version: null },
    verdict: 'NotAssigned',
    message: formatVerdict('NotAssigned', blockers),
    value: null,
    earliestRun: null,
    blockers,
    sources: [],
    options: null,
    work: null,
    failure: null,
    cancellation: null,
    otherVersions: [],
    rollouts: [],
    notices: await listNotices(db, computerId),
  }
}
