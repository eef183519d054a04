import type { Role } from '../../../platform/roles.ts'
import { readIssues } from './issues.ts'
import { readLicences } from './licences.ts'
import { readPatchCompliance } from './patch-compliance.ts'
import type { ReadContent } from './report-content.ts'
import { readSoftware } from './software.ts'

export const reportKinds = ['Issues', 'PatchCompliance', 'Software', 'Licences'] as const

export type ReportKind = (typeof reportKinds)[number]

type ContentDeclaration = {
  title: string
  /** What the principal of a report must be allowed to read, as the operations require it that show the same. */
  roles: readonly Role[]
  read: ReadContent
}

export const contents: Record<ReportKind, ContentDeclaration> = {
  Issues: { title: 'Issues', roles: ['computer.read'], read: readIssues },
  PatchCompliance: { title: 'Patch compliance', roles: ['computer.read', 'pm.read'], read: readPatchCompliance },
  Software: { title: 'Software', roles: ['computer.read'], read: readSoftware },
  Licences: { title: 'Licences', roles: ['computer.read'], read: readLicences },
}
