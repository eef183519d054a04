import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RelatedPackage, RelationGraph } from '../../src/features/packages/relation-graph.ts'
import { modelRuns } from '../world/model-runs.ts'

type Relations = Partial<Omit<RelatedPackage, 'id' | 'name'>>

const version = (id: string, name: string, relations: Relations = {}): RelatedPackage => ({
  ...{ id, name, requires: [], conflicts: [], supersedes: [] },
  ...relations,
})

test('a chain of requirements that conflicts in one of several versions is no contradiction', () => {
  const app = version('app', 'app', { requires: ['tool', 'lib'] })
  const packages = [
    app,
    version('tool-1', 'tool', { conflicts: ['LIB'] }),
    version('lib', 'lib'),
    version('other', 'other', { conflicts: ['app'] }),
  ]
  expect(new RelationGraph(packages).findContradiction('app')).toBe(
    "No computer could get 'app': 'app' requires 'tool', 'app' requires 'lib', and 'tool' conflicts with 'lib'.",
  )
  expect(new RelationGraph([...packages, version('tool-2', 'Tool')]).findContradiction('app')).toBeUndefined()
})

test('a package may require what another required package supersedes, but not what it supersedes itself', () => {
  const isRefused = (...packages: RelatedPackage[]) =>
    new RelationGraph(packages).findContradiction('app') !== undefined
  const app = version('app', 'app', { requires: ['new', 'old'] })

  expect(isRefused(app, version('old', 'old'), version('new', 'new', { supersedes: ['old'] }))).toBe(false)
  expect(isRefused(version('app', 'app', { requires: ['old'], supersedes: ['old'] }), version('old', 'old'))).toBe(true)
  expect(isRefused(app, version('old', 'old'), version('new', 'new', { requires: ['old'], supersedes: ['old'] }))).toBe(
    true,
  )
  expect(isRefused(app, version('old', 'old'), version('new', 'new', { supersedes: ['app'] }))).toBe(true)
})

const names = ['a', 'b', 'c', 'd', 'e']
const someNames = fc.subarray(names, { maxLength: 2 })

/** Packages of a few names with up to two versions each, of which none relates to itself. */
const packagesOf = (maxVersions: number) =>
  fc
    .array(fc.record({ name: fc.constantFrom(...names), requires: someNames, conflicts: someNames }), {
      minLength: 1,
      maxLength: names.length * maxVersions,
    })
    .map((drawn) =>
      drawn
        .filter(({ name }, index) => drawn.slice(0, index).filter((one) => one.name === name).length < maxVersions)
        .map(({ name, requires, conflicts }, index) => {
          const withoutItself = (related: string[]) => related.filter((one) => one !== name)
          return version(`${index}`, name, { requires: withoutItself(requires), conflicts: withoutItself(conflicts) })
        }),
    )

/** Whether a computer could get the root: tries every choice of one version for each name, as if each name had a package. */
function canBeInstalled(packages: readonly RelatedPackage[], root: RelatedPackage): boolean {
  const versionsOf = (name: string) => packages.filter((one) => one.name === name)
  const choices = names
    .map((name) => (name === root.name ? [root] : versionsOf(name)))
    .map((versions, index) => (versions.length > 0 ? versions : [version('', names[index] ?? '')]))
    .reduce<RelatedPackage[][]>(
      (chosen, versions) => chosen.flatMap((some) => versions.map((one) => [...some, one])),
      [[]],
    )
  return choices.some((choice) => {
    const installed = new Set([root])
    for (const one of installed)
      for (const name of one.requires) {
        const required = choice.find((other) => other.name === name)
        if (required) installed.add(required)
      }
    const present = [...installed].map(({ name }) => name)
    return ![...installed].some(({ conflicts }) => conflicts.some((name) => present.includes(name)))
  })
}

test('no package is refused that a computer could get with some versions of what it requires', () => {
  fc.assert(
    fc.property(packagesOf(2), (packages) => {
      const graph = new RelationGraph(packages)
      for (const one of packages)
        if (graph.findContradiction(one.id) !== undefined)
          expect(packages.some((root) => !canBeInstalled(packages, root))).toBe(true)
    }),
    { numRuns: modelRuns(300) },
  )
})

test('with one version of each package, exactly the packages are refused that no computer could get', () => {
  fc.assert(
    fc.property(packagesOf(1), (packages) => {
      const graph = new RelationGraph(packages)
      for (const root of packages) {
        const sentence = graph.findContradiction(root.id)
        expect(sentence?.startsWith(`No computer could get '${root.name}'`) ?? false).toBe(
          !canBeInstalled(packages, root),
        )
      }
    }),
    { numRuns: modelRuns(300) },
  )
})
