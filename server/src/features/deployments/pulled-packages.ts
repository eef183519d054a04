import { type RawBuilder, sql } from 'kysely'
import { effectivePackages } from '../assignments/effective-packages.ts'
import { requiredCte } from '../assignments/required-packages.ts'
import { distributionCommands, isOptionalSql } from '../distribution/commands.ts'
import { effectiveOptions } from '../distribution/effective-options.ts'
import { isInstallable } from '../work-states/applicability.ts'
import { isOpenInstallation } from '../work-states/work-states.ts'

const { Install, Uninstall, Force, Hidden } = distributionCommands

export type PulledPackage = {
  package_id: string
  /** The assigned package that pulls it in, and the group that assigns it. */
  root_id: string
  group_id: string
  group_path: string
  /** How it comes: as the assigned package does, without its other actions. */
  commands: number
}

/** The commands for a package that another one brings, of those of the other one: it is installed or uninstalled in the same way. */
export function broughtCommands(commands: string, action: number): RawBuilder<number> {
  return sql<number>`${sql.ref(commands)} & ${sql.lit(Force | Hidden)} | ${sql.lit(action)}`
}

/**
 * Whether packages with the commands pull in what they require on a computer. Users ask for optional packages one by one: these pull in
 * nothing before, and while their work is open afterwards. Takes the columns of the computer, the package and the commands.
 */
export function pullsIn(computer: string, ofPackage: string, commands: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(commands)} & ${sql.lit(Uninstall)} = 0 and (not ${isOptionalSql(commands)} or exists (
    select from work taken
    where taken.computer_id = ${sql.ref(computer)} and taken.package_id = ${sql.ref(ofPackage)}
      and ${isOpenInstallation('taken')} and taken.attempt > 0
      and (taken.optional_date is null or taken.optional_date > now()))))`
}

/** What the assigned packages of a computer pull in, as its next activation will, through whichever of its groups. */
export function pulledPackagesOf(computerId: number): RawBuilder<PulledPackage> {
  const computer = sql<{ owner_id: number }>`select ${computerId}::integer as owner_id`
  const roots = sql<{ computer_id: number; package_id: string }>`select computer_id, package_id from assigned`
  return sql<PulledPackage>`
    with recursive effective as materialized (
      select * from (${effectivePackages(computer)}) as of_computer
      where package_id in (select package_id from package_pulls)
    ), assigned as materialized (
      select effective.computer_id, effective.package_id, effective.group_id, effective.group_path,
        ${broughtCommands('options.dist_commands', Install)} as commands
      from effective
        join packages on packages.id = effective.package_id and packages.is_operational and not packages.is_pre_os
          and packages.kind <> 'PatchFix'
        join computer_platforms platform on platform.computer_id = effective.computer_id and ${isInstallable('packages', 'platform')}
        join (${effectiveOptions(sql`select group_id, package_id from effective`)}) as options
          on options.group_id = effective.group_id and options.package_id = effective.package_id
      where ${pullsIn('effective.computer_id', 'effective.package_id', 'options.dist_commands')}
    ), ${requiredCte(roots)}
    select distinct required.package_id, assigned.package_id as root_id, assigned.group_id, assigned.group_path, assigned.commands
    from required join assigned on assigned.package_id = required.root_id
    where required.state = 'Pulled' and required.root_id not in (select root_id from required where state = 'NotApplicable')`
}
