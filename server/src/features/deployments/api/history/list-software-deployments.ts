import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../../database/connect.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { closed, type Static, Type, Uuid } from '../../../../platform/schema.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../../computers/computers.ts'
import { toCommandNames } from '../../../distribution/commands.ts'
import { effectiveOptions } from '../../../distribution/effective-options.ts'
import { fixWaitReason } from '../../../patches/fix-wait-reason.ts'
import { effectivePackages } from '../../effective-packages.ts'
import { setupErrorRows } from '../../history-rows.ts'
import { enforcedReinstall } from '../../request-reinstall.ts'
import { SoftwareDeployment } from './schemas.ts'

type Modes = { desired_mode: number; current_mode: number }

type Row = Omit<Static<typeof SoftwareDeployment>, 'desiredMode' | 'currentMode' | 'setupErrorLogEntries'> &
  Modes & { is_fix: boolean }

export const listSoftwareDeployments = operation({
  id: 'listSoftwareDeployments',
  route: 'GET /api/computer/:id/software-deployment',
  summary: 'List the packages of a computer with their deployment status',
  description:
    'Lists the packages that are assigned through groups, directly or through a software class, and packages that are ' +
    'installed without an assignment; their `desiredMode` is empty. `currentMode` is what was carried out last.',
  role: 'computer.read',
  params: ComputerPath,
  query: closed({
    packageId: Type.Optional({ ...Uuid, description: 'Only this package' }),
    includePreOsPackages: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [false],
        description: 'Include packages that run before the operating system',
      }),
    ),
  }),
  returns: ok(Type.Array(SoftwareDeployment)),
  problems: [computerNotFound],
  async handle({ params, query, db }) {
    await requireComputer(db, params.id)
    const { rows } = await deploymentRows(params.id, query).execute(db)
    const hasFailure = rows.some(({ status }) => status === 'Failed')
    const errors = hasFailure
      ? await setupErrorRows(db, params.id).orderBy('setup_errors.id', 'desc').limit(10).execute()
      : []
    const isWaitingFix = ({ is_fix, status }: Pick<Row, 'is_fix' | 'status'>) => is_fix && status === 'Pending'
    const fixDelay = rows.some(isWaitingFix) ? await findFixDelay(db, params.id) : null
    return rows.map(({ desired_mode, current_mode, is_fix, ...row }) => ({
      ...row,
      errorText: isWaitingFix({ is_fix, status: row.status }) ? fixDelay : row.errorText,
      desiredMode: toCommandNames(desired_mode).join(', '),
      currentMode: toCommandNames(current_mode).join(', '),
      setupErrorLogEntries: row.status === 'Failed' ? errors : null,
    }))
  },
})

/** Explains why a fix package is pending. Without it, the deployment would look stuck. */
async function findFixDelay(db: Database, computerId: number): Promise<string | null> {
  const { rows } = await sql<{ why: string | null }>`
    select ${fixWaitReason('computers.id')} as why from computers where id = ${computerId}`.execute(db)
  return rows[0]?.why ?? null
}

type DeploymentFilter = { packageId?: string; includePreOsPackages?: boolean }

function deploymentRows(computerId: number, { packageId, includePreOsPackages }: DeploymentFilter): RawBuilder<Row> {
  const computer = sql<{ owner_id: number }>`select ${computerId}::integer as owner_id`
  return sql<Row>`
    with assigned as materialized (
      select package_id, group_id from (${effectivePackages(computer)}) as effective
    ), listed as (
      select package_id from assigned
      union
      select package_id from deployments where computer_id = ${computerId} and installation_state = 'Installed'
    )
    select p.id as "softwareId", p.name, p.version, p.revision, p.kind = 'PatchFix' as is_fix,
      coalesce(d.status, 'Pending') as status,
      coalesce(d.installation_state, 'None') as "installationState",
      case when r.group_id is not null then ${enforcedReinstall} else coalesce(o.dist_commands, 0) end as desired_mode,
      coalesce(d.current_mode, 0) as current_mode, d.installed_at as "installTime",
      case when d.status = 'Failed' then d.error_text end as "errorText"
    from listed
      join packages p on p.id = listed.package_id
      left join deployments d on d.computer_id = ${computerId} and d.package_id = p.id
      left join (${effectiveOptions(sql`select group_id, package_id from assigned`)}) as o on o.package_id = p.id
      left join reinstall_groups r on r.computer_id = ${computerId} and r.package_id = p.id
    where ${includePreOsPackages ? sql`true` : sql`not p.is_pre_os`}
      and ${packageId ? sql`p.id = ${packageId}` : sql`true`}
    order by p.id`
}
