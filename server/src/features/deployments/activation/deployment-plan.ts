import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { hasRole } from '../../../platform/authentication/authenticate.ts'
import type { Call } from '../../../platform/operation.ts'
import { closed, extensionKeyword, nullable, type Static, Type, text, Uuid } from '../../../platform/schema.ts'
import { selectionCount } from '../../computers/selection-schemas.ts'
import { isOptionalSql } from '../../distribution/commands.ts'
import { isOpenWork } from '../../work-states/work-states.ts'
import { prepareForSize } from './activation-scope.ts'
import { isForPackage, plannedWork, type WorkBit } from './due-work.ts'
import { asIfPublished, type PlannedPublication } from './planned-removals.ts'
import { loadUnscheduledOptions } from './reachable-options.ts'

const counts = {
  install: selectionCount('Computers that install, update or reinstall', 12),
  remove: selectionCount('Computers that uninstall', 1),
  offer: selectionCount('Computers whose user may ask for it', 0),
  pending: selectionCount('Computers on which it already waits or runs', 0),
  nothingToDo: selectionCount('Computers on which nothing is to be done', 3),
  notApplicable: selectionCount('Computers that it is not for', 0),
}

const DeploymentPlan = closed(
  {
    ...counts,
    packages: Type.Array(
      closed(
        {
          packageId: Uuid,
          name: Type.String({ examples: ['Greeting'] }),
          version: nullable(text(255, '1.2.0')),
          requiredBy: Type.Array(Type.String({ examples: ['Office tools'] }), {
            description:
              'Names of the assigned packages that pull it in, because they require it; empty if it is assigned itself',
          }),
          ...counts,
        },
        { title: 'PlannedPackage' },
      ),
      { description: 'Every assigned package that the request publishes, by name' },
    ),
  },
  { title: 'DeploymentPlan' },
)

export type DeploymentPlan = Static<typeof DeploymentPlan>

/** Part of the answer to an activation. */
export const planField = {
  plan: {
    ...nullable(DeploymentPlan),
    description:
      'What the activation would bring, by package. The counts of the whole plan are computers: one may occur in several of ' +
      'them. Null unless the request is a dry run of a caller who has the role computer.read',
    [extensionKeyword]: true,
  },
}

type Outcome = keyof typeof counts

/** Without a package, it is about the whole plan. */
type PlanRow = Record<Outcome, number> & {
  packageId: string | null
  name: string
  version: string | null
  requiredBy: string[]
}

/** What is planned: of all packages, unless it is about one and what that one pulls in. */
type Planned = Omit<PlannedPublication, 'packageId'> & { packageId?: string }

/** What an activation would bring, for the answer to its dry run. Planned before anything is published. */
export async function planForDryRun(
  { db, caller, isDryRun }: Pick<Call, 'db' | 'caller' | 'isDryRun'>,
  planned: Planned,
): Promise<DeploymentPlan | null> {
  return isDryRun && hasRole(caller.principal, 'computer.read') ? planDeployment(db, planned) : null
}

async function planDeployment(db: Database, { scope, software, pxe, packageId }: Planned): Promise<DeploymentPlan> {
  await prepareForSize(db, scope)
  const options = await loadUnscheduledOptions(db)
  const bits: WorkBit[] = [...(software ? (['software'] as const) : []), ...(pxe ? (['pxe'] as const) : [])]
  const assigned = bits.map(
    (bit) => sql`
      select * from (${plannedWork(bit, scope.computers, options, asIfPublished(scope, bit))}) as due
      where ${packageId === undefined ? sql`true` : isForPackage(packageId)}`,
  )
  const none = sql`
    select 0 as computer_id, null::uuid as package_id, null::text as kind, 0 as commands, null::uuid[] as required_by,
      true as is_applicable where false`
  const outcomes = Object.keys(counts) as Outcome[]
  const ofPackage = (outcome: Outcome) =>
    sql`count(*) filter (where outcome = ${sql.lit(outcome)})::integer as ${sql.ref(outcome)}`
  const ofComputer = (outcome: Outcome) => sql`bool_or(outcome = ${sql.lit(outcome)}) as ${sql.ref(outcome)}`
  const ofPlan = (outcome: Outcome) => sql`count(*) filter (where ${sql.ref(outcome)})::integer`
  const { rows } = await sql<PlanRow>`
    with assigned as materialized (
      ${bits.length > 0 ? sql.join(assigned, sql` union all `) : none}
    ), planned as materialized (
      select assigned.computer_id, assigned.package_id, assigned.required_by, ${outcomeOf('assigned', 'open')} as outcome
      from assigned left join work open
        on open.computer_id = assigned.computer_id and open.package_id = assigned.package_id and ${isOpenWork('open.state')}
    ), counted as (
      -- Each computer occurs once for each package. Sorting all pairs, as distinct counts do, is slow if there are millions.
      select package_id, ${sql.join(outcomes.map(ofPackage))}, 0 as busy from planned group by package_id
      union all
      select null, ${sql.join(outcomes.map(ofPlan))}, (count(*) filter (where is_busy))::integer
      from (
        select ${sql.join(outcomes.map(ofComputer))}, bool_or(outcome not in ('nothingToDo', 'notApplicable')) as is_busy
        from planned group by computer_id
      ) as of_computer
    )
    select counted.package_id as "packageId", packages.name, packages.version, install, remove, offer, pending,
      case when package_id is null then (select count(*)::integer from (${scope.computers}) as scope) - busy
        else "nothingToDo" end as "nothingToDo", "notApplicable", array(
        select distinct root.name
        from (select distinct required_by from planned where planned.package_id = counted.package_id) as pulled
          join packages root on root.id = any(pulled.required_by)
        order by root.name) as "requiredBy"
    from counted left join packages on packages.id = counted.package_id
    order by lower(packages.name), packages.version, packages.id`.execute(db)
  const whole = rows.find(({ packageId }) => packageId === null)
  if (!whole) throw new Error('An aggregate without a group by returns one row.')
  const packages = rows.flatMap(({ packageId, ...row }) => (packageId === null ? [] : { packageId, ...row }))
  const { requiredBy: _, ...totals } = whole
  return { ...totals, packages }
}

/** Waiting work of another kind is replaced, unless a person has requested it. Takes the aliases of both. */
function outcomeOf(assigned: string, open: string): RawBuilder<Outcome> {
  const [kind, openKind, attempt] = [`${assigned}.kind`, `${open}.kind`, `${open}.attempt`].map((name) => sql.ref(name))
  const isKept = sql`(${openKind} = ${kind} or ${sql.ref(`${open}.state`)} = 'Leased'
    or ${sql.ref(`${open}.reinstall_group_id`)} is not null)`
  return sql<Outcome>`case
    when not ${sql.ref(`${assigned}.is_applicable`)} then 'notApplicable'
    when ${kind} is not null and ${isOptionalSql(`${assigned}.commands`)} and coalesce(${attempt}, 0) = 0 then 'offer'
    when ${isKept} then 'pending'
    when ${kind} = 'Uninstall' then 'remove'
    when ${kind} is not null then 'install'
    else 'nothingToDo' end`
}
