import { distributionCommands } from '../../src/features/distribution/commands.ts'
import { reachedBy } from '../assignments/assignment-model.ts'
import type { Assignments } from '../assignments/assignment-world.ts'
import type { RandomGroup as Group } from '../world/random-groups.ts'

export type Options = { group: string; package: string | null; commands: number }
export type State = { computer: number; package: string; installation: string; isChanged: boolean }

export type Deployed = {
  world: Assignments
  options: Options[]
  states: State[]
  /** Packages that are versions of each other. */
  versions: string[]
}

type Membership = { computer: number; group: Group }
export type Target = { computer: number } | { group: string }

const { Install, Update, Uninstall, Reinstall } = distributionCommands

const groupOf = ({ groups }: Assignments, id: string | null) => groups.find((group) => group.id === id)

/** The group and those above it, nearest first. */
function upwards(world: Assignments, id: string | null): Group[] {
  const group = groupOf(world, id)
  return group ? [group, ...upwards(world, group.parentId)] : []
}

const isAbove = (world: Assignments, above: string, id: string) => upwards(world, id).some((one) => one.id === above)

function membershipsOf(world: Assignments): Membership[] {
  return world.memberships.flatMap(({ computer, group: id }) => {
    const group = groupOf(world, id)
    return group && group.kind !== 'Reinstall' ? [{ computer, group }] : []
  })
}

/** The memberships through which a request publishes. */
export function membershipsInScope(world: Assignments, target: Target, isGlobal: boolean): Membership[] {
  const all = membershipsOf(world)
  if ('group' in target) {
    const inside = all.filter(({ group }) => isAbove(world, target.group, group.id))
    return isGlobal ? all.filter((one) => inside.some(({ computer }) => computer === one.computer)) : inside
  }
  const own = all
    .filter(({ computer }) => computer === target.computer)
    .toSorted(
      (a, b) =>
        Number(a.group.tree !== 'ConfigurationGroups') - Number(b.group.tree !== 'ConfigurationGroups') ||
        Buffer.compare(Buffer.from(a.group.path), Buffer.from(b.group.path)),
    )
  return isGlobal ? own : own.slice(0, 1)
}

function commandsFor({ world, options }: Deployed, groupId: string, packageId: string): number {
  for (const { id } of upwards(world, groupId)) {
    const own = options.filter(({ group }) => group === id)
    const found = own.find((one) => one.package === packageId) ?? own.find((one) => one.package === null)
    if (found) return found.commands
  }
  return Install
}

function kindOf(deployed: Deployed, computer: number, packageId: string, commands: number): string | undefined {
  const { states, versions } = deployed
  const isInstalled = (id: string) =>
    states.find((one) => one.computer === computer && one.package === id && one.installation === 'Installed')
  const own = isInstalled(packageId)
  if (commands & Reinstall) return 'Reinstall'
  if (commands & Uninstall) return own ? 'Uninstall' : undefined
  if (own) return commands & Update && own.isChanged ? 'Update' : undefined
  if (versions.includes(packageId) && versions.some((other) => other !== packageId && isInstalled(other)))
    return 'Update'
  return commands & Install ? 'Install' : undefined
}

/** The documented rules in their simplest form: what is published, and which work waits for the agents. */
export class ActivationModel {
  readonly active = new Set<string>()
  /** The open work by computer and package. */
  readonly open = new Map<string, { computer: number; packageId: string; text: string }>()
  readonly deployed: Deployed

  constructor(deployed: Deployed) {
    this.deployed = deployed
  }

  activate(memberships: Membership[]): void {
    for (const { computer, group } of memberships) this.active.add(`${computer} ${group.id}`)
    for (const computer of new Set(memberships.map((one) => one.computer))) this.#compile(computer, memberships)
  }

  deactivate(memberships: Membership[]): void {
    for (const { computer, group } of memberships) this.active.delete(`${computer} ${group.id}`)
    for (const [key, { computer, packageId }] of this.open)
      if (memberships.some((one) => one.computer === computer) && !this.#isJustified(computer, packageId))
        this.open.delete(key)
  }

  /** Any assignment is a reason for work, not only the nearest. */
  #isJustified(computer: number, packageId: string): boolean {
    return reachedBy(this.deployed.world, computer, ['package', 'softwareClass']).some(
      ({ object, group }) => object.packages.includes(packageId) && this.#isPublished(computer, group.id),
    )
  }

  texts(): string[] {
    return [...this.open.values()].map(({ text }) => text).toSorted()
  }

  #isPublished(computer: number, group: string): boolean {
    const { world } = this.deployed
    return membershipsOf(world).some(
      (own) =>
        own.computer === computer &&
        this.active.has(`${computer} ${own.group.id}`) &&
        isAbove(world, group, own.group.id),
    )
  }

  #compile(computer: number, memberships: readonly Membership[]): void {
    const { world } = this.deployed
    const isInScope = (group: string) =>
      memberships.some((own) => own.computer === computer && isAbove(world, group, own.group.id))
    const reached = reachedBy(world, computer, ['package', 'softwareClass'])
    for (const packageId of new Set(reached.flatMap(({ object }) => object.packages))) {
      const group = reached.find(({ object }) => object.packages.includes(packageId))?.group.id ?? ''
      const commands = commandsFor(this.deployed, group, packageId)
      const kind = this.#isPublished(computer, group) && kindOf(this.deployed, computer, packageId, commands)
      const key = `${computer} ${packageId}`
      // What a group outside of the scope assigns stays as it was published.
      if (kind && isInScope(group)) this.open.set(key, { computer, packageId, text: `${key} ${kind} ${commands}` })
      else if (!kind) this.open.delete(key)
    }
  }
}
