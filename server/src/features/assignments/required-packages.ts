import { type RawBuilder, sql } from 'kysely'
import { isDistributable } from '../packages/distributable.ts'
import { isInstallable } from '../work-states/applicability.ts'

/**
 * What requirements bring to computers follows from one rule, and every reader uses this file for it.
 *
 * A package that is to be installed on a computer pulls in what it requires and the computer lacks, and so on:
 *   1. Any installed version meets a requirement, and so does an installed package that supersedes it.
 *   2. An assignment decides: if a package with the required name is assigned to the computer and is for it, nothing is pulled
 *      in, whatever the assignment does with it.
 *   3. Otherwise, the computer gets the package with the required name that is for it: one that may be distributed before
 *      others, then the highest version, then the one that was imported last.
 *
 * If packages with the required name exist and none of them is for the computer, neither is the package that requires it.
 *
 * Packages that were imported when requirements pulled nothing in (`pulls` is false) only wait for what they require.
 */

/**
 * Met: nothing is pulled in for it. Awaited: it is missing, and the package waits until it comes in another way. Unknown: no package
 * has the name.
 */
export type RequirementState = 'Met' | 'Pulled' | 'Awaited' | 'NotApplicable' | 'Unknown'

/** A package that is to be installed, and what it requires directly or through others. One row for each path to it. */
export type RequiredPackage = {
  computer_id: number
  /** The assigned package. */
  root_id: string
  /** The package that requires it, which is the root or is pulled in itself. */
  parent_id: string
  required_name: string
  /** The package that is pulled in; null unless the state is Pulled. */
  package_id: string | null
  state: RequirementState
}

/** Selects the assigned packages that require others, for computers. */
type Roots = RawBuilder<{ computer_id: number; package_id: string }>

/**
 * Builds `required`, a part of a `with recursive` clause with the rows of `RequiredPackage`. Without requirements it is empty, and
 * nothing else is looked at.
 */
export function requiredCte(roots: Roots): RawBuilder<unknown> {
  const step = sql`
      join package_requirements needed on needed.package_id = above.package_id
      cross join lateral required_package(above.computer_id, needed.required_name, needed.pulls) as chosen`
  return sql`
    required (computer_id, root_id, parent_id, required_name, package_id, state) as (
      select above.computer_id, above.package_id, needed.package_id, needed.required_name, chosen.package_id, chosen.state
      from (${roots}) as above ${step}
      union
      select above.computer_id, above.root_id, needed.package_id, needed.required_name, chosen.package_id, chosen.state
      from required above ${step}
    )`
}

/** What a package requires on a computer, and is for other ones, by its name; null if there is none. Most packages require nothing. */
export function unmetRequirement(
  computerId: RawBuilder<number>,
  packageId: RawBuilder<string>,
): RawBuilder<string | null> {
  return sql<string | null>`case when exists (select from package_requirements own where own.package_id = ${packageId})
    then unmet_requirement(${computerId}, ${packageId}) end`
}

/** The same as the body of the function `unmet_requirement` of the database. */
export const unmetRequirementBody: RawBuilder<unknown> = sql`
  with recursive ${requiredCte(sql`select of_computer as computer_id, of_package as package_id`)}
  select min(required.required_name) from required where required.state = 'NotApplicable'`

const hasRequiredName = (ofPackage: string) =>
  sql<boolean>`lower(${sql.ref(`${ofPackage}.package_name`)}) = lower(needed.required_name)`

/** Whether the computer of `above` has a version of what `needed` requires. */
const isInstalled = sql<boolean>`exists (
  select from packages version join deployments installed
    on installed.package_id = version.id and installed.computer_id = above.computer_id
  where ${hasRequiredName('version')} and installed.installation_state = 'Installed')
  or exists (
    select from package_supersedes taken_over join deployments installed
      on installed.package_id = taken_over.package_id and installed.computer_id = above.computer_id
    where lower(taken_over.superseded_name) = lower(needed.required_name) and installed.installation_state = 'Installed')`

/** Whether a group assigns such a package itself, not because another package requires it. */
const isAssignedItself = sql<boolean>`exists (
  select from packages version
    join (
      select group_id, package_id from group_packages
      union all
      select class.group_id, member.package_id
      from group_software_classes class join software_class_packages member on member.class_id = class.class_id
    ) as assigned on assigned.package_id = version.id
    join group_ancestors ancestry on ancestry.ancestor_id = assigned.group_id
    join effective_memberships own on own.group_id = ancestry.descendant_id and own.computer_id = above.computer_id
  where ${hasRequiredName('version')} and ${isInstallable('version', 'platform')})`

/** Pre-OS packages and images come to computers in other ways. */
const canBePulled = (ofPackage: string) =>
  sql<boolean>`${sql.ref(`${ofPackage}.kind`)} = 'Software' and not ${sql.ref(`${ofPackage}.is_pre_os`)}`

/**
 * What the requirement `of_name` brings to the computer `of_computer`, as the body of the function `required_package` of the
 * database: statements that contain it twice, as recursion does, take long to plan.
 */
export const requiredPackageBody: RawBuilder<unknown> = sql`
  select case when decided.state = 'Pulled' then decided.id end, decided.state
  from (
    select best.id, case
      when (${isInstalled}) or ${isAssignedItself} then 'Met'
      when best.id is null then 'Unknown'
      when not needed.pulls then 'Awaited'
      when best.is_applicable then 'Pulled'
      else 'NotApplicable' end as state
    from (select of_computer as computer_id) as above
      cross join (select of_name as required_name, of_pulls as pulls) as needed
      join computer_platforms platform on platform.computer_id = above.computer_id
      left join lateral (
        select version.id, ${isInstallable('version', 'platform')} as is_applicable
        from packages version where ${hasRequiredName('version')} and ${canBePulled('version')}
        order by is_applicable desc, ${isDistributable('version')} desc, version_numbers(version.version) desc,
          version.imported_at desc nulls last, version.id
        limit 1
      ) as best on true
  ) as decided`
