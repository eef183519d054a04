import { type RawBuilder, sql } from 'kysely'
import { effectiveAssignments } from '../../assignments/effective-assignments.ts'
import { effectivePackages } from '../../assignments/effective-packages.ts'
import { asSystemInstallation, distributionCommands, isOptionalSql } from '../../distribution/commands.ts'
import { effectiveOptions } from '../../distribution/effective-options.ts'
import type { StoredUserDeadline } from '../../distribution/user-deadline.ts'
import { isRemovable } from '../../packages/distributable.ts'
import { applicabilityColumns, isApplicable, unmetCondition } from '../../work-states/applicability.ts'
import type { WorkKind } from '../../work-states/work-states.ts'
import type { DueOptions } from './reachable-options.ts'
import { type RelationParts, relationPartsOf } from './related-work.ts'
import { isWaitingForRing, type Releaser, waitingForRing } from './ring-gate.ts'

const { Install, Update, Uninstall, Reinstall } = distributionCommands

type Computers = RawBuilder<{ owner_id: number }>

/** The activation bits that create work with packages. PXE covers everything that runs before the operating system. */
export type WorkBit = 'software' | 'pxe'

/** Whether work with a package belongs to the bit. Takes the aliases of the work and of the package. */
export function belongsToBit(bit: WorkBit, work: string, ofPackage: string): RawBuilder<boolean> {
  const [kind, isPreOs] = [sql.ref(`${work}.kind`), sql.ref(`${ofPackage}.is_pre_os`)]
  return bit === 'pxe'
    ? sql`(${kind} = 'OperatingSystem' or ${isPreOs})`
    : sql`(${kind} <> 'OperatingSystem' and not ${isPreOs})`
}

/** Whether a package, given by its alias, is offered for the bit. */
function isOffered(of: WorkBit | 'patchFix', ofPackage: string): RawBuilder<boolean> {
  const [kind, isPreOs] = [sql.ref(`${ofPackage}.kind`), sql.ref(`${ofPackage}.is_pre_os`)]
  if (of === 'patchFix') return sql`${kind} = 'PatchFix'`
  if (of === 'pxe') return sql`${isPreOs} and ${kind} = 'Software'`
  return sql`not ${isPreOs} and ${kind} in ('Software', 'InventoryScan', 'PatchScan')`
}

/** One computer of each set of computers that are offered the same packages; see `offerCtes`. */
const representatives: Computers = sql`select computer_id as owner_id from member where computer_id = owner_id`

/**
 * Builds parts of a `with` clause. Computers that are in the same groups, the same of which are activated, are offered the
 * same packages: these are computed once, for the representative of such computers.
 * - `member`: `computer_id`, and `owner_id` of its representative
 * - `platform`: what is known of each `computer_id`, of which some may not have use for what they are offered
 * - `offered`: `owner_id`, `package_id`, `group_id`, `is_system`; for a system, the `boot_image_id` and `boot_package_id` that
 *   install it, and the `sku_id` of its edition
 */
function offerCtes(
  of: WorkBit | 'patchFix',
  computers: Computers,
  activations: RawBuilder<unknown> = sql`activations`,
): RawBuilder<unknown> {
  const bit = sql.ref(of === 'patchFix' ? 'software' : of)
  return sql`
    member_groups as materialized (
      select membership.computer_id, array_agg(membership.group_id order by membership.group_id) as groups,
        array_agg(membership.group_id order by membership.group_id) filter (where published.id is not null) as published
      from (${computers}) as scope
        join effective_memberships membership on membership.computer_id = scope.owner_id
        left join ${activations} as published
          on published.computer_id = membership.computer_id and published.group_id = membership.group_id and published.${bit}
      group by membership.computer_id
    ), member as materialized (
      select computer_id, published, min(computer_id) over (partition by groups, published) as owner_id
      from member_groups where published is not null
    ), platform as materialized (
      select computer_platforms.* from member join computer_platforms on computer_platforms.computer_id = member.computer_id
    ), reach as materialized (
      select distinct member.owner_id, above.ancestor_id
      from member
        cross join unnest(member.published) as own_group (id)
        join group_ancestors above on above.descendant_id = own_group.id
      where member.computer_id = member.owner_id
    ), offered as materialized (
      select effective.computer_id as owner_id, effective.package_id, effective.group_id, false as is_system,
        null::integer as boot_image_id, null::uuid as boot_package_id, null::integer as sku_id
      from (${effectivePackages(representatives)}) as effective
        join packages p on p.id = effective.package_id and ${isOffered(of, 'p')}
        join reach on reach.owner_id = effective.computer_id and reach.ancestor_id = effective.group_id
      ${of === 'pxe' ? sql`union all ${operatingSystems}` : sql``}
      ${of === 'software' ? sql`union all ${languagePacks}` : sql``}
    )`
}

/** The operating system of the effective edition, or else the one that the boot image contains. */
const operatingSystems = sql`
  select boot.owner_id, coalesce(sku.package_id, image.package_id), coalesce(edition.group_id, boot.group_id), true,
    image.id, image.package_id, sku.id
  from (${effectiveAssignments('pxeBootImage', 'computer', representatives)}) as boot
    join pxe_boot_images image on image.id = boot.object_id
    left join (${effectiveAssignments('osImageSku', 'computer', representatives)}) as edition on edition.owner_id = boot.owner_id
    left join os_image_skus sku on sku.id = edition.object_id`

/** Language packs for the system that runs. Those for a system that is to be installed are given to its installer. */
const languagePacks = sql`
  select pack.owner_id, pack.object_id, pack.group_id, false, null, null, null
  from (${effectiveAssignments('languagePack', 'computer', representatives)}) as pack
    join reach on reach.owner_id = pack.owner_id and reach.ancestor_id = pack.group_id`

const columnsToCompare = sql.join(applicabilityColumns.map((name) => sql.ref(name)))

/** The columns of `work` that say what is done with the package. Work that differs in one of them is other work. */
export const identityColumns = sql`kind, boot_image_id, sku_id`

/** The columns of `work` that are copied from the distribution options, and whether another package brings it. */
export const optionColumns = sql`group_id, commands, schedule, revoke_count, revoke_date, optional_date, user_deadline,
  pre_download, is_brought`

export type DueWork = {
  computer_id: number
  package_id: string
  kind: WorkKind
  /** The boot image, and the edition if one is assigned. Null unless an operating system is installed. */
  boot_image_id: number | null
  sku_id: number | null
  not_before: Date
  window_ends_at: Date | null
  /** The position of the package in the order of names. Those that others require have none. */
  place: number
  /** The assigned packages for which it is installed or uninstalled first; null if it is assigned itself. */
  required_by: string[] | null
  group_id: string
  commands: number
  schedule: string
  revoke_count: number
  revoke_date: Date | null
  optional_date: Date | null
  user_deadline: StoredUserDeadline | null
  pre_download: boolean
  /** Whether it is not assigned itself: an assigned package brings it, which also justifies it. */
  is_brought: boolean
}

/**
 * The work that is due on the computers through the groups that are activated for them. Pass other `activations` than all
 * stored ones for a plan, or to publish through some of the groups only.
 */
export function dueWork(
  bit: WorkBit,
  computers: Computers,
  options: DueOptions,
  activations?: RawBuilder<unknown>,
  releasedBy?: Releaser,
): RawBuilder<DueWork> {
  return sql<DueWork>`
    with recursive ${candidateCtes(bit, computers, options, activations, { releasedBy })}
    select computer_id, package_id, ${identityColumns}, not_before, window_ends_at, place, required_by, ${optionColumns}
    from candidate where kind is not null`
}

/** What is assigned to a computer through activated groups, and what is to be done for it; null: nothing. */
export type AssignedWork = Omit<DueWork, 'kind'> & { kind: WorkKind | null }

/** Like `dueWork`, with the packages for which there is nothing to do. */
export function assignedWork(
  bit: WorkBit,
  computers: Computers,
  options: DueOptions,
  activations?: RawBuilder<unknown>,
): RawBuilder<AssignedWork> {
  return sql<AssignedWork>`
    with recursive ${candidateCtes(bit, computers, options, activations)}
    select computer_id, package_id, ${identityColumns}, not_before, window_ends_at, place, required_by, ${optionColumns}
    from candidate`
}

/** Like `assignedWork`, with the packages that are not for their computers: `is_applicable` says which. */
export function plannedWork(
  bit: WorkBit,
  computers: Computers,
  options: DueOptions,
  activations?: RawBuilder<unknown>,
): RawBuilder<
  Pick<AssignedWork, 'computer_id' | 'package_id' | 'kind' | 'commands' | 'required_by'> & { is_applicable: boolean }
> {
  return sql`
    with recursive ${candidateCtes(bit, computers, options, activations, { withNotApplicable: true })}
    select computer_id, package_id, kind, commands, required_by, is_applicable from candidate`
}

/** Whether a row of `due` brings the package, or something that the package pulls in. */
export function isForPackage(packageId: string): RawBuilder<boolean> {
  return sql<boolean>`(due.package_id = ${packageId}::uuid or ${packageId}::uuid = any(due.required_by))`
}

/** Whether the package of `offer` is for the computer of `member`. What is installed can be updated and uninstalled in any case. */
const isOfferApplicable = ({ isMeetable }: RelationParts) => sql<boolean>`(
  ${isApplicable('offer', 'platform')} and (not offer.is_system or ${isApplicable('boot', 'platform')})
  and (offer.commands & ${sql.lit(Uninstall)} <> 0 or d.installation_state is not distinct from 'Installed'
    or ${unmetCondition('offer', 'platform')} is null)
  and ${isMeetable})`

/** Builds parts of a `with` clause. One of them, `candidate`, has what is assigned to the computers, due or not. */
function candidateCtes(
  bit: WorkBit,
  computers: Computers,
  { windows, hasRelations }: DueOptions,
  activations?: RawBuilder<unknown>,
  { releasedBy, withNotApplicable = false }: { releasedBy?: Releaser | undefined; withNotApplicable?: boolean } = {},
): RawBuilder<unknown> {
  const relations = relationPartsOf(hasRelations, releasedBy)
  const isForComputer = isOfferApplicable(relations)
  return sql`
    ${offerCtes(bit, computers, activations)}, options as materialized (
      ${effectiveOptions(sql`select distinct group_id, package_id from offered`)}
    ), named as materialized (
      select id, content_hash, line_key, row_number() over (order by lower(name), version, id) as place,
        ${isRemovable('packages')} as is_removable, ${relations.columns} ${columnsToCompare}
      from packages where id in (select package_id from offered)
    ), outdated as materialized (
      select distinct installed.computer_id, named.id as package_id
      from named
        join packages other on other.line_key = named.line_key and other.id <> named.id
        join deployments installed on installed.package_id = other.id and installed.installation_state = 'Installed'
      where installed.computer_id in (select computer_id from member)
        ${relations.outdated}
    ), waiting_for_ring as materialized (
      ${waitingForRing(relations.brought, releasedBy)}
    ), offer as materialized (
      select offered.owner_id, offered.package_id, offered.group_id, offered.is_system, offered.boot_image_id,
        offered.boot_package_id, offered.sku_id, named.content_hash, named.place, named.is_removable,
        ${relations.offerColumns} ${columnsToCompare},
        case when offered.is_system then ${asSystemInstallation(sql.ref('options.dist_commands'))}
          else options.dist_commands end as commands,
        options.schedule, options.revoke_count, options.revoke_date, options.optional_date, options.user_deadline,
        options.pre_download,
        -- A schedule that was stored after the windows were read counts as ended: the next contact computes its window.
        case when options.schedule = '' then now() else coalesce(windows.starts_at, now()) end as not_before,
        case when options.schedule = '' then null when windows.schedule is null then now() else windows.ends_at end
          as window_ends_at
      from offered
        join options on options.group_id = offered.group_id and options.package_id = offered.package_id
        join named on named.id = offered.package_id
        left join ${windows} on windows.schedule = options.schedule
    ), ${relations.ctes} candidate as (
      select member.computer_id, offer.package_id, offer.group_id, offer.commands, offer.schedule, offer.not_before,
        offer.window_ends_at, offer.revoke_count, offer.revoke_date, offer.optional_date, offer.user_deadline, offer.pre_download,
        offer.place,
        offer.boot_image_id, offer.sku_id, null::uuid[] as required_by, false as is_brought, case
          when offer.is_system then 'OperatingSystem'
          -- The time for which it was offered is over.
          when ${isOptionalSql('offer.commands')} and offer.optional_date <= now() then null
          when offer.commands & ${Reinstall}::integer <> 0 then 'Reinstall'
          when offer.commands & ${Uninstall}::integer <> 0 then
            case when d.installation_state = 'Installed' and offer.is_removable then 'Uninstall' end
          when d.installation_state = 'Installed' then
            case when offer.commands & ${Update}::integer <> 0 and d.installed_hash <> offer.content_hash then 'Update' end
          when outdated.package_id is not null then 'Update'
          when offer.commands & ${Install}::integer <> 0 then 'Install'
        end as kind, ${withNotApplicable ? isForComputer : sql`true`} as is_applicable
      from member
        join offer on offer.owner_id = member.owner_id
        left join deployments d on d.computer_id = member.computer_id and d.package_id = offer.package_id
        left join outdated on outdated.computer_id = member.computer_id and outdated.package_id = offer.package_id
        join platform on platform.computer_id = member.computer_id
        left join packages boot on boot.id = offer.boot_package_id
      where ${withNotApplicable ? sql`true` : isForComputer} and ${relations.isNotSuperseded}
        and not ${isWaitingForRing('member.computer_id', 'offer.package_id')}
      ${bit === 'software' ? relations.work : sql``}
    )`
}

/** The fix packages that are assigned to the computers through activated groups. */
export function offeredPatchFixes(
  computers: Computers,
  activations?: RawBuilder<unknown>,
): RawBuilder<{ computer_id: number; package_id: string }> {
  return sql`
    with ${offerCtes('patchFix', computers, activations)}
    select member.computer_id, offered.package_id
    from member
      join offered on offered.owner_id = member.owner_id
      join platform on platform.computer_id = member.computer_id
      join packages on packages.id = offered.package_id
    where ${isApplicable('packages', 'platform')}`
}
