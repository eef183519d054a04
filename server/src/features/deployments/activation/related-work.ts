import { type RawBuilder, sql } from 'kysely'
import { requiredCte } from '../../assignments/required-packages.ts'
import { distributionCommands } from '../../distribution/commands.ts'
import { isRemovable } from '../../packages/distributable.ts'
import { isInstallable } from '../../work-states/applicability.ts'
import { broughtCommands, pullsIn } from '../pulled-packages.ts'
import { isWaitingForRing, type Releaser, rolledBackBy } from './ring-gate.ts'

/**
 * What relations between packages add to the work that is due (`due-work.ts`). The parts use its queries `member`, `platform`,
 * `waiting_for_ring` and `offer`. An installation without relations leaves them out: to plan them takes longer than to plan the rest.
 */
export type RelationParts = {
  /** Columns of `named` and `offer`. */
  columns: RawBuilder<unknown>
  offerColumns: RawBuilder<unknown>
  /** What else makes a package an update, and which other versions do not: continues a condition on `named` and `other`. */
  outdated: RawBuilder<unknown>
  /** Adds the packages that those of `offered` may bring to a selection. */
  brought: RawBuilder<unknown>
  /** Parts of a `with recursive` clause. */
  ctes: RawBuilder<unknown>
  /** Whether what the package of `offer` requires is for the computer of `member`. */
  isMeetable: RawBuilder<boolean>
  /** Whether nothing takes the place of the package of `offer` on the computer of `member`. */
  isNotSuperseded: RawBuilder<boolean>
  /** More work that is due. */
  work: RawBuilder<unknown>
}

export function relationPartsOf(hasRelations: boolean, releasedBy: Releaser | undefined): RelationParts {
  if (!hasRelations) return noRelationParts
  const leaving = sql`leaving as materialized (select ${rolledBackBy(releasedBy)}::uuid as package_id)`
  return { ...relationParts, ctes: sql`${leaving}, ${relationParts.ctes}` }
}

const { Install, Uninstall, Optional } = distributionCommands

/** Which relations a row of `packages` has: most have none, and then nothing else is looked at. */
const relationColumns = sql`
  lower(package_name) as own_name, is_operational,
  exists (select from package_requirements needed where needed.package_id = packages.id) as has_requirements,
  exists (select from package_supersedes superseded where superseded.package_id = packages.id) as supersedes,
  exists (
    select from package_supersedes superseding where lower(superseding.superseded_name) = lower(packages.package_name)
  ) as is_superseded,`

/** Optional packages replace nothing, even if users have asked for them. Takes the alias of `offer`. */
const isToInstall = (offer: string) => sql<boolean>`(
  not ${sql.ref(`${offer}.is_system`)} and ${sql.ref(`${offer}.commands`)} & ${sql.lit(Uninstall | Optional)} = 0)`

/** The offered packages that computers are to install, if they require others. */
const requiringPackages = sql<{ computer_id: number; package_id: string }>`
  select member.computer_id, offer.package_id
  from offer
    join member on member.owner_id = offer.owner_id
    join platform on platform.computer_id = member.computer_id
  where offer.has_requirements and not offer.is_system
    and ${pullsIn('member.computer_id', 'offer.package_id', 'offer.commands')} and ${isInstallable('offer', 'platform')}
    and not ${isWaitingForRing('member.computer_id', 'offer.package_id')}`

/**
 * The computers with a package that a package of `named` replaces without uninstalling it: it is updated, like another version. A
 * version that is uninstalled first is not updated.
 */
const supersededInPlace = sql`
    and not exists (
      select from package_supersedes removed
      where removed.package_id = named.id and removed.uninstalls_first
        and lower(removed.superseded_name) = lower(other.package_name))
  union select installed.computer_id, named.id
  from named
    join package_supersedes superseded on superseded.package_id = named.id and not superseded.uninstalls_first
    join packages earlier on lower(earlier.package_name) = lower(superseded.superseded_name)
    join deployments installed on installed.package_id = earlier.id and installed.installation_state = 'Installed'
  where named.supersedes and installed.computer_id in (select computer_id from member)`

/** Whether the computer of `member` has the package of `superseding` and keeps it, or is to install it. */
const isSuperseding = sql<boolean>`(
  exists (
    select from deployments installed
    where installed.computer_id = member.computer_id and installed.package_id = superseding.package_id
      and installed.installation_state = 'Installed'
      and installed.package_id is distinct from (select package_id from leaving))
  or exists (
    select from offer later
    where later.owner_id = member.owner_id and later.package_id = superseding.package_id and later.is_operational
      and ${isToInstall('later')} and ${isInstallable('later', 'platform')}
      and not ${isWaitingForRing('member.computer_id', 'later.package_id')}
      and (member.computer_id, later.package_id) not in (select computer_id, root_id from unmeetable)))`

/**
 * Builds parts of a `with recursive` clause:
 * - `required`: what offered packages require
 * - `unmeetable`: the packages whose requirements are not for a computer
 * - `superseded`: the packages that others have taken the place of on a computer
 */
const relationCtes: RawBuilder<unknown> = sql`
    ${requiredCte(requiringPackages)}, unmeetable as materialized (
      select distinct computer_id, root_id from required where state = 'NotApplicable'
    ), superseded as materialized (
      select distinct member.computer_id, offer.package_id
      from offer
        join package_supersedes superseding on lower(superseding.superseded_name) = offer.own_name
        join member on member.owner_id = offer.owner_id
        join platform on platform.computer_id = member.computer_id
      where offer.is_superseded and ${isSuperseding}
    ),`

const isMeetable = sql<boolean>`(
  not offer.has_requirements or (member.computer_id, offer.package_id) not in (select computer_id, root_id from unmeetable))`

/**
 * Whether the package of `offer` may bring other work to the computer of `member`. One that is not Ready to Install brings none:
 * importing content must not deploy or remove other packages.
 */
const isReady = sql<boolean>`offer.is_operational and ${isMeetable}`

const optionsOf = (command: number) => sql`
  ${broughtCommands('offer.commands', command)} as commands, offer.schedule, offer.not_before,
  offer.window_ends_at, offer.revoke_count, offer.revoke_date, offer.user_deadline, offer.pre_download, offer.place`

/** A package that supersedes the required one meets the requirement as well: then only that one comes. */
const isReplaced = sql<boolean>`exists (
  select from packages pulled
    join package_supersedes superseding on lower(superseding.superseded_name) = lower(pulled.package_name)
  where pulled.id = required.package_id and (${isSuperseding} or exists (
    select from required later
    where later.computer_id = required.computer_id and later.package_id = superseding.package_id and later.state = 'Pulled'
      and not ${isWaitingForRing('later.computer_id', 'later.package_id')})))`

const pulledPackages = sql`
  select required.computer_id, required.package_id, required.root_id, offer.group_id, ${optionsOf(Install)}, 'Install' as kind
  from required
    join member on member.computer_id = required.computer_id
    join offer on offer.owner_id = member.owner_id and offer.package_id = required.root_id
    join platform on platform.computer_id = required.computer_id
  where required.state = 'Pulled' and ${isReady} and not ${isReplaced}
    and not ${isWaitingForRing('required.computer_id', 'required.package_id')}`

/** What is installed and has to go before an offered package, or one that it pulls in, is installed. */
const supersededPackages = sql`
  select coming.computer_id, earlier.id, offer.package_id, offer.group_id, ${optionsOf(Uninstall)}, 'Uninstall'
  from (
      select member.computer_id, offer.package_id, offer.package_id as root_id
      from offer join member on member.owner_id = offer.owner_id
      where offer.supersedes and ${isToInstall('offer')}
      union
      select computer_id, package_id, root_id from required where state = 'Pulled'
    ) as coming
    join package_supersedes superseded on superseded.package_id = coming.package_id and superseded.uninstalls_first
    join packages earlier on lower(earlier.package_name) = lower(superseded.superseded_name) and ${isRemovable('earlier')}
    join deployments installed on installed.computer_id = coming.computer_id and installed.package_id = earlier.id
      and installed.installation_state = 'Installed'
    join member on member.computer_id = coming.computer_id
    join platform on platform.computer_id = coming.computer_id
    join offer on offer.owner_id = member.owner_id and offer.package_id = coming.root_id
  where ${isReady} and ${isToInstall('offer')} and ${isInstallable('offer', 'platform')}
    and not ${isWaitingForRing('coming.computer_id', 'coming.package_id')}
    and not exists (
      select from deployments own
      where own.computer_id = coming.computer_id and own.package_id = coming.package_id
        and own.installation_state = 'Installed')
    and not exists (
      select from offer itself
      where itself.owner_id = member.owner_id and itself.package_id = earlier.id
        and itself.commands & ${sql.lit(Uninstall)} <> 0)`

/**
 * The work that offered packages bring with them. It comes as the offered package does: with the same options, and if several
 * bring it, with those of the first by name.
 */
const relatedWork: RawBuilder<unknown> = sql`
      union all (select distinct on (computer_id, package_id) computer_id, package_id, group_id, commands, schedule, not_before,
        window_ends_at, revoke_count, revoke_date, null::timestamptz, user_deadline, pre_download, 0::bigint, null::integer, null::integer,
        array_agg(root_id) over (partition by computer_id, package_id), true, kind, true
      from (${pulledPackages} union all ${supersededPackages}) as related
      order by computer_id, package_id, kind, place, group_id)`

const relationParts: RelationParts = {
  columns: relationColumns,
  offerColumns: sql`named.own_name, named.is_operational, named.has_requirements, named.supersedes, named.is_superseded,`,
  outdated: supersededInPlace,
  brought: sql`union select pulled_id from package_pulls where package_id in (select package_id from offered)`,
  ctes: relationCtes,
  isMeetable,
  isNotSuperseded: sql`(not offer.is_superseded or offer.commands & ${sql.lit(Uninstall)} <> 0
    or (member.computer_id, offer.package_id) not in (select computer_id, package_id from superseded))`,
  work: relatedWork,
}

const noRelationParts: RelationParts = {
  ...{ columns: sql``, offerColumns: sql``, outdated: sql``, brought: sql``, ctes: sql``, work: sql`` },
  ...{ isMeetable: sql`true`, isNotSuperseded: sql`true` },
}
