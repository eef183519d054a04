import { sql } from 'kysely'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import { ok, operation } from '../../../platform/operation.ts'
import type { Static } from '../../../platform/schema.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { type Issue, type IssueFinding, issueFinding } from '../issue.ts'
import { issueComputerRows } from '../issue-computer-rows.ts'
import { issues } from '../issues.ts'
import { ComputerIssues } from './schemas.ts'

const maxPatches = 25

type Sections = Omit<Static<typeof ComputerIssues>, 'activeIssues' | 'pendingReboot' | keyof Base>
type Base = Awaited<ReturnType<ReturnType<typeof issueComputerRows>['executeTakeFirstOrThrow']>>

/** The sections of a computer without issues. */
const emptySections: Sections = {
  failedPackages: null,
  missingPatches: null,
  pmClientGaps: null,
  unencryptedDisks: null,
  lowDiskDrives: null,
  wornBatteries: null,
  staleAgentHours: null,
  staleInventoryDays: null,
  stalePendingPackages: null,
  suspensionMode: null,
  suspendedUntil: null,
  driftedPackages: null,
}

export const getComputerIssues = operation({
  id: 'getComputerIssues',
  route: 'GET /api/computer/:id/issues',
  summary: 'Get the issues of a computer',
  description:
    'Applies the default thresholds of the sweeps, so the computer appears in the sweep of each issue in ' +
    '`activeIssues`. The sections of all other issues are null or false. `missingPatches` lists the 25 most severe ' +
    'missing security patches.',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(ComputerIssues),
  problems: [computerNotFound],
  async handle({ params: { id }, db }) {
    const [row] = await computerFindings(db, id)
    if (!row) throw computerNotFound({ clientId: id })
    const { findings, ...computer } = row
    const active = findings.filter((finding) => finding !== null)
    const names = active.map(({ issue }) => issue) as Static<typeof ComputerIssues>['activeIssues']
    const sections: Sections = Object.assign({}, emptySections, ...active)
    return {
      ...computer,
      ...sections,
      activeIssues: names,
      missingPatches: sections.missingPatches?.slice(0, maxPatches) ?? null,
      pendingReboot: names.includes('pending-reboot'),
    }
  },
})

const computerFindings = preparedStatement((db, id: number) => {
  const findings = issues.map((issue: Issue) =>
    issueFinding(issue, {}, { computerId: 'computers.id', withProperties: true }),
  )
  return issueComputerRows(db)
    .select(sql<(IssueFinding | null)[]>`jsonb_build_array(${sql.join(findings)})`.as('findings'))
    .where('computers.id', '=', id)
    .compile()
})
