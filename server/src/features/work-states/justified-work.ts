import { type RawBuilder, sql } from 'kysely'
import { isApplicable } from './applicability.ts'
import { isOpenWork } from './work-states.ts'

/** Whose work is looked at: of computers, and only with these packages if they are given. */
export type WorkScope = {
  computers: RawBuilder<{ computer_id: number }>
  packages?: RawBuilder<{ package_id: string }>
}

export type UnjustifiedWork = { id: number; computer_id: number }

/**
 * What justifies open work, in one place. Everything that ends a justification withdraws the work in its transaction
 * (`withdrawUnjustifiedWork`), so open work can be handed out, counted and explained without asking for it again.
 *
 * - A package that an activation brought: a group assigns it that the computer reaches through a membership, and the
 *   computer is activated for that membership. The nearest assignment decides how, but any of them is a reason.
 *   What such a package brings by a relation is justified in the same way by that package (`is_brought`): what it pulls in, and the
 *   removal of what it supersedes. The removal ends with it even if the superseded package is assigned: that asks for the opposite.
 * - A requested reinstall: a group assigns the package that the computer reaches.
 * - A removal that is part of a rollback: the same is true of the installation that follows it.
 * - A fix of patches: the same, and until its agent has the work, a group that the computer reaches releases a patch that it lacks,
 *   or has a policy that rolls back a patch that it has.
 * - An operating system: the computer is activated for PXE, and reaches the boot image and the edition that it was activated
 *   with.
 * - Power and Refresh: an activation remains, or a person has requested it.
 * - A trial: a person has requested it, and no activation brings the package (`cancelReplacedTrials`).
 *
 * A package must also be for the computer (`isApplicable`). New memberships, assignments and activations only add
 * justifications. Takes the aliases of the work, its package, its task and the platform of its computer.
 */
function isJustified(work: string, ofPackage: string, task: string, platform: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${work}.${name}`)
  const isRequested = sql`${sql.ref(`${task}.kind`)} <> 'Activation'`
  return sql<boolean>`${isApplicable(ofPackage, platform)} and case
    when ${column('kind')} = 'Power' then ${isRequested} or ${hasActivation(work, sql`true`)}
    when ${column('kind')} = 'Refresh' then ${isRequested} or ${hasActivation(work, sql`activation.pull`)}
    when ${column('kind')} = 'Trial' then true
    when ${column('kind')} = 'OperatingSystem' then
      ${hasActivation(work, sql`activation.pxe`)}
      and ${canBoot(work, platform)} and ${reaches(work, 'boot_image_id', sql`select group_id, image_id from group_pxe_boot_images`)}
      and (${column('sku_id')} is null or ${reaches(work, 'sku_id', sql`select group_id, sku_id from group_os_image_skus`)})
    when ${column('rolled_back_package_id')} = ${column('package_id')} then ${isFollowed(work)}
    when ${column('kind')} = 'Uninstall' and ${column('is_brought')} then ${isReplacementAssigned(work, ofPackage)}
    when ${column('reinstall_group_id')} is not null then ${isWorkAssigned(work, memberships)}
    when ${sql.ref(`${ofPackage}.kind`)} = 'PatchFix'
      then ${isWorkAssigned(work, memberships)} and (${column('state')} <> 'Due' or ${hasPatchToFix(work)})
    when ${sql.ref(`${ofPackage}.is_pre_os`)} then ${isWorkAssigned(work, activatedFor(sql`activation.pxe`))}
    else ${isWorkAssigned(work, activatedFor(sql`activation.software`))} end`
}

/** Through which groups a computer reaches assignments, as a relation with `computer_id` and `group_id`. */
type OwnGroups = RawBuilder<{ computer_id: number; group_id: string }>

export const memberships: OwnGroups = sql`effective_memberships`

/** An activation is deleted with the membership that it belongs to. Only a computer in no group has one without a group. */
export const activatedFor = (bit: RawBuilder<boolean>): OwnGroups => sql`(
  select activation.computer_id, activation.group_id from activations activation where ${bit})`

/** Whether a group assigns the package of a work item that its computer reaches through these groups, or another one that brought it. */
const isWorkAssigned = (work: string, ownGroups: OwnGroups) =>
  isAssigned(work, ownGroups, sql`(${sql.ref(`${work}.is_brought`)} or not assigned.is_brought)`)

/**
 * Whether a group assigns the package of the subject that its computer reaches through these groups, or one that may bring it. With
 * a condition on `assigned`, only such assignments count.
 */
export function isAssigned(
  subject: string,
  ownGroups: OwnGroups,
  condition: RawBuilder<boolean> = sql`true`,
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from ${ownGroups} as own
      join group_ancestors above on above.descendant_id = own.group_id
      join assigned_packages assigned on assigned.group_id = above.ancestor_id
    where own.computer_id = ${sql.ref(`${subject}.computer_id`)}
      and assigned.package_id = ${sql.ref(`${subject}.package_id`)} and ${condition})`
}

/** Whether a group assigns a package that the package of a work item is uninstalled for, or one that brings that package. */
const isReplacementAssigned = (work: string, ofPackage: string) => sql<boolean>`exists (
  select from package_supersedes superseding
    cross join lateral (select ${sql.ref(`${work}.computer_id`)}, superseding.package_id) as replacement (computer_id, package_id)
  where superseding.uninstalls_first and lower(superseding.superseded_name) = lower(${sql.ref(`${ofPackage}.package_name`)})
    and ${isAssigned('replacement', activatedFor(sql`activation.software`))})`

/** Whether an installation that is justified waits for the end of a removal. */
const isFollowed = (work: string) => sql<boolean>`exists (
  select from work follower
  where follower.computer_id = ${sql.ref(`${work}.computer_id`)} and ${isOpenWork('follower.state')}
    and follower.rolled_back_package_id = ${sql.ref(`${work}.package_id`)} and follower.package_id <> ${sql.ref(`${work}.package_id`)}
    and ${isWorkAssigned('follower', activatedFor(sql`activation.software`))})`

/**
 * Whether any group releases a patch to the computer that it lacks, through a PM group or a patch policy, or has a policy that rolls
 * back a patch that the computer has. As for packages, any assignment is a reason; which one decides, and so which patches are
 * installed, `computersToFix` finds out at the lease.
 */
const hasPatchToFix = (work: string) => sql<boolean>`(exists (
  select from ${memberships} as own
    join group_ancestors above on above.descendant_id = own.group_id
    join pm_group_assignments release on release.group_id = above.ancestor_id
    join pm_group_patches listed on listed.pm_group_id = release.pm_group_id
    join computer_patches scanned on scanned.computer_id = own.computer_id and scanned.is_missing
      and scanned.patch_id = listed.patch_id and scanned.product_id = listed.product_id
    join patch_links link on link.patch_id = listed.patch_id and link.product_id = listed.product_id
  where own.computer_id = ${sql.ref(`${work}.computer_id`)}
    and (release.is_test or release.is_emergency or link.approved_at is not null))
  or exists (
  select from ${memberships} as own
    join group_ancestors above on above.descendant_id = own.group_id
    join patch_policy_assignments release on release.group_id = above.ancestor_id
    join computer_patches scanned on scanned.computer_id = own.computer_id and scanned.is_missing
    join patch_policy_rulings ruling on ruling.policy_id = release.policy_id and ruling.patch_id = scanned.patch_id
      and ruling.product_id = scanned.product_id and ruling.valid_from <= now() and now() < ruling.valid_until
    join patch_links link on link.patch_id = scanned.patch_id and link.product_id = scanned.product_id
  where own.computer_id = ${sql.ref(`${work}.computer_id`)} and ruling.action <> 'Decline'
    and (ruling.approved_from <= now() or link.approved_at is not null))
  or exists (
  select from ${memberships} as own
    join group_ancestors above on above.descendant_id = own.group_id
    join patch_policy_assignments release on release.group_id = above.ancestor_id
    join patch_ring_progress stopped on stopped.policy_id = release.policy_id and stopped.rolls_back
    join computer_patches scanned on scanned.computer_id = own.computer_id and not scanned.is_missing
      and scanned.patch_id = stopped.patch_id and scanned.product_id = stopped.product_id
  where own.computer_id = ${sql.ref(`${work}.computer_id`)}))`

const hasActivation = (work: string, bit: RawBuilder<boolean>) => sql<boolean>`exists (
  select from activations activation where activation.computer_id = ${sql.ref(`${work}.computer_id`)} and ${bit})`

/** Whether the computer reaches the object in a column of its work. */
const reaches = (
  work: string,
  column: 'boot_image_id' | 'sku_id',
  assignments: RawBuilder<unknown>,
) => sql<boolean>`exists (
  select from ${memberships} as own
    join group_ancestors above on above.descendant_id = own.group_id
    join (${assignments}) as assignment (group_id, object_id) on assignment.group_id = above.ancestor_id
  where own.computer_id = ${sql.ref(`${work}.computer_id`)} and assignment.object_id = ${sql.ref(`${work}.${column}`)})`

/** Whether the boot image of the work is for the computer. */
const canBoot = (work: string, platform: string) => sql<boolean>`exists (
  select from pxe_boot_images image
    join packages boot_package on boot_package.id = image.package_id
  where image.id = ${sql.ref(`${work}.boot_image_id`)} and ${isApplicable('boot_package', platform)})`

/** Selects the open work that nothing justifies. Between transactions, there is none. */
export function unjustifiedWork(scope: WorkScope): RawBuilder<UnjustifiedWork> {
  return sql<UnjustifiedWork>`
    select item.id, item.computer_id
    from ${openWork(scope)}
      join tasks on tasks.id = item.task_id
      join computer_platforms platform on platform.computer_id = item.computer_id
      left join packages on packages.id = item.package_id
    where not (${isJustified('item', 'packages', 'tasks', 'platform')})`
}

/** The open work in a scope, as `item`. Each computer by its index, whatever the planner believes about the size of the table. */
export const openWork = ({ computers, packages }: WorkScope) => sql`(${computers}) as scope
      cross join lateral (
        select id, computer_id, package_id, task_id, kind, state, reinstall_group_id, boot_image_id, sku_id,
          rolled_back_package_id, is_brought
        from work
        where work.computer_id = scope.computer_id and ${isOpenWork('work.state')}
          ${packages ? sql`and (work.package_id = any(array(${withPulled(packages)})) or work.rolled_back_package_id is not null)` : sql``}
        offset 0
      ) as item`

/** The packages of a scope, and what they pull in: it is justified by them. */
export const withPulled = (packages: RawBuilder<{ package_id: string }>) => sql<{ package_id: string }>`
  select package_id from (${packages}) as own
  union select pulled_id from package_pulls where package_id in (${packages})`
