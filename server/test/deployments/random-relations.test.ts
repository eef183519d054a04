import fc from 'fast-check'
import { expect, test } from 'vitest'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { RelationGraph } from '../../src/features/packages/relation-graph.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'
import { modelRuns } from '../world/model-runs.ts'
import { deploymentsIn } from './deployment-world.ts'

const { agent, as, db, given, readyPackage } = await openAgentWorld()
const { deployment } = deploymentsIn(db, given)

const size = 6

/** The relations of a package to others by their position, whether a group assigns it, and whether the computer has it from the start. */
const drawnPackage = fc.record({
  requires: fc.subarray(
    Array.from({ length: size }, (_, index) => index),
    { maxLength: 2 },
  ),
  conflicts: fc.option(fc.nat(size - 1), { freq: 2 }),
  supersedes: fc.option(fc.record({ index: fc.nat(size - 1), uninstallFirst: fc.boolean() }), { freq: 3 }),
  isAssigned: fc.boolean(),
  isInstalled: fc.constantFrom(false, false, false, true),
})

type DrawnPackage = typeof drawnPackage extends fc.Arbitrary<infer T> ? T : never

/** Packages with names of their own. One requires only those before it, so there is no cycle, and supersedes only those after it. */
function toPackages(drawn: readonly DrawnPackage[], run: number) {
  const nameOf = (index: number) => `random-${run}-${index}`
  return drawn.map(({ requires, conflicts, supersedes, ...flags }, index) => ({
    ...{ id: nameOf(index), name: nameOf(index) },
    requires: requires.filter((other) => other < index).map(nameOf),
    conflicts: conflicts === null || conflicts === index ? [] : [nameOf(conflicts)],
    supersedes: supersedes === null || supersedes.index <= index ? [] : [nameOf(supersedes.index)],
    uninstallFirst: supersedes?.uninstallFirst ?? false,
    ...flags,
  }))
}

type ModelPackage = ReturnType<typeof toPackages>[number]

/** What is on the computer, as its agent knows it. */
class ModelComputer {
  readonly #packages: ReadonlyMap<string, ModelPackage>
  readonly installed: Set<string>

  constructor(packages: readonly ModelPackage[]) {
    this.#packages = new Map(packages.map((one) => [one.name, one]))
    this.installed = new Set(packages.filter(({ isInstalled }) => isInstalled).map(({ name }) => name))
  }

  /** Which guarantee the hand-out of a package would break; undefined if none. */
  findFault(name: string, handedOut: readonly string[]): string | undefined {
    const missing = this.#get(name).requires.find((required) => !this.#has(required))
    if (missing) return `${name} comes before ${missing}, which it requires`
    const { supersedes, uninstallFirst } = this.#get(name)
    const staying = [...this.installed].filter((other) => !supersedes.includes(other))
    const present = [...staying, ...handedOut.filter((other) => other !== name)]
    const opponent = present.find(
      (other) => this.#get(name).conflicts.includes(other) || this.#get(other).conflicts.includes(name),
    )
    if (opponent) return `${name} comes to a computer with ${opponent}, with which it conflicts`
    const left = uninstallFirst ? supersedes.find((other) => this.installed.has(other)) : undefined
    return left && `${name} comes before ${left} is uninstalled`
  }

  record(kind: string, name: string): void {
    if (kind === 'Uninstall') this.installed.delete(name)
    else {
      for (const other of this.#get(name).supersedes) this.installed.delete(other)
      this.installed.add(name)
    }
  }

  #has(name: string): boolean {
    return this.installed.has(name) || [...this.installed].some((other) => this.#get(other).supersedes.includes(name))
  }

  #get(name: string): ModelPackage {
    const found = this.#packages.get(name)
    if (!found) throw new Error(`There is no package ${name}.`)
    return found
  }
}

let runs = 0

test('whatever relations packages have, requirements come first, conflicting packages never meet, and it ends', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(drawnPackage, { minLength: size, maxLength: size }), async (drawn) => {
      const packages = toPackages(drawn, ++runs)
      const graph = new RelationGraph(packages)
      // The import refuses them.
      fc.pre(packages.every(({ id }) => graph.findContradiction(id) === undefined))
      const [computer, group, model] = [await agent(), await given.group(), new ModelComputer(packages)]
      await given.member(group, computer)
      for (const { name, supersedes, uninstallFirst, requires, conflicts, isAssigned, isInstalled } of packages) {
        const made = await readyPackage({
          ...{ name, package_name: name, requires, conflicts },
          supersedes: Object.fromEntries(supersedes.map((other) => [other, uninstallFirst])),
        })
        if (isAssigned) await given.assignment(group, made, 'package')
        if (isInstalled) await deployment(computer, made, { installation_state: 'Installed' })
      }

      /** Activates, and works until nothing is handed out any more. Returns the number of work items. */
      const deploy = async () => {
        await as('activation.execute').call(activateComputer, { params: { id: computer.id }, body: { software: true } })
        for (let count = 0; count <= 2 * size; ) {
          const items = (await computer.contact()).body.work.map(({ workId, kind, package: leased }) => ({
            ...{ workId, kind, name: leased?.name ?? '' },
          }))
          if (items.length === 0) return count
          const coming = items.filter(({ kind }) => kind !== 'Uninstall').map(({ name }) => name)
          for (const name of coming) expect(model.findFault(name, coming)).toBeUndefined()
          for (const { workId, kind, name } of items) {
            await computer.report(workId)
            model.record(kind, name)
          }
          count += items.length
        }
        throw new Error('It does not end.')
      }

      await deploy()
      // What is pulled in, installed or uninstalled may make room for more.
      for (let times = 0; times < size; times++) if ((await deploy()) === 0) return
      throw new Error('Each activation brings something else.')
    }),
    { numRuns: modelRuns(6) },
  )
})
