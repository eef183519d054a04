import { type RawBuilder, sql } from 'kysely'
import type { AssignmentKind } from './effective-assignments.ts'

/** A kind of assignment that a package can have, and whether the assigned object `object_id` is the package. */
export type PackageAssignment = { kind: Exclude<AssignmentKind, 'patchPolicy'>; isPackage: RawBuilder<boolean> }

/** The kinds of assignments that bring a package of this kind to computers. */
export function packageAssignmentsOf(
  packageId: string,
  packageKind: string,
): [PackageAssignment, ...PackageAssignment[]] {
  const isPackage = sql<boolean>`object_id = ${packageId}`
  switch (packageKind) {
    case 'AgentTemplate':
      return [{ kind: 'agentTemplate', isPackage }]
    case 'LanguagePack':
      return [{ kind: 'languagePack', isPackage }]
    case 'OperatingSystem': {
      const skus = sql`select id from os_image_skus where package_id = ${packageId}`
      return [{ kind: 'osImageSku', isPackage: sql<boolean>`object_id in (${skus})` }]
    }
    case 'PxeBootImage': {
      const images = sql`select id from pxe_boot_images where package_id = ${packageId}`
      return [{ kind: 'pxeBootImage', isPackage: sql<boolean>`object_id in (${images})` }]
    }
    default: {
      const classes = sql`select class_id from software_class_packages where package_id = ${packageId}`
      return [
        { kind: 'package', isPackage },
        { kind: 'softwareClass', isPackage: sql<boolean>`object_id in (${classes})` },
      ]
    }
  }
}
